package dev.strake.serdes.text;

import static dev.strake.serdes.text.ReadText.refused;
import static dev.strake.serdes.text.ReadText.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.problem.Location;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.scanner.ScannerImpl;

/** SnakeYAML's parser has the same output for Strake's reader as for its own. */
class YamlSourceTest {

    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 30_000);
    private static final long SEED = Long.getLong("strake.fuzz.seed", 20261126L);

    private static final List<String> PIECES = List.of(
            " ",
            "  ",
            "\n",
            "\n",
            "\n ",
            "\n  ",
            "\r\n",
            "\r",
            "\u0085",
            "\u2028",
            "\t",
            "#",
            " # c: [\n",
            "#\n#\n\n",
            "a",
            "b1",
            "é",
            ": ",
            ":",
            "- ",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "'",
            "\"",
            "|",
            ">",
            "|2-\n",
            "&x ",
            "*x",
            "!t ",
            "--- ",
            "\n---\n",
            "\n...\n",
            "%YAML 1.1\n",
            "\\",
            "\uFEFF");

    @Test
    void shouldPassTheSameTextAsTheParsersOwnReader() {
        for (int i = 0; i < CASES; i++) {
            String text = text(new SplittableRandom(SEED + i));
            assertThat(ParserSays.of(text, Dialect.PYTHON).said())
                    .as(shown(text))
                    .isEqualTo(ParserSays.ofOriginal(text).said());
        }
    }

    /* The two dialects differ only in tabs. */
    @Test
    void shouldPassTheSameTextWithoutTabsInTheGoDialect() {
        for (int i = 0; i < CASES; i++) {
            String text = text(new SplittableRandom(SEED - i)).replace('\t', ' ');
            assertThat(ParserSays.of(text, Dialect.GO).said())
                    .as(shown(text))
                    .isEqualTo(ParserSays.ofOriginal(text).said());
        }
    }

    @Test
    void shouldLocateAnInvalidCharacterFarIntoTheText() {
        String text = "a: 1\n" + " ".repeat(10_000) + "\u0001";
        assertThatThrownBy(() -> new YamlSource(text, "f", Dialect.PYTHON))
                .isInstanceOf(UnreadableTextException.class)
                .satisfies(
                        e -> assertThat(((UnreadableTextException) e).problem().toString())
                                .contains("U+0001", "10001"));
    }

    /* PyYAML, go-yaml and JSON know this escape; SnakeYAML does not. */
    @Test
    void shouldReadTheEscapedSlashWithoutChangingSnakeYaml() {
        assertThat(
                        yaml(
                                "- \"a\\/b\\\\/c\\/\\/ \\/\"\n- 'a\\/b'\n- a\\/b\n- |\n  \\/\n- {\"\\/\": \"\\/\"}\n- \"\\/\n  \\/---\"\n"))
                .isEqualTo("[\"a/b\\\\/c// /\",\"a\\\\/b\",\"a\\\\/b\",\"\\\\/\\n\",{\"/\":\"/\"},\"/ /---\"]");
        assertThat(refused("- \"\\/\\/\"\n- \"\\q\"").location()).isEqualTo(new Location("text", 2, 5));
        assertThat(ScannerImpl.ESCAPE_REPLACEMENTS).doesNotContainKey('/');
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i >= 0; i--) {
            boolean isLong = random.nextInt(200) == 0; // longer than the reader's window
            text.append(isLong ? (random.nextBoolean() ? "#" : "") + " ".repeat(5_000) : "");
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        boolean endsByReturn = text.charAt(text.length() - 1) == '\r'; // not a line for the original reader
        return text.append(endsByReturn ? "\n" : "").toString();
    }

    private static String shown(String text) {
        return text.replace("\r", "\\r").replace("\t", "\\t");
    }
}
