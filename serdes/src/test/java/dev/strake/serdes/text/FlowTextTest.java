package dev.strake.serdes.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a flow collection we say what SnakeYAML says, which is asked with its own reader. */
class FlowTextTest {

    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 30_000);
    private static final long SEED = Long.getLong("strake.fuzz.seed", 20261127L);

    private static final List<String> WORDS = List.of(
            "a", "Z9", "1", "-1", "-0.5", "0x1F", "1e+5", "/a/b", "_", "~", "~x", "null", "a-b", "a.b", "a=b", "x@y",
            "a/", "-1-", "é", "Zürich", "文", "٣", "ä=ß", "Ω1", "a文");

    private static final List<String> TEXTS = List.of(
            "\"\"",
            "''",
            "\"a b\"",
            "'a: b'",
            "\"[,]{}\"",
            "'#'",
            "\"it's\"",
            "'\"'",
            "\"a  \"",
            "'---'",
            "\"~\"",
            "'é'",
            "\"„a“ – b…\"",
            "'文 文'",
            "'\u00A0'");

    /** What is not simple, or no YAML at all. */
    private static final List<String> ODD = List.of(
            "-",
            "--- ",
            "...",
            "-a",
            "- a",
            "+1",
            ".5",
            "=",
            "a b",
            "a\n b",
            "a:b",
            "12:30:45",
            "a: b",
            ":",
            "?",
            "? a",
            "#",
            " # c\n",
            "\t",
            "\r\n",
            "\u0085",
            "\u2028",
            "a\u2029b",
            "'a\u2028b'",
            "\"a\u2029b\"",
            "'\u0085'",
            "\"\uFEFF\"",
            "\u00A0",
            "“a”",
            "€",
            "-é",
            "e\u0301",
            "\uFEFF",
            "&x a",
            "*x",
            "!t a",
            "!!str a",
            "%",
            "@",
            "`",
            "|",
            "''''",
            "'a''b'",
            "\"\\\"\"",
            "\"\\n\"",
            "\"a\nb\"",
            "\"",
            "'",
            "[",
            "]",
            "{",
            "}",
            ",",
            ",,",
            "\n---\n",
            "<<",
            "");

    private final StringBuilder text = new StringBuilder();
    private SplittableRandom random;
    private int odd;

    @Test
    void shouldSayOfAnyFlowCollectionWhatSnakeYamlSays() {
        int leftOut = 0;
        for (int i = 0; i < CASES; i++) {
            String document = document(SEED + i);
            for (Dialect dialect : List.of(Dialect.PYTHON, Dialect.GO)) {
                if (dialect == Dialect.PYTHON || document.indexOf('\t') < 0) {
                    ParserSays ours = ParserSays.of(document, dialect);
                    assertThat(ours.said())
                            .as("seed %d: %s", SEED + i, document)
                            .isEqualTo(ParserSays.ofOriginal(document).said());
                    leftOut += ours.leftOut();
                }
            }
        }
        // Otherwise the texts would be too wild to prove anything.
        assertThat(leftOut).isGreaterThan(CASES);
    }

    /* Each of these has a collection around it that is not simple, in which it is found again and again. */
    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "[[], {b: "})
    void shouldLookAtEachCharacterAFewTimesHoweverDeepItIs(String opening) throws UnreadableTextException {
        String inside = opening.repeat(60) + "1, ".repeat(300_000) + "€";
        int looked = 0;
        for (int at = 0; at < inside.length(); at++) {
            char c = inside.charAt(at);
            if (c == '[' || c == '{') {
                FlowText flow = new FlowText("f", inside, at);
                assertThat(flow.isSimple()).isEqualTo(inside.startsWith("[]", at));
                looked += flow.end() - at;
                at = Math.max(at, flow.isSimple() ? flow.end() : flow.end() - 1);
            }
        }
        assertThat(looked).isLessThan(2 * inside.length());
    }

    private String document(long seed) {
        random = new SplittableRandom(seed);
        text.setLength(0);
        odd = random.nextInt(3) == 0 ? random.nextInt(1, 40) : 0;
        text.append(List.of(
                        "",
                        "a: ",
                        "- ",
                        "a:\n  b: ",
                        "a:\n- ",
                        "--- ",
                        "&x ",
                        "a: &x ",
                        "a: !t ",
                        "? ",
                        "\uFEFF",
                        "é: ")
                .get(random.nextInt(12)));
        collection(random.nextInt(1, 5));
        text.append(
                List.of("", "\n", "\nb: 1\n", "\n- 1\n", " # c\n", ": b\n", " : b\n", "\n--- 1\n", " a", ", 1", "\n: b")
                        .get(random.nextInt(11)));
        if (random.nextInt(100) == 0) { // further than a window, and further than a key may be
            text.insert(text.length() / 2, " ".repeat(random.nextInt(900, 5_000)));
        }
        return text.toString();
    }

    private void collection(int depth) {
        boolean isMap = random.nextBoolean();
        text.append(isMap ? '{' : '[');
        blank();
        int entries = random.nextInt(4);
        for (int i = 0; i < entries; i++) {
            if (isMap) {
                boolean isPlain = random.nextBoolean();
                text.append(isPlain ? one(WORDS) : one(TEXTS))
                        .append(':')
                        .append(isPlain || random.nextBoolean() ? " " : "");
                blank();
            }
            if (depth > 0 && random.nextInt(3) == 0) {
                collection(depth - 1);
            } else {
                text.append(random.nextInt(3) == 0 ? one(TEXTS) : one(WORDS));
            }
            blank();
            text.append(i + 1 < entries || random.nextInt(20) == 0 ? "," : "");
            blank();
        }
        text.append(isMap ? '}' : ']');
    }

    private void blank() {
        int kind = random.nextInt(8);
        text.append(kind == 0 ? " " : kind == 1 ? "\n " : kind == 2 ? "\n" : kind == 3 ? "  \n\n   " : "");
    }

    private String one(List<String> usual) {
        List<String> from = odd > 0 && random.nextInt(odd) == 0 ? ODD : usual;
        return from.get(random.nextInt(from.size()));
    }
}
