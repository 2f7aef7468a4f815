package dev.strake.serdes.text;

import static dev.strake.serdes.text.ReadText.refused;
import static dev.strake.serdes.text.ReadText.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expects the answers of PyYAML 6.0.3's safe loader, but keeps the digits of decimal numbers. */
class YamlScalarsTest {

    @ParameterizedTest
    @CsvSource({
        "yes, true",
        "Yes, true",
        "YES, true",
        "on, true",
        "true, true",
        "True, true",
        "no, false",
        "NO, false",
        "off, false",
        "Off, false",
        "FALSE, false",
        "~, null",
        "null, null",
        "Null, null",
        "NULL, null",
    })
    void shouldReadWordsOfYamlOneOne(String scalar, String json) {
        assertThat(yaml("a: " + scalar)).isEqualTo("{\"a\":" + json + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "y",
                "n",
                "Y",
                "N",
                "yEs",
                "tRUE",
                "nUll",
                "oN",
                "0o17",
                "08",
                "09",
                "1e3",
                "1.5e3",
                "-.5",
                "+.5",
                "._5",
                "1:60",
                "0:0",
                "00:30",
                "00:30.x",
                "+.nan",
                "0xg",
                "0b2",
                "a#b",
                "=",
                "<<",
                "+",
                ".",
                "..",
                "1.2.3",
                "192.168.1.1",
                "2015-01-01",
                "2001-12-14t21:59:43.10-05:00",
                "1,000",
                "_1",
                "-_1",
                "1.5e+",
                "12e+3",
                "+",
                "0x1.8",
                "1:2e",
                "é",
                "1 2",
                ".e+1"
            })
    void shouldLeaveTextAsText(String scalar) {
        assertThat(yaml("a: " + scalar)).isEqualTo("{\"a\":\"" + scalar + "\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "+12, 12",
        "-7, -7",
        "1_000, 1000",
        "1_, 1",
        "1__2, 12",
        "0644, 420",
        "012, 10",
        "00, 0",
        "-017, -15",
        "0_7, 7",
        "0x1F, 31",
        "+0x1f, 31",
        "-0xA_b, -171",
        "0b101, 5",
        "-0b1_1, -3",
        "1:2, 62",
        "12:30, 750",
        "12:30:45, 45045",
        "-1:30, -90",
        "1_0:5, 605",
        "123456789012345678901234567890, 123456789012345678901234567890",
        "0xffffffffffffffffffffffff, 79228162514264337593543950335",
    })
    void shouldReadIntegersOfAnySizeAndBase(String scalar, String json) {
        assertThat(yaml("a: " + scalar)).isEqualTo("{\"a\":" + json + "}");
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1.0",
        "1.50, 1.50",
        ".5, 0.5",
        "1., 1.0",
        "+1.5, 1.5",
        "-1.5, -1.5",
        "1_0.5, 10.5",
        "1._5, 1.5",
        "0., 0.0",
        "00.5, 0.5",
        "0_.5, 0.5",
        "-0.0, -0.0",
        "1.5e+3, 1.5e+3",
        "1.e-3, 1.0e-3",
        ".5E+10, 0.5E+10",
        "1.0e+999, 1.0e+999",
        "3.14159265358979323846264338327950288, 3.14159265358979323846264338327950288",
        "190:20:30.15, 685230.15",
        "1:30., 90.0",
        "-1:30.5, -90.5",
        "01:30.5, 90.5",
    })
    void shouldKeepEveryDigitOfDecimalNumbers(String scalar, String json) {
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
    @CsvSource(
            delimiter = '|',
            value = {
                "!!str 12 | \"12\"",
                "!!str yes | \"yes\"",
                "!!str | \"\"",
                "! 12 | \"12\"",
                "! yes | \"yes\"",
                "! a | \"a\"",
                "!!int \"12\" | 12",
                "!!int 0x1f | 31",
                "!!int 1:30 | 90",
                "!!float 1 | 1.0",
                "!!float 1e3 | 1.0e3",
                "!!float \"-.5\" | -0.5",
                "!!float 1_0 | 10.0",
                "!!float 1:30.5 | 90.5",
                "!!bool yEs | true",
                "!!bool \"off\" | false",
                "!!null anything | null",
                "!!null | null",
                "!!map {} | {}",
                "!!seq [] | []",
                "!<tag:yaml.org,2002:str> 12 | \"12\"",
            })
    void shouldHonourStandardTags(String scalar, String json) {
        assertThat(yaml("a: " + scalar)).isEqualTo("{\"a\":" + json + "}");
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
