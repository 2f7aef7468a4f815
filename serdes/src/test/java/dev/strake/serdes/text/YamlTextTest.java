package dev.strake.serdes.text;

import static dev.strake.serdes.text.ReadText.bytes;
import static dev.strake.serdes.text.ReadText.lines;
import static dev.strake.serdes.text.ReadText.refused;
import static dev.strake.serdes.text.ReadText.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTextTest {

    @Test
    void shouldReadEveryDocumentOfAStream() {
        assertThat(yaml("a: 1\n---\nb: 2\n...\n---\n- c\n")).isEqualTo("{\"a\":1}\n{\"b\":2}\n[\"c\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n \n", "# only a comment\n", "---\n", "---\n---\n", "---\n# comment\n---\n...\n", "\uFEFF"
            })
    void shouldFindNoDocumentWhereThereIsNoContent(String text) {
        assertThat(yaml(text)).isEmpty();
    }

    @Test
    void shouldSkipEmptyDocumentsBetweenOthers() {
        assertThat(yaml("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n---\n")).isEqualTo("{\"a\":1}\n{\"b\":2}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "null", "---\n~\n", "--- !!null\n", "--- &a\n"})
    void shouldReadAWrittenNullAsADocument(String text) {
        assertThat(yaml(text)).isEqualTo("null");
    }

    @Test
    void shouldKeepKeysAsWritten() {
        assertThat(yaml("{1: a, 1.0: b, 0644: c, yes: d, ~: e, 2001-01-01: f, '': g, !!str 7: h}"))
                .isEqualTo(
                        "{\"1\":\"a\",\"1.0\":\"b\",\"0644\":\"c\",\"yes\":\"d\",\"~\":\"e\",\"2001-01-01\":\"f\",\"\":\"g\",\"7\":\"h\"}");
    }

    @Test
    void shouldGiveEachAliasItsValue() {
        assertThat(yaml("a: &x {k: [1]}\nb: *x\nc: [*x, &y yes, *y]\n*y : d\n"))
                .isEqualTo("{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":[{\"k\":[1]},true,true],\"yes\":\"d\"}");
    }

    @Test
    void shouldMergeMappingsBeforeOwnKeys() {
        assertThat(yaml("base: &b {k: 1, l: 2}\nown: {m: 0, <<: *b, l: 3}\n"))
                .isEqualTo("{\"base\":{\"k\":1,\"l\":2},\"own\":{\"k\":1,\"l\":3,\"m\":0}}");
    }

    @Test
    void shouldPreferEarlierMappingsOfAMergedList() {
        assertThat(yaml("<<: [{a: 1, b: 1}, {b: 2, c: 2}]\na: 9\nz: 1\n"))
                .isEqualTo("{\"b\":1,\"c\":2,\"a\":9,\"z\":1}");
    }

    @Test
    void shouldReadAQuotedMergeKeyAsAPlainKey() {
        assertThat(yaml("'<<': {a: 1}")).isEqualTo("{\"<<\":{\"a\":1}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<<: 1", "<<: [{a: 1}, 2]", "<<:", "a: &x 1\n<<: *x"})
    void shouldRejectMergesOfOtherThanMappings(String text) {
        assertThat(refused(text).message()).contains("merge");
    }

    /* Recorded answers of PyYAML 6, except for keys that become equal texts only here. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a: 1\nb: 2\na: 3' | {'a':3,'b':2} | .a at 3:1 replaces 1:1",
                "{x: 1, y: 2, x: 3} | {'x':3,'y':2} | .x at 1:14 replaces 1:2",
                "'1: a\n\"1\": b' | {'1':'b'} | .1 at 2:1 replaces 1:1",
                "'yes: a\n\"yes\": b' | {'yes':'b'} | .yes at 2:1 replaces 1:1",
                "'&k a: 1\n*k : 2' | {'a':2} | .a at 2:1 replaces 1:1",
                "'a:\n- b: {}\n- b: {c: 1, d: 2, c: {e: 1, e: 2}}' | {'a':[{'b':{}},{'b':{'c':{'e':2},'d':2}}]} | .a[1].b.c at 3:19 replaces 3:7; .a[1].b.c.e at 3:29 replaces 3:23",
                "'a: {x: 1}\na: {y: 2}' | {'a':{'y':2}} | .a at 2:1 replaces 1:1",
                "'a: 1\na: 2\na: 3' | {'a':3} | .a at 2:1 replaces 1:1; .a at 3:1 replaces 2:1",
                "'<<: {a: 1, b: 1}\n<<: {a: 2, c: 2}' | {'a':2,'b':1,'c':2} | .<< at 2:1 replaces 1:1",
                "'<<: {a: 1, a: 2}\nb: 3' | {'a':2,'b':3} | .<<.a at 1:12 replaces 1:6",
                "'<<: {a: 1, b: 1}\na: 2\na: 3' | {'a':3,'b':1} | .a at 3:1 replaces 2:1",
                "'a: 1\n<<: {a: 2}' | {'a':1} | ''",
            })
    void shouldUseTheLastOfEqualKeysAndReportBothPositions(String text, String json, String warnings)
            throws UnreadableTextException {
        String unescaped = text.replace("\\n", "\n");
        List<ReadDocument> read =
                new DocumentReader(Limits.DEFAULT).readTrees(bytes(unescaped), TextFormat.YAML, "text");

        assertThat(lines(read)).isEqualTo(json.replace('\'', '"'));
        assertThat(read.get(0).warnings())
                .allSatisfy(warning -> assertThat(warning.code()).isEqualTo(ProblemCode.DUPLICATE_KEY))
                .extracting(YamlTextTest::shown)
                .isEqualTo(warnings.isEmpty() ? List.of() : List.of(warnings.split("; ")));
    }

    private static String shown(Problem warning) {
        String message = warning.message()
                .replaceFirst(
                        ".*: the value at line (\\d+), column (\\d+) replaces that at line (\\d+), column (\\d+)",
                        "$1:$2 replaces $3:$4");
        assertThat(message)
                .startsWith(warning.location().line() + ":" + warning.location().column() + " ");
        return warning.path() + " at " + message;
    }

    @Test
    void shouldLimitWarningsOfEqualKeys() throws UnreadableTextException {
        List<ReadDocument> read = new DocumentReader(Limits.DEFAULT)
                .readTrees(bytes("a: 1\n".repeat(1_000) + "---\na: 1\na: 2\n"), TextFormat.YAML, "text");

        assertThat(read.get(0).warnings()).hasSize(100);
        assertThat(read.get(1).warnings()).isEmpty();
        assertThat(lines(read)).isEqualTo("{\"a\":1}\n{\"a\":2}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"? [a]\n: b", "? {a: 1}\n: b", "{[a]: b}", "a: &x [1]\n*x : b"})
    void shouldRejectKeysThatAreNotScalars(String text) {
        assertThat(refused(text).message()).contains("cannot be a key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"&a [*a]", "a: &x {b: {c: *x}}", "&a {<<: *a}"})
    void shouldRejectRecursiveAliases(String text) {
        assertThat(refused(text).message()).contains("an alias is inside its own anchor");
    }

    @Test
    void shouldRejectTagDirectives() {
        assertThat(refused("%TAG !e! tag:example.org,2000:\n---\na: 1\n").message())
                .contains("tag directives");
    }

    @Test
    void shouldRejectDirectivesWithoutADocument() {
        assertThat(refused("%YAM 1.1 --- a: 1\n").message()).contains("directives are not followed by a document");
    }

    @Test
    void shouldAcceptAYamlDirective() {
        assertThat(yaml("%YAML 1.1\n---\na: 0644\n%YAML 1.2\n"
                        .replace("%YAML 1.2\n", "...\n%YAML 1.2\n---\nb: 0644\n")))
                .isEqualTo("{\"a\":420}\n{\"b\":420}");
    }

    @Test
    void shouldReportWhereAndWhyYamlIsInvalid() {
        Problem problem = refused("a: 1\nb: c: d\n");

        assertThat(problem.location()).isEqualTo(new Location("text", 2, 5));
        assertThat(problem.message())
                .isEqualTo("line 2, column 5: this is not YAML: mapping values are not allowed here");
        assertThat(problem.hint()).contains("indentation");
    }

    @Test
    void shouldReportWhereAnUnfinishedScalarStarts() {
        assertThat(refused("a: 1\nb: \"c\n\n").message())
                .isEqualTo("line 4, column 1: this is not YAML: found unexpected end of stream, "
                        + "while scanning a quoted scalar that starts at line 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: \"hunter2",
                "a: @hunter2",
                "a: *hunter2",
                "a: !hunter2!x y",
                "a: !hunter2 y",
                "a: \"\\hunter2\"",
                "a: |hunter2\n",
                "%TAG hunter2",
                "a: hunter2: b",
                "a: [hunter2",
                "a: {hunter2: [}",
                "a: !!int hunter2",
                "? {hunter2: 1}\n: 2",
                "a: %hunter2",
                "a: `hunter2`",
                "\thunter2",
                "hunter2\nb: 1",
                "<<: hunter2",
                "&hunter2 [*hunter2]",
                "%TAG !hunter2! a\n%TAG !hunter2! b\n---\n",
                "a: !<hunter2",
                "a: \"\\Uhunter2\"",
                "a: \"\\uD800hunter2\""
            })
    void shouldNeverQuoteTheText(String text) {
        assertThat(refused(text).describe()).doesNotContain("hunter").doesNotContain("unte");
    }

    @Test
    void shouldRejectControlCharactersWithTheirPosition() {
        assertThat(refused("a: 1\nb: x\u0001y\n").message())
                .isEqualTo("line 2, column 5: the character U+0001 is not allowed in YAML");
    }

    @Test
    void shouldRejectTextThatIsNotUtf8WithItsPosition() {
        byte[] text = bytes("a: é\nb: ?\n");
        text[text.length - 2] = (byte) 0xC3;

        Problem problem = refused(text, TextFormat.YAML, Limits.DEFAULT);

        assertThat(problem.message()).isEqualTo("line 2, column 4: the text is not valid UTF-8");
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_YAML);
    }

    @Test
    void shouldRejectATextThatEndsInsideACharacter() {
        assertThat(refused(new byte[] {'a', (byte) 0xE2, (byte) 0x82}, TextFormat.YAML, Limits.DEFAULT)
                        .message())
                .isEqualTo("line 1, column 2: the text is not valid UTF-8");
    }
}
