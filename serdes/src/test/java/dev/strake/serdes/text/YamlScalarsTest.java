package dev.strake.serdes.text;

import static dev.strake.serdes.text.ReadText.refused;
import static dev.strake.serdes.text.ReadText.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.ProblemCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expects the answers of PyYAML 6.0.3's safe loader, but keeps the digits of decimal numbers. */
class YamlScalarsTest {

    static List<Arguments> scalars() {
        return ReadText.answers("/yaml/pyyaml-scalars.txt");
    }

    @ParameterizedTest
    @MethodSource("scalars")
    void shouldReadScalarsAsPyYamlDoes(String scalar, String json) {
        assertThat(yaml("a: " + scalar)).isEqualTo("{\"a\":" + json + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {".inf", "-.inf", "+.INF", ".nan", ".NaN", "!!float .inf"})
    void shouldRejectNumbersThatJsonDoesNotHave(String scalar) {
        var problem = refused("a: 1\nb: " + scalar);

        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_YAML);
        assertThat(problem.location().line()).isEqualTo(2);
        assertThat(problem.hint()).contains("quote");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0b_", "0x_", "-0x__"})
    void shouldRejectNumbersWithoutDigits(String scalar) {
        assertThat(refused("a: " + scalar).message()).contains("has no digits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!!int x",
                "!!int 1.5",
                "!!int ''",
                "!!int 0o7",
                "!!float x",
                "!!float 0x10",
                "!!float ''",
                "!!float e",
                "!!float 1e",
                "!!bool maybe",
                "!!bool 1",
                "!!map x",
                "!!seq x",
                "!!str [a]",
                "!!str {}",
                "!!map []",
                "!!seq {}",
                "!!binary aGVsbG8=",
                "!!timestamp 2001-01-01",
                "!!set {a}",
                "!!omap [a: 1]",
                "!!pairs [a: 1]",
                "!!merge x",
                "!!value x",
                "!!python/object/apply:os.system [x]",
                "!local x",
                "!<!x> y",
                "!!java.net.URL x",
                "!local [x]"
            })
    void shouldRejectTagsThatDoNotMatchOrNameTypes(String scalar) {
        var problem = refused("a: " + scalar);

        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_YAML);
        assertThat(problem.message()).startsWith("line 1, column 4: ").contains("tag");
        assertThat(problem.hint()).isNotNull();
    }

    @Test
    void shouldReadQuotedAndBlockScalarsAsText() {
        assertThat(yaml("[ 'yes', \"12\", 'it''s', \"\\x41\\u00e9\\U0001F600\\/\", '' ]"))
                .isEqualTo("[\"yes\",\"12\",\"it's\",\"Aé😀/\",\"\"]");
        assertThat(yaml("a: |\n  12\nb: >-\n  one\n  two\n\n  three\nc: |+\n  x\n\n"))
                .isEqualTo("{\"a\":\"12\\n\",\"b\":\"one two\\nthree\",\"c\":\"x\\n\\n\"}");
    }

    @Test
    void shouldReadAbsentValuesAsNull() {
        assertThat(yaml("a:\nb: [ ~, ]\n? c\n")).isEqualTo("{\"a\":null,\"b\":[null],\"c\":null}");
    }

    @Test
    void shouldReadCharactersOutsideTheBasicPlane() {
        assertThat(yaml("😀: [😀, '😀', \"😀\", \"\\ud83d\\ude00\"]"))
                .isEqualTo("{\"😀\":[\"😀\",\"😀\",\"😀\",\"😀\"]}");
    }

    @Test
    void shouldRejectHalfASurrogatePair() {
        assertThat(refused("a: \"\\ud83d\"").message()).contains("half a surrogate pair");
        assertThat(refused("\"\\udc00\": a").message()).contains("half a surrogate pair");
    }
}
