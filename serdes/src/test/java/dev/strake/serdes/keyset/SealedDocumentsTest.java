package dev.strake.serdes.keyset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.document.Document;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeReader;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.change.Unsealing;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.text.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents in a change that were sealed by publishers. */
class SealedDocumentsTest {

    private static final String SECRET = "s3cr3t-t0ken";
    private static final Keyset KEYS = Keyset.create();
    private static final Unsealing OPENING = new Unsealing(() -> KEYS, false);
    private static final PublishingKey PUBLIC = KEYS.publishingKey();

    private static MapValue document(String policy, String data) {
        String text = """
                {"schema": "example/Database/v1",
                 "metadata": {"schema": "metadata/Document/v1", "name": "db", "storagePolicy": "%s",
                              "layeringDefinition": {"layer": "site"}},
                 "data": %s}
                """.formatted(policy, data);
        return (MapValue) JsonReader.read(text);
    }

    private static MapValue sealed(String data) {
        return SealedData.forService(document("encrypted", data), "site-a", PUBLIC::seal);
    }

    private static List<Document> read(String workspace, byte[] body, Limits limits, Unsealing unsealing)
            throws RejectedChangeException {
        ChangeEnvelope envelope = ChangeEnvelope.read(workspace, new RecordHeaders(), "changes", 0, 7, 0, limits)
                .envelope();
        Change change = new ChangeReader(limits, unsealing).read(envelope, List.of(Payload.of(body)));
        return ((Change.BucketPut) change).documents();
    }

    private static Document read(Value document) throws RejectedChangeException {
        return read("site-a", JsonBytes.of(document), Limits.DEFAULT, OPENING).get(0);
    }

    private static Problem refusal(Value document, Unsealing unsealing, String workspace, Limits limits) {
        RejectedChangeException refused = catchThrowableOfType(
                RejectedChangeException.class, () -> read(workspace, JsonBytes.of(document), limits, unsealing));
        assertThat(refused).as("it is rejected").isNotNull();
        assertThat(refused.problems()).hasSize(1);
        assertThat(refused.problems().toString()).doesNotContain(SECRET);
        return refused.problems().get(0);
    }

    private static Problem refusal(Value document) {
        return refusal(document, OPENING, "site-a", Limits.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"s3cr3t-t0ken\"",
                "{\"user\": \"admin\", \"ports\": [22, 1.0, 1e400], \"on\": true, \"none\": null}",
                "{}",
                "[]",
                "null",
                "\"\"",
                "{\"$sealed\": \"not sealed itself\", \"more\": 1}"
            })
    void shouldReadSealedDocumentsUnchanged(String data) throws RejectedChangeException {
        MapValue sealed = sealed(data);

        assertThat(JsonBytes.text(sealed)).doesNotContain(SECRET);
        assertThat(read(sealed).tree()).isEqualTo(document("encrypted", data));
    }

    @Test
    void shouldGiveEqualDocumentsForDifferentCiphertexts() throws RejectedChangeException {
        MapValue one = sealed("\"s3cr3t-t0ken\"");
        MapValue other = sealed("\"s3cr3t-t0ken\"");

        assertThat(one).isNotEqualTo(other);
        assertThat(read(one).tree()).isEqualTo(read(other).tree());
    }

    @Test
    void shouldReadYamlWhoseCiphertextIsFoldedOverLines() throws RejectedChangeException {
        String ciphertext =
                ((Text) ((MapValue) sealed("{\"a\": \"s3cr3t-t0ken\"}").get("data")).get(SealedData.KEY)).value();
        String yaml = """
                schema: example/Database/v1
                metadata: {schema: metadata/Document/v1, name: db, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data:
                  $sealed: |
                    %s
                    %s
                """.formatted(ciphertext.substring(0, 40), ciphertext.substring(40));

        Document read = read("site-a", yaml.getBytes(StandardCharsets.UTF_8), Limits.DEFAULT, OPENING)
                .get(0);

        assertThat(read.data()).isEqualTo(MapValue.of("a", new Text(SECRET)));
    }

    @Test
    void shouldSealNothingThatIsSealedOrCleartext() {
        MapValue sealed = sealed("1");

        assertThat(SealedData.forService(sealed, "site-a", PUBLIC::seal)).isSameAs(sealed);
        MapValue clear = document("cleartext", "1");
        assertThat(SealedData.forService(clear, "site-a", PUBLIC::seal)).isSameAs(clear);
    }

    @Test
    void shouldRejectAMovedCiphertext() {
        MapValue sealed = sealed("\"s3cr3t-t0ken\"");
        MapValue metadata = (MapValue) sealed.get("metadata");
        List<MapValue> moved = List.of(
                sealed.with("schema", new Text("example/Other/v1")),
                sealed.with("metadata", metadata.with("name", new Text("other"))),
                sealed.with("metadata", metadata.with("layeringDefinition", MapValue.of("layer", new Text("global")))));

        for (MapValue each : moved) {
            assertThat(refusal(each).code()).isEqualTo(ProblemCode.INVALID_SEALED_DATA);
        }
        assertThat(refusal(sealed, OPENING, "site-b", Limits.DEFAULT).code())
                .isEqualTo(ProblemCode.INVALID_SEALED_DATA);
    }

