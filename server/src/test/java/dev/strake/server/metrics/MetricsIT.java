package dev.strake.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import dev.strake.server.Server;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /metrics} of a whole Strake shows of changes of every kind. */
class MetricsIT {

    private static final String GOOD = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {name: parent}
              layeringDefinition: {layer: global}
            data: {color: red, size: 1}
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition: {layer: site, parentSelector: {name: parent}, actions: [{method: merge, path: .}]}
              substitutions: []
            data: {color: blue}
            """;
    private static final String BAD = GOOD.replace(
            "substitutions: []",
            "substitutions: [{src: {schema: a/Absent/v1, name: absent, path: .}, dest: {path: .x}}]");

    @TempDir
    Path directory;

    private EmbeddedBroker broker;
    private Server server;
    private KafkaProducer<byte[], byte[]> producer;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        Settings settings = Settings.of(List.of())
                .with(Catalogue.DATA, directory)
                .with(Catalogue.HTTP_PORT, 0)
                .with(Catalogue.PARTITIONS, 2)
                .with(Catalogue.REPLICATION_FACTOR, 1)
                .with(Catalogue.THREADS, 1)
                .with(Catalogue.HISTORY_REVISIONS, 2L);
        server = Server.start(new PipelineSettings(
                KafkaSettings.of(
                        Optional.of(broker.bootstrapServers()),
                        Optional.empty(),
                        Map.of("KAFKA_GROUP_INSTANCE_ID", "strake")),
                settings));
        server.pipeline().awaitReady(Duration.ofMinutes(10));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterEach
    void stop() {
        producer.close();
        server.close();
        broker.close();
    }

    @Test
    void shouldShowWhatBecameOfChangesAndHowWorkspacesStand() throws Exception {
        send("good", GOOD);
        send("good", GOOD.replace("red", "green")); // the child has its own: only the parent comes out different
        send("good", GOOD.replace("red", "green"));
        send("good", "{");
        send("bad", GOOD);
        send("bad", BAD);
        producer.send(new ProducerRecord<>("strake.document-changes", null, "no key".getBytes(UTF_8)))
                .get();
        // A scrape may fall between the figures of one commit, and reads one after the other itself.
        await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> assertThatAllSevenAreShown(scrape()));
    }

    private void assertThatAllSevenAreShown(Scrape scrape) {
        assertThat(scrape.value("strake_changes_total{status=\"failed\"}")).isEqualTo(1);
        assertThat(scrape.value("strake_changes_total{status=\"rejected\"}")).isEqualTo(1);
        assertThat(scrape.value("strake_dead_letters_total")).isEqualTo(1);
        assertThat(changesWithLatency(scrape)).isEqualTo(6);
        assertThat(scrape.value("strake_changes_total{status=\"rendered\"}")).isEqualTo(3);
        assertThat(scrape.value("strake_changes_total{status=\"unchanged\"}")).isEqualTo(1);
        assertThat(scrape.value("strake_render_latency_seconds_count{status=\"rendered\"}"))
                .isEqualTo(3);
        assertThat(scrape.value("strake_render_latency_seconds_sum{status=\"rendered\"}"))
                .isPositive();
        assertThat(scrape.value("strake_stage_seconds_count{stage=\"queue\"}")).isEqualTo(6);
        assertThat(scrape.value("strake_stage_seconds_count{stage=\"decode\"}")).isEqualTo(6);
        assertThat(scrape.value("strake_stage_seconds_count{stage=\"commit-revision\"}"))
                .as("all but the one that cannot be read")
                .isEqualTo(5);
        assertThat(scrape.value("strake_stage_seconds_count{stage=\"render\"}")).isEqualTo(4);
        assertThat(scrape.value("strake_stage_seconds_count{stage=\"commit\"}")).isEqualTo(6);
        assertThat(stagesTogether(scrape))
                .as("the stages are all that the latency is made of")
                .isCloseTo(latency(scrape), offset(0.001 * 6 * 2));

        assertThat(scrape.value("strake_change_documents_count{result=\"affected\"}"))
                .isEqualTo(4);
        assertThat(scrape.value("strake_change_documents_sum{result=\"affected\"}"))
                .isEqualTo(3 + 2 + 3 + 1);
        assertThat(scrape.value("strake_change_documents_sum{result=\"emitted\"}"))
                .isEqualTo(3 + 1 + 3);
        assertThat(scrape.value("strake_change_documents_sum{result=\"evaluated\"}")
                        + scrape.value("strake_change_documents_sum{result=\"cut-off\"}"))
                .isEqualTo(9);
        assertThat(scrape.value("strake_change_documents_sum{result=\"removed\"}"))
                .isZero();

        assertThatBothWorkspacesAreShown(scrape);
        assertThat(scrape.value("strake_restore_seconds")).isZero();
    }

    @Test
    void shouldShowHowWorkspacesStandRightAfterARestart() throws Exception {
        send("good", GOOD);
        send("good", GOOD.replace("red", "green"));
        send("bad", GOOD);
        send("bad", BAD);
        await().atMost(Duration.ofMinutes(10))
                .until(() -> scrape().value("strake_changes_total{status=\"failed\"}") == 1);
        stop();
        start();
        Scrape scrape = scrape();
        assertThat(scrape.value("strake_changes_total{status=\"failed\"}")).isZero();
        assertThatBothWorkspacesAreShown(scrape);
    }

    @Test
    void shouldCountRevisionsThatAreLeftAfterPruning() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("good", GOOD.replace("red", "red" + i));
        }
        await().atMost(Duration.ofMinutes(10))
                .untilAsserted(
                        () -> assertThat(scrape().value("strake_revisions")).isEqualTo(2));
    }

    @Test
    void shouldSpeakOpenMetricsToWhoeverAsksForIt() throws Exception {
        String newer = Scrape.of(
                        "http://127.0.0.1:" + server.httpPort(),
                        "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")
                .text();
        assertThat(newer).endsWith("# EOF\n");
    }

    @Test
    void shouldShowExactlyWhatTheDocumentationLists() throws Exception {
        send("bad", GOOD);
        send("bad", BAD);
        System.gc(); // without which the first pause may be long in coming
        Scrape complete = await().atMost(Duration.ofMinutes(10))
                .until(this::scrape, seen -> MetricsPage.missing(seen).isEmpty());
        MetricsPage.writeOrCompare(complete);
    }

    private static void assertThatBothWorkspacesAreShown(Scrape scrape) {
        assertThat(scrape.value("strake_workspaces{state=\"rendered\"}")).isEqualTo(1);
        assertThat(scrape.value("strake_workspaces{state=\"failed\"}")).isEqualTo(1);
        assertThat(scrape.value("strake_workspaces{state=\"partial\"}")).isZero();
        assertThat(scrape.value("strake_documents")).isEqualTo(6);
        assertThat(scrape.value("strake_rendered_documents")).isEqualTo(6);
        assertThat(scrape.value("strake_revisions")).isEqualTo(4);
        assertThat(scrape.value("strake_problems{code=\"SubstitutionSourceNotFound\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("strake_problems{code=\"InvalidDocumentParent\"}"))
                .isZero();
        assertThat(scrape.labels("strake_problem_open_seconds"))
                .containsExactly(
                        "{code=\"SubstitutionSourceNotFound\",document=\"example/Thing/v1/site/child\",workspace=\"bad\"}");
        assertThat(scrape.value("strake_staleness_seconds{class=\"held\"}")).isPositive();
        assertThat(scrape.value("strake_staleness_seconds{class=\"behind\"}")).isLessThan(1);
    }

    private static double latency(Scrape scrape) {
        return scrape.labels("strake_render_latency_seconds_sum").stream()
                .mapToDouble(labels -> scrape.value("strake_render_latency_seconds_sum" + labels))
                .sum();
    }

    private static double changesWithLatency(Scrape scrape) {
        return scrape.labels("strake_render_latency_seconds_count").stream()
                .mapToDouble(labels -> scrape.value("strake_render_latency_seconds_count" + labels))
                .sum();
    }

    private static double stagesTogether(Scrape scrape) {
        return scrape.labels("strake_stage_seconds_sum").stream()
                .mapToDouble(labels -> scrape.value("strake_stage_seconds_sum" + labels))
                .sum();
    }

    private Scrape scrape() {
        return Scrape.of("http://127.0.0.1:" + server.httpPort());
    }

    private void send(String workspace, String text) throws Exception {
        ProducerRecord<byte[], byte[]> change =
                new ProducerRecord<>("strake.document-changes", workspace.getBytes(UTF_8), text.getBytes(UTF_8));
        producer.send(change).get();
    }
}
