package dev.strake.serdes.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plain YAML of BOSH: the first document of a stream, as go-yaml v2 reads it. */
class GoDialectTest {

    @ParameterizedTest
    @CsvSource({
        "y, true",
        "N, false",
        "on, true",
        "010, 8",
        "0o10, 8",
        "0O17, 15",
        "0x1F, 31",
        "-0b11, -3",
        "1_000, 1000",
        "+5, 5",
        "0.5, 0.5",
        "-0.0, -0.0",
        "0, 0",
        "00, 0",
        "0e1, 0.0e1",
        "1e3, 1.0e3",
        "1.5e3, 1.5e3",
        "08, 8.0",
        "5., 5.0",
        ".5, 0.5",
        "+.5, 0.5",
        "-0, 0",
        "1_0.5, 10.5",
        "1:30, '\"1:30\"'",
        "2001-01-01, '\"2001-01-01\"'",
        "0o, '\"0o\"'",
        "0z1, '\"0z1\"'",
        "1.2.3, '\"1.2.3\"'",
        "~, null",
        "10.0.0.1, '\"10.0.0.1\"'",
        "1e, '\"1e\"'",
        "0o19, '\"0o19\"'"
    })
    void shouldResolveScalarsAsGoDoes(String scalar, String json) throws UnreadableTextException {
        Value value = ((MapValue) first("k: " + scalar).value()).get("k");
        assertThat(new String(JsonValues.write(value), UTF_8)).isEqualTo(json);
    }

    @Test
    void shouldLetTheLastOfEqualKeysCount() throws UnreadableTextException {
        assertThat(new String(JsonValues.write(first("a: 1\nb: 2\na: 3\n").value()), UTF_8))
                .isEqualTo("{\"a\":3,\"b\":2}");
    }

    @Test
    void shouldPassOverTagsOfOthers() throws UnreadableTextException {
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
