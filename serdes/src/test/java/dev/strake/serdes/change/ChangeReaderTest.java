package dev.strake.serdes.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.text.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeReaderTest {

    private static final String PUT = "dev.strake.bucket.put";
    private static final String DELETE = "dev.strake.documents.delete";
    private static final String ROLLBACK = "dev.strake.revision.rollback";
    private static final String TAG = "dev.strake.revision.tag";
    private static final String VALIDATION = "dev.strake.validation.put";
    private static final String UNTAG = "dev.strake.revision.untag";

    @Test
    void shouldReadDocumentsOfEveryForm() throws RejectedChangeException {
        String yaml = document("a") + "---\n" + document("b");
        String json = "[" + jsonDocument("a") + "," + jsonDocument("b") + "]";

        for (String text : List.of(yaml, json)) {
            Change change = read(PUT, text);

            assertThat(change).isInstanceOf(Change.BucketPut.class);
            assertThat(((Change.BucketPut) change).documents())
                    .extracting(Document::id)
                    .containsExactly(id("a"), id("b"));
        }
        assertThat(((Change.DocumentsPut) read("dev.strake.documents.put", jsonDocument("c"))).documents())
                .hasSize(1);
    }

    @Test
    void shouldReadAnEmptyValueAndATombstoneAsNoDocuments() throws RejectedChangeException {
        assertThat(((Change.BucketPut) read(PUT, "")).documents()).isEmpty();
        assertThat(((Change.BucketPut) read(PUT, "---\n# nothing\n")).documents())
                .isEmpty();
        assertThat(((Change.BucketPut) reader().read(envelope(PUT), List.of(Payload.of(null)))).documents())
                .isEmpty();
    }

    @Test
    void shouldConcatenateParts() throws RejectedChangeException {
        Change change =
                reader().read(envelope(PUT), payloads(List.of(document("a"), "", "[" + jsonDocument("b") + "]")));

        assertThat(((Change.BucketPut) change).documents())
                .extracting(Document::id)
                .containsExactly(id("a"), id("b"));
    }

    @Test
    void shouldReportAllProblemsOfAllDocumentsWithPositions() {
        String broken = document("b").replace("storagePolicy: cleartext", "storagePolicy: none") + "extra: 1\n";

        List<Problem> problems = problems(PUT, document("a") + "---\n" + broken + "---\n- 1\n");

        assertThat(problems).extracting(Problem::code).containsOnly(ProblemCode.INVALID_DOCUMENT_FORMAT);
        assertThat(problems)
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(".extra", ".metadata.storagePolicy", null);
        assertThat(problems)
                .filteredOn(problem -> ".metadata.storagePolicy".equals(problem.path()))
                .extracting(Problem::location)
                .containsExactly(new Location("change", 14, 3));
    }

    @Test
    void shouldNumberDocumentsWithoutAnIdentity() {
        List<Problem> problems = problems(PUT, document("a") + "---\ndata: {}\n---\n- 1\n---\nschema: a/B/v1\n");

        assertThat(problems)
                .extracting(Problem::describe)
                .containsExactlyInAnyOrder(
                        "change:10:1: InvalidDocumentFormat: .schema of document 2 is missing",
                        "change:10:1: InvalidDocumentFormat: .metadata of document 2 is missing",
                        "change:12:3: InvalidDocumentFormat: document 3: a document has to be a mapping with the keys"
                                + " schema, metadata and data, but this is an integer",
                        "change:14:1: InvalidDocumentFormat: [a/B/v1, , ] .metadata is missing");
        assertThat(problems)
                .extracting(Problem::document)
                .filteredOn(id -> id != null)
                .hasSize(1);
    }

    @Test
    void shouldRejectADocumentThatIsInAChangeTwice() {
        List<Problem> problems = problems(PUT, List.of(document("a"), document("b") + "---\n" + document("a")));

        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).code()).isEqualTo(ProblemCode.DUPLICATE_DOCUMENT_EXISTS);
        assertThat(problems.get(0).document()).isEqualTo(id("a"));
        assertThat(problems.get(0).message()).contains("first at part 1:1");
        assertThat(problems.get(0).location()).isEqualTo(new Location("part 2", 10, 1));
    }

    @Test
    void shouldReportAtMostAHundredProblems() {
        List<Problem> problems = problems(PUT, "--- 1\n".repeat(250));

        assertThat(problems).hasSize(101);
        assertThat(problems.get(100).message()).isEqualTo("150 more problems are not listed here");
    }

    @Test
    void shouldNameThePartWithInvalidYaml() {
        List<Problem> problems = problems(PUT, List.of(document("a"), "a: b: c"));

        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.INVALID_YAML);
        assertThat(problems.get(0).location()).isEqualTo(new Location("part 2", 1, 5));
    }

    @Test
    void shouldApplyLimitsToAllPartsTogether() {
        Limits small = new Limits(
                new Limits.OfChange(1000, 6_000_000, 3, 1_000), new Limits.OfDocument(500, 64, 1000, 1_000_000));
        ChangeReader reader = new ChangeReader(small);

        List<List<Payload>> changes = List.of(
                payloads(List.of("# " + "x".repeat(500), "# " + "x".repeat(500))),
                payloads(List.of("--- 1\n--- 2\n", "--- 3\n--- 4\n")),
                payloads(List.of("- &a " + "x".repeat(400) + "\n", "- &a " + "x".repeat(100) + "\n- [*a, *a, *a]\n")),
                List.of(payload("x".repeat(400), "[\"" + "y".repeat(700) + "\"]")));

        assertThat(problems(reader, PUT, changes.get(3)).get(0).message())
                .as("origins count, too")
                .contains("more than 1000 bytes in all parts");
        assertThat(problems(reader, PUT, changes.get(0)).get(0).message())
                .contains("more than 1000 bytes in all parts");
        assertThat(problems(reader, PUT, changes.get(1)).get(0).message()).contains("more than 3 documents");
        assertThat(problems(reader, PUT, changes.get(0)).get(0).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(problems(reader, PUT, changes.get(2)).get(0).code()).isEqualTo(ProblemCode.INVALID_DOCUMENT_FORMAT);
    }

    @Test
    void shouldCountKeysAndValuesOfAllPartsTogetherWhileReading() throws RejectedChangeException {
        Limits few =
                new Limits(new Limits.OfChange(1 << 20, 302, 100, 10), new Limits.OfDocument(1 << 20, 64, 1000, 1_000));
        String many = "- [" + "1,".repeat(98) + "1]\n"; // 100 with the list itself; the top-level list counts, too

        List<Problem> problems =
                problems(new ChangeReader(few), PUT, payloads(List.of(many.repeat(2), many.repeat(2))));

        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(problems.get(0).message()).contains("more than 302 keys and values");
        assertThat(problems.get(0).hint()).isEqualTo("put them in several changes");
        assertThat(problems.get(0).location()).isEqualTo(new Location("part 2", 2, 3));
        assertThat(problems(new ChangeReader(few), PUT, payloads(List.of(many.repeat(2), many)))
                        .get(0)
                        .code())
                .isEqualTo(ProblemCode.INVALID_DOCUMENT_FORMAT);
    }

    @Test
    void shouldReadTheOriginOfEachDocument() throws RejectedChangeException {
        Change change = reader().read(
                        envelope(PUT),
                        List.of(
                                payload(
                                        "[" + jsonDocument("a") + "," + jsonDocument("b") + "]",
                                        "[\"a.yaml:1@c0ffee\", \"\"]"),
                                payload(document("c"), ""),
                                payload("---\n" + document("d"), "[\"d.yaml:2\"]")));

        assertThat(((Change.BucketPut) change).documents())
                .extracting(document -> document.origin().orElse("?"))
                .containsExactly("a.yaml:1@c0ffee", "?", "?", "d.yaml:2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"[]; 0", "['x']; 1", "['x','y','z']; 3"})
    void shouldRejectAnotherNumberOfOriginsThanDocuments(String origins, int count) {
        Payload two = payload("[" + jsonDocument("a") + "," + jsonDocument("b") + "]", origins.replace('\'', '"'));

        assertThat(problems(reader(), PUT, List.of(payload("", "[]"), two)))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_CHANGE);
                    assertThat(problem.message())
                            .isEqualTo("the header origins has " + count + " items, but the part 2 has 2 documents");
                    assertThat(problem.hint()).contains("one text for each document");
                });
    }

    @Test
    void shouldReadIdentitiesToDelete() throws RejectedChangeException {
        Change change = read(DELETE, """
                - {schema: a/B/v1, layer: site, name: x}
                - {schema: a/B/v1, layer: ~, name: y}
                - {schema: a/B/v1, name: y}
                """);

        assertThat(((Change.DocumentsDelete) change).documents())
                .containsExactly(new DocumentId("a/B/v1", "site", "x"), new DocumentId("a/B/v1", "", "y"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "[1]",
                "- {schema: a}",
                "- {name: a}",
                "- {schema: 1, name: a}",
                "- {schema: a, name: []}",
                "- {schema: a, name: b, layer: 1}",
                "- {schema: a, name: b, metadata: {}}",
                "- []",
                "- ~"
            })
    void shouldRejectInvalidIdentities(String text) {
        assertThat(problems(DELETE, text)).extracting(Problem::code).containsOnly(ProblemCode.INVALID_CHANGE);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "12, 12", "999999999999999999, 999999999999999999", "010, 8"})
    void shouldReadTheRevisionToGoBackTo(String text, long revision) throws RejectedChangeException {
        assertThat(((Change.Rollback) read(ROLLBACK, "revision: " + text)).revision())
                .isEqualTo(revision);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "~",
                "[]",
                "12",
                "{}",
                "revision:",
                "revision: -1",
                "revision: '1'",
                "revision: 1.0",
                "revision: yes",
                "revision: 9999999999999999999",
                "revision: [1]",
                "{revision: 1, force: yes}",
                "revision: 1\n---\nrevision: 2",
                "[{revision: 1}, {revision: 2}]"
            })
    void shouldRejectInvalidRollbacks(String text) {
        assertThat(problems(ROLLBACK, text)).extracting(Problem::code).containsExactly(ProblemCode.INVALID_CHANGE);
    }

    @Test
    void shouldReadTags() throws RejectedChangeException {
        Change.Tag tag = (Change.Tag) read(TAG, "{\"revision\": 3, \"tag\": \"rc-1.0_x\", \"data\": {\"k\": 1.0}}");

        assertThat(tag.revision()).isEqualTo(3);
        assertThat(tag.tag()).isEqualTo("rc-1.0_x");
        assertThat(tag.data()).isEqualTo(MapValue.of("k", Num.ofLiteral("1.0")));
        assertThat(((Change.Tag) read(TAG, "revision: 3\ntag: a\ndata:\n")).data())
                .isEqualTo(MapValue.EMPTY);
        assertThat(((Change.Untag) read(UNTAG, "revision: 3\ntag: " + "a".repeat(64))).tag())
                .hasSize(64);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "revision: 1 | .tag",
                "{revision: 1, tag: ''} | .tag",
                "{revision: 1, tag: 1} | .tag",
                "{revision: 1, tag: 'a b'} | .tag",
                "{revision: 1, tag: a/b} | .tag",
                "{revision: 1, tag: a, data: [1]} | .data",
                "{revision: 1, tag: a, data: x} | .data"
            })
    void shouldRejectInvalidTags(String text, String path) {
        for (String type : List.of(TAG, UNTAG)) {
            List<Problem> problems = problems(type, text);
            assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.REVISION_TAG_BAD_FORMAT);
            assertThat(problems).extracting(Problem::path).containsExactly(path);
        }
    }

    @Test
    void shouldRejectTagsThatAreTooLongOrHaveUnknownFields() {
        assertThat(problems(TAG, "{revision: 1, tag: " + "a".repeat(65) + "}")
                        .get(0)
                        .code())
                .isEqualTo(ProblemCode.REVISION_TAG_BAD_FORMAT);
        assertThat(problems(TAG, "{revision: 1, tag: a, more: b}").get(0).code())
                .isEqualTo(ProblemCode.INVALID_CHANGE);
    }

    @Test
    void shouldReadResultsOfValidations() throws RejectedChangeException {
        Change.ValidationPut put = (Change.ValidationPut) read(VALIDATION, """
                revision: 3
                name: promenade-site-validation
                status: failure
                validator: {name: promenade, version: 1.1.2}
                errors:
                - documents: [{schema: promenade/Node/v1, name: n}]
                  message: no master
                """);

        assertThat(put.revision()).isEqualTo(3);
        assertThat(put.result(7).time()).isEqualTo(7);
        assertThat(put.result(7).name()).isEqualTo("promenade-site-validation");
        assertThat(put.result(7).status()).isEqualTo("failure");
        assertThat(put.result(7).validator().text("version")).isEqualTo("1.1.2");
        assertThat(put.result(7).errors())
                .singleElement()
                .satisfies(error -> assertThat(error.text("message")).isEqualTo("no master"));
        String least = "{revision: 3, name: a, status: success, validator: {name: a}, errors: ~}";
        assertThat(((Change.ValidationPut) read(VALIDATION, least)).errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: a, status: b, validator: {name: c}} | .revision",
                "{revision: 1, status: b, validator: {name: c}} | .name",
                "{revision: 1, name: a/b, status: b, validator: {name: c}} | .name",
                "{revision: 1, name: detail, status: b, validator: {name: c}} | .name",
                "{revision: 1, name: a, validator: {name: c}} | .status",
                "{revision: 1, name: a, status: '', validator: {name: c}} | .status",
                "{revision: 1, name: a, status: true, validator: {name: c}} | .status",
                "{revision: 1, name: a, status: b} | .validator",
                "{revision: 1, name: a, status: b, validator: {}} | .validator",
                "{revision: 1, name: a, status: b, validator: c} | .validator",
                "{revision: 1, name: a, status: b, validator: {name: c}, errors: x} | .errors",
                "{revision: 1, name: a, status: b, validator: {name: c}, errors: [x]} | .errors",
                "{revision: 1, name: a, status: b, validator: {name: c}, errors: [{documents: []}]} | .errors",
                "{revision: 1, name: a, status: b, validator: {name: c}, more: d} |"
            })
    void shouldRejectInvalidResults(String text, String path) {
        List<Problem> problems = problems(VALIDATION, text);
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.INVALID_CHANGE);
        assertThat(problems).extracting(Problem::path).containsExactly(path);
    }

    @Test
    void shouldReadOnlyAnEmptyDeletionOfAWorkspace() throws RejectedChangeException {
        String type = "dev.strake.workspace.delete";
        assertThat(read(type, "")).isInstanceOf(Change.WorkspaceDelete.class);
        assertThat(problems(type, "{revision: 1}").get(0).code()).isEqualTo(ProblemCode.INVALID_CHANGE);
    }

    private static Change read(String type, String text) throws RejectedChangeException {
        return reader().read(envelope(type), payloads(List.of(text)));
    }

    private static ChangeReader reader() {
        return new ChangeReader(Limits.DEFAULT);
    }

    private static ChangeEnvelope envelope(String type) {
        return ChangeEnvelope.read("ws", ChangeEnvelopeTest.headers("ce_type", type), "t", 0, 0, 0, Limits.DEFAULT)
                .envelope();
    }

    private static List<Problem> problems(String type, String text) {
        return problems(type, List.of(text));
    }

    private static List<Problem> problems(String type, List<String> parts) {
        return problems(reader(), type, payloads(parts));
    }

    private static List<Problem> problems(ChangeReader reader, String type, List<Payload> parts) {
        try {
            return fail("not rejected: %s", reader.read(envelope(type), parts));
        } catch (RejectedChangeException e) {
            return e.problems();
        }
    }

    private static DocumentId id(String name) {
        return new DocumentId("example/Kind/v1", "site", name);
    }

    private static String document(String name) {
        return """
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: %s
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data:
              k: v
            """.formatted(name);
    }

    private static String jsonDocument(String name) {
        return "{\"schema\":\"example/Kind/v1\",\"metadata\":{\"schema\":\"metadata/Document/v1\",\"name\":\"" + name
                + "\",\"storagePolicy\":\"cleartext\",\"layeringDefinition\":{\"layer\":\"site\"}},\"data\":{}}";
    }

    private static List<Payload> payloads(List<String> parts) {
        return parts.stream().map(part -> Payload.of(bytes(part))).toList();
    }

    private static Payload payload(String value, String origins) {
        return Payload.of(bytes(value), bytes(origins));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
