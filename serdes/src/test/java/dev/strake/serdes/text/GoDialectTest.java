package dev.strake.serdes.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain YAML of BOSH: the first document of a stream, parsed like go-yaml v2. */
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
    void shouldUseTheLastOfEqualKeys() throws UnreadableTextException {
        assertThat(new String(JsonValues.write(first("a: 1\nb: 2\na: 3\n").value()), UTF_8))
                .isEqualTo("{\"a\":3,\"b\":2}");
    }

    /* Recorded answers of go-yaml 2.4.0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: 1, <<: {a: 2, b: 3}} => {\"a\":2,\"b\":3}",
                "{<<: {a: 2, b: 3}, a: 1} => {\"a\":1,\"b\":3}",
                "{<<: {a: 1, b: 1}, <<: {a: 2, c: 2}} => {\"a\":2,\"b\":1,\"c\":2}",
                "{<<: [{a: 1, b: 1}, {a: 2, c: 2}]} => {\"a\":1,\"b\":1,\"c\":2}",
                "{a: 0, <<: [{a: 1, b: 1}, {a: 2, c: 2}], b: 9} => {\"a\":1,\"b\":9,\"c\":2}",
                "{<<: {a: {x: 1}}, a: {z: 2}} => {\"a\":{\"z\":2}}",
                "{a: {x: 1}, <<: {a: {z: 2}}} => {\"a\":{\"z\":2}}",
                "{'<<': {a: 1}} => {\"<<\":{\"a\":1}}",
                "{\"<<\": 1} => {\"<<\":1}",
                "{<<: [], a: 1} => {\"a\":1}",
                "{!!merge <<: {a: 1}} => {\"a\":1}",
                "b: &b {x: 1}\\nc:\\n  <<: *b\\n  x: 2 => {\"b\":{\"x\":1},\"c\":{\"x\":2}}",
                "b: &b {x: 1}\\nc:\\n  x: 2\\n  <<: *b => {\"b\":{\"x\":1},\"c\":{\"x\":1}}",
                "b: &b {x: 1}\\nc:\\n  <<: [*b, {x: 5, z: 6}] => {\"b\":{\"x\":1},\"c\":{\"x\":1,\"z\":6}}",
                "b: &b {x: 1, <<: {x: 7}}\\nc: *b => {\"b\":{\"x\":7},\"c\":{\"x\":7}}"
            })
    void shouldApplyAMergeKeyAtItsPosition(String asked) throws UnreadableTextException {
        assertAnswer(asked);
    }

    /* Recorded answers of go-yaml 2.4.0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:\\tb => {\"a\":\"b\"}",
                "a: \\tb => {\"a\":\"b\"}",
                "a:\\t\\n  b: 1 => {\"a\":{\"b\":1}}",
                "- a\\t => [\"a\"]",
                "a: b\\t => {\"a\":\"b\"}",
                "a: b\\t# c => {\"a\":\"b\"}",
                "a:\\t# c\\n  b: 1 => {\"a\":{\"b\":1}}",
                "a: \"x\"\\t# c => {\"a\":\"x\"}",
                "a: \"x\"\\t => {\"a\":\"x\"}",
                "{a:\\tb} => {\"a\":\"b\"}",
                "{\\ta: b\\t,\\tc: d\\t} => {\"a\":\"b\",\"c\":\"d\"}",
                "[\\ta,\\tb\\t] => [\"a\",\"b\"]",
                "[\\n\\ta,\\n\\tb\\n] => [\"a\",\"b\"]",
                "a: [\\n\\t1,\\n\\t2] => {\"a\":[1,2]}",
                "a: |\\t\\n  x => {\"a\":\"x\"}",
                "a: |\\t# c\\n  x => {\"a\":\"x\"}",
                "a: >\\n  x\\n  \\ty => {\"a\":\"x\\n\\ty\"}",
                "a: \"x\\n\\ty\" => {\"a\":\"x y\"}",
                "a: 'x\\n\\ty' => {\"a\":\"x y\"}",
                "a\\t: 1 => {\"a\":1}",
                "\"a\"\\t: 1 => {\"a\":1}",
                "a: &x\\tb => {\"a\":\"b\"}",
                "a: &x b\\nc: *x\\t => {\"a\":\"b\",\"c\":\"b\"}",
                "a: &x b\\nc: *x\\t# d => {\"a\":\"b\",\"c\":\"b\"}",
                "---\\ta => \"a\"",
                "--- a\\n...\\t\\n => \"a\"",
                "a: x\\ty => {\"a\":\"x\\ty\"}",
                "a: x\\t y => {\"a\":\"x\\t y\"}",
                "a: x \\ty => {\"a\":\"x \\ty\"}",
                "a\\tb: c => {\"a\\tb\":\"c\"}",
                "a: 1\\t => {\"a\":1}",
                "a: [1]\\t => {\"a\":[1]}",
                "a: {b: 1}\\t# c => {\"a\":{\"b\":1}}",
                "- |\\t\\n  x => [\"x\"]",
                "a: 1\\n  \\t# d\\nb: 2 => {\"a\":1,\"b\":2}",
                "a: 1\\n  \\t\\nb: 2 => {\"a\":1,\"b\":2}",
                "a:\\t|\\n  x => {\"a\":\"x\"}",
                "a:\\t{b: 1} => {\"a\":{\"b\":1}}",
                "a:\\t\"x\" => {\"a\":\"x\"}"
            })
    void shouldReadTabsBetweenTokensAsSpaces(String asked) throws UnreadableTextException {
        assertAnswer(asked);
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

    private static void assertAnswer(String asked) throws UnreadableTextException {
        String[] parts = asked.split(" => ", 2);
        Value read = first(parts[0].replace("\\n", "\n").replace("\\t", "\t")).value();
        assertThat(new String(JsonBytes.sorted(read), UTF_8)).isEqualTo(parts[1]);
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
