package dev.strake.server.deckhand.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import org.junit.jupiter.api.Test;

class DeepDiffTest {

    @Test
    void shouldReportEachKindOfDifference() {
        assertThat(diff(
                        "{t: x, i: 1, d: {e: {f: 1, h: 1}}, l: [1, 2, 3], same: [a]}",
                        "{t: y, i: '1', d: {e: {g: 1, h: 1}}, l: [1, 4, 3, 5], same: [a]}"))
                .isEqualTo(yaml("""
                        values_changed:
                          root['t']: {new_value: y, old_value: x}
                          root['l'][1]: {new_value: 4, old_value: 2}
                        type_changes:
                          root['i']: {new_type: str, new_value: '1', old_type: int, old_value: 1}
                        dictionary_item_added: ["root['d']['e']['g']"]
                        dictionary_item_removed: ["root['d']['e']['f']"]
                        iterable_item_added: {"root['l'][3]": 5}
                        """));
    }

    @Test
    void shouldReportNothingForEqualValues() {
        assertThat(diff("{a: [1, {b: null}]}", "{a: [1, {b: null}]}")).isEqualTo(MapValue.EMPTY);
    }

    @Test
    void shouldCompareListsByIndex() {
        assertThat(diff("{l: [first, a, b]}", "{l: [a, b]}")).isEqualTo(yaml("""
                values_changed:
                  root['l'][0]: {new_value: a, old_value: first}
                  root['l'][1]: {new_value: b, old_value: a}
                iterable_item_removed: {"root['l'][2]": b}
                """));
    }

    @Test
    void shouldNameTheWholeValueRoot() {
        assertThat(diff("x", "y")).isEqualTo(yaml("values_changed: {root: {new_value: y, old_value: x}}"));
        assertThat(diff("[1]", "[1, 2]")).isEqualTo(yaml("iterable_item_added: {'root[1]': 2}"));
        assertThat(diff("{a: 1}", "text")).isEqualTo(yaml("""
                type_changes: {root: {new_type: str, new_value: text, old_type: dict, old_value: {a: 1}}}
                """));
    }

    @Test
    void shouldNameTypesAsPythonDoes() {
        assertThat(diff("[1, 1.5, text, true, [], {}]", "[1.0, 1, null, 1, {}, []]"))
                .isEqualTo(yaml("""
                type_changes:
                  root[0]: {new_type: float, new_value: 1.0, old_type: int, old_value: 1}
                  root[1]: {new_type: int, new_value: 1, old_type: float, old_value: 1.5}
                  root[2]: {new_type: NoneType, new_value: null, old_type: str, old_value: text}
                  root[3]: {new_type: int, new_value: 1, old_type: bool, old_value: true}
                  root[4]: {new_type: dict, new_value: {}, old_type: list, old_value: []}
                  root[5]: {new_type: list, new_value: [], old_type: dict, old_value: {}}
                """));
    }

    @Test
    void shouldCompareNumbersOfOneTypeByValue() {
        assertThat(diff("[1.50, 0.0, 1.0e+3]", "[1.5, -0.0, 1000.0]")).isEqualTo(MapValue.EMPTY);
        assertThat(diff("[1.50]", "[1.51]"))
                .isEqualTo(yaml("values_changed: {'root[0]': {new_value: 1.51, old_value: 1.50}}"));
    }

    @Test
    void shouldQuoteAKeyWithAQuoteThatItDoesNotContain() {
        assertThat(diff("{}", "{\"it's\": 1, 'a\"b': 1, \"'\\\"\": 1, a.b: 1}")).isEqualTo(yaml("""
                dictionary_item_added:
                - root["it's"]
                - root['a"b']
                - root["\\'\\""]
                - root['a.b']
                """));
    }

    private static MapValue diff(String old, String young) {
        return DeepDiff.of(yaml(old), yaml(young), Redaction.CLEARTEXT);
    }

    static Value yaml(String text) {
        try {
            return new DocumentReader(Limits.DEFAULT)
                    .readStream(text.getBytes(UTF_8), "test")
                    .get(0)
                    .value();
        } catch (Exception e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
