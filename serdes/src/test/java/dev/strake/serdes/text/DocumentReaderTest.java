package dev.strake.serdes.text;

import static dev.strake.serdes.text.ReadText.bytes;
import static dev.strake.serdes.text.ReadText.json;
import static dev.strake.serdes.text.ReadText.lines;
import static dev.strake.serdes.text.ReadText.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentReaderTest {

    private final DocumentReader reader = new DocumentReader(Limits.DEFAULT);

    @Test
    void shouldKeepJsonAsItIsWritten() {
        String text =
                "{\"b\":[1.0,1e3,-0,12345678901234567890123,1.50E-7],\"a\":\"\\u00e9/😀\",\"n\":null,\"t\":true,\"f\":false,\"\":{}}";

        assertThat(json(text, TextFormat.JSON)).isEqualTo(text.replace("\\u00e9", "é"));
    }

    @Test
    void shouldReadAStreamWithEmptyDocumentsAsPyYamlDoes() throws Exception {
        for (Map.Entry<String, String> each : Map.of(
                        "", "",
                        "# nothing\n", "",
                        "a: 1\n---\n", "{\"a\":1} null",
                        "---\n---\n", "null null",
                        "[1, {}]\n", "[1,{}]",
                        "---\na: 1\n...\n---\nb: 2\n", "{\"a\":1} {\"b\":2}")
                .entrySet()) {
            assertThat(reader.readStream(bytes(each.getKey()), "body").stream()
                            .map(read -> JsonBytes.text(read.value()))
                            .collect(Collectors.joining(" ")))
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,}",
                "[1,]",
                "{'a':1}",
                "{a:1}",
                "// c\n{}",
                "/* c */ {}",
                "[NaN]",
                "[Infinity]",
                "[+1]",
                "[.5]",
                "[1.]",
                "[01]",
                "[0x1]",
                "[TRUE]",
                "[hunter2]",
                "{} {}",
                "{} x",
                "[1] 2",
                "[",
                "{\"a\"",
                "\"hunter2",
                "[\"\t\"]",
                "[\"\\x\"]",
                "[\"\\ud800\"]",
                "{\"\\udc00\":1}",
                "-",
                "[1 2]",
                "]",
                "{]",
                "tru",
                "[\"a\u0000\"]",
                "\u0000"
            })
    void shouldReadJsonStrictlyAndNeverQuoteIt(String text) {
        Problem problem = refused(bytes(text), TextFormat.JSON, Limits.DEFAULT);

        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_YAML);
        assertThat(problem.message()).startsWith("line 1, column ").doesNotContain("hunter");
    }

    @Test
    void shouldReportWhereJsonIsInvalid() {
        Problem problem = refused(bytes("{\n  \"a\": 1,\n  \"b\": }\n"), TextFormat.JSON, Limits.DEFAULT);

        assertThat(problem.message()).isEqualTo("line 3, column 8: this is not JSON");
        assertThat(problem.location()).isEqualTo(new Location("text", 3, 8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\": 1e3} | {\"a\":1e3}",
                "  [1e3] | [1e3]",
                "{a: 1e3} | {\"a\":\"1e3\"}",
                "[yes, ] | [true]",
                "a: 0644 | {\"a\":420}",
                "{\"a\": 0644} | {\"a\":420}",
                "\"a\" | \"a\"",
                "{\"a\": on} | {\"a\":true}"
            })
    void shouldDetectJsonAndYaml(String text, String read) {
        assertThat(json(text, TextFormat.DETECTED)).isEqualTo(read);
    }

    @Test
    void shouldReadJsonAsYamlIfDeclaredSo() {
        assertThat(json("{\"a\": 1e3}", TextFormat.YAML)).isEqualTo("{\"a\":\"1e3\"}");
    }

    @Test
    void shouldRejectEqualKeysInDeclaredAndDetectedJson() {
        String text = "{\"a\":1,\n \"b\":{\"c\":1, \"c\":1e3}}";

        for (TextFormat format : List.of(TextFormat.JSON, TextFormat.DETECTED)) {
            Problem problem = refused(bytes(text), format, Limits.DEFAULT);

            assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_YAML);
            assertThat(problem.message()).isEqualTo("line 2, column 14: the mapping has this key already");
        }
    }

    @Test
    void shouldUseTheLastOfEqualKeysInTextThatOnlyStartsLikeJson() {
        assertThat(json("{\"a\":1, \"a\":2, b: 3}", TextFormat.DETECTED)).isEqualTo("{\"a\":2,\"b\":3}");
    }

    @Test
    void shouldNotTryYamlWhereJsonExceedsALimit() {
        Problem problem = refused(bytes("[".repeat(70) + "]".repeat(70)), TextFormat.DETECTED, Limits.DEFAULT);

        assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
    }

    @Test
    void shouldReadAListAsDocuments() throws UnreadableTextException {
        List<ReadDocument> read = reader.readDocuments(bytes("[{\"a\":1},\n {\"b\":[2]}]"), TextFormat.JSON, "text");

        assertThat(lines(read)).isEqualTo("{\"a\":1}\n{\"b\":[2]}");
        assertThat(read).extracting(document -> document.location().line()).containsExactly(1, 2);
        assertThat(lines(reader.readDocuments(bytes("- a: 1\n- b: 2\n---\nc: 3\n"), TextFormat.YAML, "text")))
                .isEqualTo("{\"a\":1}\n{\"b\":2}\n{\"c\":3}");
        assertThat(lines(reader.readDocuments(bytes("[]"), TextFormat.DETECTED, "text")))
                .isEmpty();
    }

    @Test
    void shouldIgnoreAByteOrderMark() {
        assertThat(json("\uFEFF{\"a\":1}", TextFormat.JSON)).isEqualTo("{\"a\":1}");
        assertThat(json("\uFEFFa: 1", TextFormat.DETECTED)).isEqualTo("{\"a\":1}");
    }

    @Test
    void shouldAcceptAWrittenReplacementCharacterButNotInvalidUtf8() {
        assertThat(json("a: \uFFFD", TextFormat.YAML)).isEqualTo("{\"a\":\"\uFFFD\"}");
        assertThat(refused(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, TextFormat.JSON, Limits.DEFAULT)
                        .message())
                .contains("not valid UTF-8");
    }

    @Test
    void shouldFindNoDocumentInBlankJson() {
        assertThat(json(" \n ", TextFormat.JSON)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "application/x-yaml, YAML",
        "text/yaml, YAML",
        "Application/JSON, JSON",
        "'application/json; charset=\"UTF-8\"', JSON",
        "'application/json; charset=latin-1',",
        "text/plain,",
        "'',",
    })
    void shouldKnowContentTypes(String contentType, TextFormat format) {
        assertThat(TextFormat.ofContentType(contentType).orElse(null)).isEqualTo(format);
    }

    @Test
    void shouldReadBackTheBytesItWrote() {
        byte[] bytes = bytes("{\"b\":[1.0,\"\\u0001\\\"\"],\"a\":{}}");

        assertThat(JsonBytes.of(JsonReader.read(bytes))).isEqualTo(bytes);
    }

    @Test
    void shouldLocateOnlyRequestedPaths() throws UnreadableTextException {
        String text = "a: {b: 1, c: [2]}\n---\na:\n  b: [1,\n  2]\n  c: 3\nd: 4\n";

        List<ReadDocument> read = reader.rememberingLines(Map.of(1, Set.of(".a.b[1].x")))
                .readDocuments(bytes(text), TextFormat.YAML, "f.yaml");

        assertThat(read.get(0).places()).isEmpty();
        assertThat(read.get(1).places())
                .containsOnly(
                        Map.entry(".a", new Location("f.yaml", 3, 1)),
                        Map.entry(".a.b", new Location("f.yaml", 4, 3)),
                        Map.entry(".a.b[1]", new Location("f.yaml", 5, 3)));
    }
}