    @Test
    void shouldNotOpenForADocumentThatWouldBePublishedInClear() {
        MapValue sealed = sealed("\"s3cr3t-t0ken\"");
        MapValue metadata = (MapValue) sealed.get("metadata");
        MapValue cleartext = sealed.with("metadata", metadata.with("storagePolicy", new Text("cleartext")));

        assertThat(refusal(cleartext).message()).contains("does not have storagePolicy: encrypted");
    }

    @Test
    void shouldNameTheKeyThatIsMissing() {
        MapValue sealed = sealed("\"s3cr3t-t0ken\"");
        String id = KEYS.keys().stream()
                .filter(key -> key.purpose() == Purpose.PUBLISHING)
                .findFirst()
                .orElseThrow()
                .id();

        Problem other = refusal(sealed, new Unsealing(Keyset::create, false), "site-a", Limits.DEFAULT);
        Problem none = refusal(sealed, Unsealing.NONE, "site-a", Limits.DEFAULT);

        assertThat(other.code()).isEqualTo(ProblemCode.SECRET_KEY_NOT_FOUND);
        assertThat(other.message()).contains(id);
        assertThat(other.document().name()).isEqualTo("db");
        assertThat(none.code()).isEqualTo(ProblemCode.SECRET_KEY_NOT_FOUND);
        assertThat(none.message()).contains("no keyset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AQ==", "no base64 at all!", "AAAAAAAA", "AQIDBAUGBwgJCgsMDQ4PEA=="})
    void shouldRejectInvalidCiphertexts(String text) {
        MapValue document = document("encrypted", "1").with("data", MapValue.of(SealedData.KEY, new Text(text)));

        assertThat(refusal(document).code()).isIn(ProblemCode.INVALID_SEALED_DATA, ProblemCode.SECRET_KEY_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s3cr3t-t0ken",
                "[1]",
                "{\"data\": 1, \"s3cr3t-t0ken\": 2}",
                "{\"data\": 1} 2",
                "{\"data\": {\"s3cr3t-t0ken\": 1, \"s3cr3t-t0ken\": 2}}"
            })
    void shouldRejectCiphertextsOfInvalidData(String clear) {
        SealedData.Seal other = (ignored, place) -> PUBLIC.seal(clear.getBytes(StandardCharsets.UTF_8), place);
        MapValue document = SealedData.forService(document("encrypted", "1"), "site-a", other);

        assertThat(refusal(document).code()).isEqualTo(ProblemCode.INVALID_SEALED_DATA);
    }

    @Test
    void shouldApplyLimitsToSealedDocuments() {
        String many = "[" + "1,".repeat(200) + "1]";
        String deep = "[".repeat(40) + "]".repeat(40);
        Limits fewNodes =
                new Limits(new Limits.OfChange(1 << 20, 1_000, 10, 1), new Limits.OfDocument(1 << 20, 64, 0, 100));
        Limits fewOfAll =
                new Limits(new Limits.OfChange(1 << 20, 100, 10, 1), new Limits.OfDocument(1 << 20, 64, 0, 1_000));
        Limits shallow =
                new Limits(new Limits.OfChange(1 << 20, 1_000, 10, 1), new Limits.OfDocument(1 << 20, 20, 0, 1_000));

        for (Limits limits : List.of(fewNodes, fewOfAll)) {
            assertThat(refusal(sealed(many), OPENING, "site-a", limits).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        }
        assertThat(refusal(sealed(deep), OPENING, "site-a", shallow).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
    }

    @Test
    void shouldCountASealedDocumentOnce() throws RejectedChangeException {
        Limits one =
                new Limits(new Limits.OfChange(1 << 20, 1_000, 1, 1), new Limits.OfDocument(1 << 20, 64, 0, 1_000));

        assertThat(read("site-a", JsonBytes.of(sealed("1")), one, OPENING)).hasSize(1);
    }

    @Test
    void shouldRejectClearTextOnlyIfSealingIsRequired() throws RejectedChangeException {
        Unsealing strict = new Unsealing(() -> KEYS, true);

        Problem refused = refusal(document("encrypted", "\"s3cr3t-t0ken\""), strict, "site-a", Limits.DEFAULT);

        assertThat(refused.code()).isEqualTo(ProblemCode.SECRET_NOT_SEALED);
        assertThat(read("site-a", JsonBytes.of(sealed("1")), Limits.DEFAULT, strict))
                .hasSize(1);
        assertThat(read("site-a", JsonBytes.of(document("cleartext", "1")), Limits.DEFAULT, strict))
                .hasSize(1);
        assertThat(read(document("encrypted", "1")).data())
                .isEqualTo(document("encrypted", "1").get("data"));
    }

    @Test
    void shouldReportProblemsOfADocumentWithoutAName() {
        MapValue sealed = sealed("1");
        MapValue nameless = sealed.with("metadata", ((MapValue) sealed.get("metadata")).without("name"));

        assertThat(refusal(nameless).code()).isEqualTo(ProblemCode.INVALID_SEALED_DATA);
    }
}
