package dev.strake.serdes.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeEnvelopeTest {

    @Test
    void shouldReadARecordWithoutHeaders() {
        ChangeEnvelope.Reading reading = read(new RecordHeaders());

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.envelope())
                .isEqualTo(new ChangeEnvelope(
                        "site-a",
                        new ChangeEnvelope.Id("strake.document-changes-3-1742", ""),
                        new ChangeEnvelope.Kind(ChangeType.BUCKET_PUT, "dev.strake.bucket.put"),
                        "default",
                        new ChangeEnvelope.Body(ChangeEnvelope.Part.WHOLE, TextFormat.DETECTED),
                        new ChangeEnvelope.Said(Carried.NOTHING, Terms.NONE, Note.NONE),
                        new ChangeEnvelope.Arrival("strake.document-changes-3@1742", 1000)));
    }

    @Test
    void shouldDistinguishIdsOfAuthorsFromPositions() {
        assertThat(read(headers()).envelope().idTopic()).isEmpty();
        assertThat(read(headers("ce_id", "x")).envelope().idTopic()).isNull();
        assertThat(read(headers("ce_id", "t-0-1", "id-topic", "abc")).envelope().idTopic())
                .isEqualTo("abc");
        assertThat(read(headers("ce_id", "t-0-1", "id-topic", "abc", "part", "1/2"))
                        .problems())
                .as("parts that do not find one another")
                .hasSize(1);
    }

    @Test
    void shouldReadEveryHeader() {
        ChangeEnvelope.Reading reading = read(headers(
                "ce_id", "id-1",
                "ce_type", "dev.strake.documents.put",
                "bucket", "global",
                "content-type", "application/json",
                "ce_source", "git:é",
                "ce_time", "2026-01-31T12:00:00Z",
                "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "part", "2/3"));

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.envelope())
                .isEqualTo(new ChangeEnvelope(
                        "site-a",
                        new ChangeEnvelope.Id("id-1", null),
                        new ChangeEnvelope.Kind(ChangeType.DOCUMENTS_PUT, "dev.strake.documents.put"),
                        "global",
                        new ChangeEnvelope.Body(new ChangeEnvelope.Part(2, 3), TextFormat.JSON),
                        new ChangeEnvelope.Said(
                                new Carried(
                                        "git:é",
                                        "2026-01-31T12:00:00Z",
                                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
                                Terms.NONE,
                                Note.NONE),
                        new ChangeEnvelope.Arrival("strake.document-changes-3@1742", 1000)));
    }

    @Test
    void shouldReadTermsAndNoteOfAChange() {
        ChangeEnvelope envelope = read(headers(
                        "dry-run",
                        "true",
                        "expected-revision",
                        "0",
                        "as-deckhand",
                        "true",
                        "author",
                        "Ada <a@b.c>",
                        "message",
                        "why\nand how"))
                .envelope();

        assertThat(envelope.terms()).isEqualTo(new Terms(true, 0L, RemovalLimit.NONE, true));
        assertThat(envelope.note()).isEqualTo(new Note("Ada <a@b.c>", "why\nand how"));
        assertThat(read(headers("dry-run", "false", "expected-revision", "999999999999999999"))
                        .envelope()
                        .terms())
                .isEqualTo(new Terms(false, 999_999_999_999_999_999L, RemovalLimit.NONE, false));
    }

    @Test
    void shouldUseTheLastOfRepeatedHeaders() {
        assertThat(read(headers("bucket", "one", "bucket", "two")).envelope().bucket())
                .isEqualTo("two");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0/2",
                "3/2",
                "x",
                "1",
                "1/",
                "/1",
                "1/0",
                "-1/2",
                "+1/2",
                "01/2",
                "1/2/3",
                " 1/2",
                "1 / 2",
                "99999999999/99999999999"
            })
    void shouldRejectInvalidParts(String part) {
        ChangeEnvelope.Reading reading = read(headers("part", part, "ce_id", "a"));

        assertThat(reading.problems()).extracting(Problem::code).containsExactly(ProblemCode.INVALID_CHANGE);
        assertThat(reading.problems().get(0).message()).startsWith("the header part ");
        assertThat(reading.problems().get(0).hint()).isNotNull();
        assertThat(reading.envelope().part().of()).isEqualTo(1);
    }

    @Test
    void shouldRejectMorePartsThanTheLimit() {
        assertThat(read(headers("part", "1/1000", "ce_id", "a")).problems()).isEmpty();
        assertThat(read(headers("part", "1/1001", "ce_id", "a")).problems())
                .extracting(Problem::code)
                .containsExactly(ProblemCode.LIMIT_EXCEEDED);
    }

    @Test
    void shouldRejectPartsWithoutACommonId() {
        assertThat(read(headers("part", "1/2")).problems().get(0).message()).contains("ce_id is missing");
    }

    @Test
    void shouldNameTheTypesThatAChangeCanHave() {
        assertThat(read(headers("ce_type", "dev.strake.bucket.drop"))
                        .problems()
                        .get(0)
                        .hint())
                .startsWith("use one of dev.strake.bucket.put, dev.strake.documents.put, ")
                .endsWith("dev.strake.workspace.delete");
    }

    @ParameterizedTest
    @CsvSource({
        "ce_type, dev.strake.bucket.drop",
        "bucket, a b",
        "bucket, a|b",
        "content-type, text/plain",
        "content-type, application/json; charset=latin-1",
        "ce_id, ''",
        "bucket, ''",
        "ce_type, ''",
        "part, ''",
        "traceparent, ''",
        "dry-run, yes",
        "dry-run, TRUE",
        "dry-run, ''",
        "expected-revision, -1",
        "expected-revision, head",
        "expected-revision, ''",
        "expected-revision, 9999999999999999999",
        "max-removals, -1",
        "max-removals, 101%",
        "max-removals, '10%,10'",
        "max-removals, '10 %'",
        "max-removals, ''",
        "origins, ''",
        "origins, text",
        "origins, {}",
        "origins, []]",
        "origins, [1]",
        "origins, [null]",
        "origins, [[]]",
        "origins, [\"a\"",
        "origins, [\"\\u001b[31m\"]",
        "origins, [\"\\n\"]",
        "origins, [\"\\ud800\"]",
    })
    void shouldNameTheHeaderThatIsWrong(String header, String value) {
        ChangeEnvelope.Reading reading = read(headers(header, value));

        assertThat(reading.problems()).isNotEmpty();
        assertThat(reading.problems()).allSatisfy(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_CHANGE);
            assertThat(problem.message()).startsWith("the header " + header + " ");
            assertThat(problem.hint()).isNotNull();
        });
    }

    @Test
    void shouldReadOriginsOnlyOfPuts() {
        String origins = "[\"sites/a/d\u00fc.yaml:12@4f2a\", \"\"]";

        assertThat(read(headers("origins", origins)).origins()).isEqualTo(origins.getBytes(StandardCharsets.UTF_8));
        assertThat(read(new RecordHeaders()).origins()).isNull();
        assertThat(read(headers("ce_type", "dev.strake.documents.delete", "origins", origins))
                        .problems()
                        .get(0)
                        .message())
                .isEqualTo("the header origins is only for changes that put documents");
    }

    @Test
    void shouldBoundOrigins() {
        String longest = "[\"" + "x".repeat(OriginsHeader.LONGEST) + "\"]";
        Limits two = new Limits(
                new Limits.OfChange(1 << 20, 6_000_000, 2, 1_000), new Limits.OfDocument(1 << 20, 64, 1000, 1_000_000));

        assertThat(read(headers("origins", longest)).problems()).isEmpty();
        assertThat(messages(headers("origins", longest.replace("[\"", "[\"\",\"x")), Limits.DEFAULT))
                .containsExactly("the header origins has an item of more than 1024 characters, number 1");
        assertThat(messages(headers("origins", "[\"\",\"\"]"), two)).isEmpty();
        assertThat(messages(headers("origins", "[\"\",\"\",\"\"]"), two))
                .containsExactly("the header origins has more than 2 items");
        assertThat(messages(headers("origins", " ".repeat(OriginsHeader.LONGEST_HEADER) + "[]"), Limits.DEFAULT))
                .containsExactly("the header origins is longer than 4194304 characters");
    }

    @Test
    void shouldMakeAValidItemFromAnyFileName() {
        for (String name :
                List.of("a\nb\u001b[31m.yaml:1", "\ud800.yaml", "\ud83d\ude00".repeat(600) + ":7", "x".repeat(9_999))) {
            String item = OriginsHeader.item(name).value();
            String header = JsonBytes.text(ListValue.of(new Text(item)));

            assertThat(messages(headers("origins", header), Limits.DEFAULT)).isEmpty();
        }
        assertThat(OriginsHeader.item("\ud83d\ude00".repeat(600) + ":7").value())
                .startsWith("\u2026\ud83d\ude00")
                .endsWith("\ude00:7");
    }

    private static List<String> messages(Headers headers, Limits limits) {
        return ChangeEnvelope.read("site-a", headers, "t", 0, 0, 0, limits).problems().stream()
                .map(Problem::message)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "ce_id, 256",
        "traceparent, 256",
        "ce_time, 256",
        "ce_type, 256",
        "ce_source, 1024",
        "author, 1024",
        "message, 4096"
    })
    void shouldBoundTheLengthOfHeaders(String header, int longest) {
        String value = "x".repeat(longest);

        assertThat(read(headers(header, value)).problems())
                .filteredOn(p -> p.message().contains("longer"))
                .isEmpty();
        assertThat(read(headers(header, value + "x")).problems().get(0).message())
                .isEqualTo("the header " + header + " is longer than " + longest + " characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ce_id",
                "ce_type",
                "bucket",
                "content-type",
                "ce_source",
                "ce_time",
                "traceparent",
                "part",
                "dry-run",
                "expected-revision",
                "max-removals",
                "author",
                "message"
            })
    void shouldRejectHeadersThatAreNotUtf8(String header) {
        Headers headers = new RecordHeaders().add(header, new byte[] {'a', (byte) 0xFF});

        assertThat(read(headers).problems())
                .extracting(Problem::message)
                .containsExactly("the header " + header + " is not UTF-8 text");
    }

    @Test
    void shouldKeepAnUnknownTypeForTheAnswer() {
        ChangeEnvelope envelope =
                read(headers("ce_type", "dev.strake.bucket.drop", "ce_id", "a")).envelope();

        assertThat(envelope.type()).isNull();
        assertThat(envelope.typeText()).isEqualTo("dev.strake.bucket.drop");
        assertThat(envelope.changeId()).isEqualTo("a");
    }

    @Test
    void shouldIgnoreAHeaderWithoutValue() {
        assertThat(read(new RecordHeaders().add("bucket", null)).envelope().bucket())
                .isEqualTo("default");
    }

    @ParameterizedTest
    @CsvSource({
        "bucket, b",
        "content-type, text/yaml",
        "ce_type, dev.strake.documents.put",
        "dry-run, true",
        "expected-revision, 0",
        "as-deckhand, true",
        "max-removals, 1"
    })
    void shouldNameTheHeaderInWhichPartsDisagree(String header, String value) {
        ChangeEnvelope first = read(headers("ce_id", "a", "part", "1/2")).envelope();
        Headers second = headers("ce_id", "a", "part", "2/2");

        assertThat(read(second).envelope().disagreements(first)).isEmpty();
        second.remove(header).add(header, value.getBytes(StandardCharsets.UTF_8));
        assertThat(read(second).envelope().disagreements(first)).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_CHANGE);
            assertThat(problem.message()).isEqualTo("parts of one change differ in their " + header);
        });
    }

    private static ChangeEnvelope.Reading read(Headers headers) {
        return ChangeEnvelope.read("site-a", headers, "strake.document-changes", 3, 1742, 1000, Limits.DEFAULT);
    }

    static Headers headers(String... namesAndValues) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return headers;
    }
}
