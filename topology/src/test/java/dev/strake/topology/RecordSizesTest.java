package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** No input makes the topology write a record that is larger than its topic accepts. */
class RecordSizesTest {

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]}
            ---
            """;

    private static final String ASTRAY = Stream.of("a", "b", "c", "d", "e", "f", "g")
            .filter(workspace -> WorkspaceKey.partition(workspace, 2) == 1)
            .findFirst()
            .orElseThrow();

    @AutoClose
    private TopologyHarness harness = new TopologyHarness();

    /* Sends a change to the wrong partition: the driver has one, and the topology expects two. */
    private Outcome sendAstray(byte[] value, Headers headers) {
        harness.close();
        harness = new TopologyHarness(TopologySettings.of(2));
        return harness.send(ASTRAY.getBytes(StandardCharsets.UTF_8), value, headers)
                .get(0);
    }

    @Test
    void shouldRejectAMisplacedChangeThatIsTooLargeToForward() {
        Headers headers = TopologyHarness.headers("ce_id", "far", "part", "1/2");
        Outcome outcome = sendAstray(blank(RecordSize.MOST), headers);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.change().id()).isEqualTo("far");
        assertThat(outcome.revision()).isNull();
        assertThat(outcome.published().contentHash()).isNull();
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.message())
                    .contains("has "
                            + RecordSize.of(ASTRAY.getBytes(StandardCharsets.UTF_8), blank(RecordSize.MOST), headers))
                    .contains("at most " + RecordSize.MOST);
            assertThat(problem.hint()).contains("murmur2", "parts");
        });
    }

    @Test
    void shouldNotRenderADocumentThatIsTooLargeWithItsMetadata() {
        RenderLimits rendering = new RenderLimits(15L << 20, 256, 1024);
        Limits limits = Limits.DEFAULT.withDocumentsOf(15L << 20);
        TopologySettings settings = TopologySettings.of(1).withLimits(limits).rendering(rendering);
        harness.close();
        harness = new TopologyHarness(settings);
        String parent = document("parent", "labels: {is: parent}", "{a: %s}".formatted("x".repeat(9 << 20)));
        String child = document("child", "labels: {note: %s}".formatted("y".repeat(8 << 20)), "{b: 1}")
                .replace(
                        "layer: site",
                        "layer: site, parentSelector: {is: parent}, actions: [{method: merge, path: .}]");
        Outcome outcome = harness.send(
                "a",
                POLICY.replace("[site]", "[global, site]") + parent.replace("layer: site", "layer: global") + child);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.document().name()).isEqualTo("child");
            assertThat(problem.message()).contains("metadata", Integer.toString(RenderLimits.RECORD_BYTES));
        });
        assertThat(harness.lastRendered()).isEmpty();
    }

    @Test
    void shouldPublishTheLargestDocumentWithTheLongestNames() {
        String longest = "\u20ac".repeat(1_024); // three bytes a character
        int room = RecordSize.MOST - RenderLimits.RECORD_BYTES;
        TopologySettings settings = TopologySettings.of(1);
        harness.close();
        harness = new TopologyHarness(settings);
        String carried = "\u20ac".repeat(256);
        Outcome outcome = harness.send(
                "w".repeat(128),
                POLICY.replace("[site]", "[\"" + longest + "\"]")
                        + document(longest, "labels: {}", "{a: 1}")
                                .replace("example/Thing", "n".repeat(500) + "/" + "k".repeat(500))
                                .replace("layer: site", "layer: \"" + longest + "\""),
                "ce_id",
                carried,
                "ce_source",
                "\u20ac".repeat(1_024),
                "ce_time",
                carried,
                "traceparent",
                carried,
                "bucket",
                "b".repeat(128));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(harness.lastRendered())
                .allSatisfy(record -> assertThat(RecordSize.of(record.key(), null, record.headers()))
                        .isLessThan(room));
    }

    @Test
    void shouldListNoMoreProblemsAndWarningsThanARecordHolds() {
        StringBuilder many = new StringBuilder(POLICY);
        String longest = "\u0001".repeat(1_000).replace("\u0001", "\\u0001"); // six bytes a character in JSON
        for (int i = 0; i < 150; i++) {
            many.append(document("\"%s%03d\"".formatted(longest, i), "labels: {}", "{}")
                    .replace(
                            "layer: site",
                            "layer: site, parentSelector: {a: b}, actions: [{method: merge, path: .}]}, substitutions: [{src: {schema: a/B/v1, name: \"%s\", path: .}, dest: {path: .}}], x: {y: z"
                                    .formatted(longest))
                    .replace(", x: {y: z}", ""));
        }
        Outcome outcome = harness.send("a", many.toString());
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(outcome.problems()).hasSizeLessThan(100);
        assertThat(outcome.problems().get(outcome.problems().size() - 1).message())
                .contains("further problems are not listed");
        assertThat(harness.problems()).as("the topic has all of them").hasSize(150);
        int most = harness.lastRecords().stream().mapToInt(String::length).max().orElseThrow();
        assertThat(most).isLessThan(2 << 20);
    }

    @Test
    void shouldRejectAChangeThatMakesCollectionsReadTooMuch() {
        StringBuilder four = new StringBuilder(POLICY);
        for (int i = 0; i < 35; i++) {
            four.append(document("thing-" + i, "labels: {}", "{}"));
        }
        for (int i = 0; i < 4; i++) {
            four.append(collection("gather-" + i));
        }
        assertThat(harness.send("a", four.toString()).status()).isEqualTo(OutcomeStatus.RENDERED);
        Outcome outcome = harness.send("a", four + collection("gather-4"));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.message()).contains("all collections and stacks", "134217728 characters");
        });
        assertThat(harness.send("a", four + document("one-more", "labels: {}", "{}"))
                        .status())
                .as("126 of 128 Mi")
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    /* A collection whose reads are each stored under a key with their path. */
    private static String collection(String name) {
        return document(name, "labels: {}", "{schema: example/Thing/v1, path: .%s, into: {%s}}")
                .replaceFirst("example/Thing", "strake/Collection")
                .formatted("x".repeat(900_000), "schema: example/All/v1, name: " + name);
    }

    private static String document(String name, String metadata, String data) {
        return """
                schema: example/Thing/v1
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, %s, layeringDefinition: {layer: site}}
                data: %s
                ---
                """.formatted(name, metadata, data);
    }

    private static byte[] blank(int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) ' ');
        return value;
    }
}
