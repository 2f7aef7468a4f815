package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.ChangePublisher;
import dev.strake.client.NewChange;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.Server;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers over HTTP whose revision becomes superfluous while a client takes them. They are larger than the buffers of a
 * connection, so most of an answer is not made before the client reads on.
 */
@Order(1) // it takes long
class ReadWhilePrunedIT {

    private static final int PARTS = 4;
    private static final int IN_A_PART = 15;
    private static final int TEXT = 200_000;
    private static final int KEPT = 2;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String POLICY = """
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
             "data": {"layerOrder": ["global", "site"]}}""";

    /* A child renders to the data of its parent. */
    private static final String FAMILY = """
            {"schema": "example/Kind/v1", "metadata": {"schema": "metadata/Document/v1", "name": "parent-%1$d", "labels": {"family": "f%1$d"},
              "storagePolicy": "cleartext", "layeringDefinition": {"layer": "global", "abstract": true}},
             "data": {"round": "of-%2$d", "text": "%3$s"}},
            {"schema": "example/Kind/v1", "metadata": {"schema": "metadata/Document/v1", "name": "child-%1$d",
              "storagePolicy": "cleartext", "layeringDefinition": {"layer": "site", "parentSelector": {"family": "f%1$d"},
              "actions": [{"method": "merge", "path": "."}]}}, "data": {}}""";

    @TempDir
    static Path directory;

    private static EmbeddedBroker broker;
    private static Server server;

    private final HttpClient client = HttpClient.newHttpClient();
    private String workspace;
    private int changes;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        server = Server.start(new PipelineSettings(
                KafkaSettings.of(broker.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.APPLICATION_ID, "pruned")
                        .with(Catalogue.TOPIC_PREFIX, "pruned.")
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.HISTORY_REVISIONS, (long) KEPT)
                        .with(Catalogue.DATA, directory.resolve("data"))
                        .with(Catalogue.HTTP_PORT, 0)));
        server.pipeline().awaitReady(TIMEOUT);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        server.close();
        broker.close();
    }

    private void publish(String workspace, String documents) {
        String id = workspace + changes++;
        NewChange change = new NewChange(
                workspace, id, ChangeType.DOCUMENTS_PUT, "all", List.of(documents.getBytes(StandardCharsets.UTF_8)));
        KafkaSettings kafka = KafkaSettings.of(broker.bootstrapServers());
        try (ChangePublisher publisher = new ChangePublisher(kafka.cluster(), "pruned.", workspace, TIMEOUT)) {
            publisher.publish(change);
            assertThat(publisher.await(id, pending -> {}).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    /* Every document in a few revisions. */
    private void publishAll(int round) {
        for (int part = 0; part < PARTS; part++) {
            publish(
                    workspace,
                    "[" + POLICY + ","
                            + IntStream.range(part * IN_A_PART, (part + 1) * IN_A_PART)
                                    .mapToObj(number -> FAMILY.formatted(number, round, "x".repeat(TEXT)))
                                    .collect(Collectors.joining(","))
                            + "]");
        }
    }

    private List<Long> revisions(String workspace) {
        try {
            List<Long> numbers = new ArrayList<>();
            String answer = client.send(
                            HttpRequest.newBuilder(uri(workspace + "/revisions"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            for (JsonNode each : JSON.readTree(answer).get("items")) {
                numbers.add(each.get("revision").asLong());
            }
            return numbers;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.httpPort() + "/workspaces/" + path);
    }

    private void awaitPruned() {
        publish(workspace, "[" + FAMILY.formatted(0, 99, "") + "]"); // pruning comes back with the next revision
        await().atMost(TIMEOUT).until(() -> revisions(workspace).size() == KEPT);
    }

    private void begin(String name) {
        workspace = name;
        publishAll(1);
    }

    @Test
    void shouldLetARevisionGoThatIsAskedForWithoutItsContent() throws Exception {
        begin("head");
        for (String list : List.of("rendered", "documents", "graph", "problems", "diff/1/" + PARTS + "?changes=true")) {
            HttpRequest head = HttpRequest.newBuilder(uri(workspace + "/" + list))
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(head, BodyHandlers.discarding()).statusCode())
                    .isIn(200, 404);
        }
        assertThat(client.send(
                                HttpRequest.newBuilder(uri(workspace + "/explain?schema=example/Kind/v1&name=nobody"))
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(404);
        publishAll(2);
        awaitPruned();
    }
}
