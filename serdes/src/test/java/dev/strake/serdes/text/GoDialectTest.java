package dev.strake.serdes.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Null;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain YAML of BOSH: the first document of a stream, parsed like go-yaml v2. */
class GoDialectTest {

    static List<Arguments> answers() {
        return ReadText.answers("/yaml/go-yaml.txt");
    }

    @ParameterizedTest
    @MethodSource("answers")
    void shouldReadScalarsMergeKeysAndTabsAsGoDoes(String text, String json) throws UnreadableTextException {
        assertThat(new String(JsonBytes.sorted(first(text).value()), UTF_8)).isEqualTo(json);
    }

    @Test
    void shouldUseTheLastOfEqualKeys() throws UnreadableTextException {
        assertThat(JsonBytes.text(first("a: 1\nb: 2\na: 3\n").value())).isEqualTo("{\"a\":3,\"b\":2}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-\ta",
                "- \ta: 1",
                "?\ta\n: b",
                "\ta: 1",
                "a:\n\tb: 1",
                "a:\n  b: 1\n\tc: 2",
                "- [1,\t2]\n-\t[3]",
                "- a\n-\t\n- b",
                "a: x\n  \ty", // go-yaml accepts these three
                "a: !!str\tb",
                "%YAML 1.1\t\n---\na: 1"
            })
    void shouldRejectTabsInOtherPlaces(String text) {
        assertThatExceptionOfType(UnreadableTextException.class).isThrownBy(() -> first(text));
    }

    @Test
    void shouldIgnoreUnknownTags() throws UnreadableTextException {
        assertThat(first("a: !secret 5\nb: !x [1]\n").value())
                .isEqualTo(first("{a: '5', b: [1]}").value());
        assertThatExceptionOfType(UnreadableTextException.class).isThrownBy(() -> first("!!binary aGVsbG8="));
    }

    @Test
    void shouldNotLookBeyondTheFirstDocument() throws UnreadableTextException {
        assertThat(first("--- 1\n---\n{broken\n").value()).isEqualTo(first("1").value());
        assertThat(first("---\n---\na: 1\n").value()).isEqualTo(Null.NULL);
        assertThat(first("# nothing\n").value()).isEqualTo(Null.NULL);
        assertThatExceptionOfType(UnreadableTextException.class).isThrownBy(() -> first("{broken\n"));
    }

    private static ReadDocument first(String text) throws UnreadableTextException {
        return new DocumentReader(Limits.DEFAULT).readFirst(text.getBytes(UTF_8), Dialect.GO, "base.yml");
    }
}
