package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.client.ChangePublisher;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.Server;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances share the partitions and keep standby copies; each answers for all workspaces. They are started
 * once, because starting is slow, and the test that stops one comes last.
 */
@TestMethodOrder(OrderAnnotation.class)
class SeveralInstancesIT {

    private static final int WORKSPACES = 6;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String SITE = """
            [{"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
              "data": {"layerOrder": ["site"]}},
             {"schema": "example/Kind/v1", "metadata": {"schema": "metadata/Document/v1", "name": "%s",
              "storagePolicy": "cleartext", "layeringDefinition": {"layer": "site"}}, "data": {}}]
            """;

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy, labels: {version: %s}}
            data: {layerOrder: [site]}
            """;

    @TempDir
    static Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private static EmbeddedBroker broker;
    private static Server one;
    private static Server other;

    @BeforeAll
    static void startTwoInstances() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        one = start("one");
        other = start("other");
        // Each instance has three of six partitions; two partitions have no workspace.
        await().atMost(TIMEOUT)
                .until(() -> !held(one).isEmpty()
                        && !held(other).isEmpty()
                        && held(one).size() + held(other).size() == WORKSPACES);
        for (int i = 0; i < WORKSPACES; i++) {
            publish("site-" + i);
        }
    }

    private static Server start(String name) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort(); // the address has to be known before the server binds it
        }
        return Server.start(new PipelineSettings(
                KafkaSettings.of(
                        Optional.of(broker.bootstrapServers()),
                        Optional.empty(),
                        Map.of("KAFKA_NUM_STANDBY_REPLICAS", "1")),
                Settings.defaults()
                        .with(Catalogue.DATA, directory.resolve(name))
                        .with(Catalogue.PARTITIONS, 6)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.HTTP_PORT, port)
                        .with(Catalogue.HTTP_ADVERTISED, "127.0.0.1:" + port)));
    }

    private static void publish(String workspace) {
        byte[] body = SITE.formatted(workspace).getBytes(StandardCharsets.UTF_8);
        NewChange change = new NewChange(workspace, "first", ChangeType.BUCKET_PUT, "all", List.of(body));
        try (ChangePublisher publisher = new ChangePublisher(
                KafkaSettings.of(broker.bootstrapServers()).cluster(), "strake.", workspace, TIMEOUT)) {
            publisher.publish(change);
            assertThat(publisher.await("first", pending -> {}).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    /* The workspaces owned by an instance. */
    private static Set<String> held(Server server) {
        return IntStream.range(0, WORKSPACES)
                .mapToObj(i -> "site-" + i)
                .filter(server.pipeline().placement()::holds)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @AfterAll
    static void stop() {
        other.close();
        one.close();
        broker.close();
    }

    @Test
    void shouldShowDeckhandClientsTheirWritesOnEveryInstance() throws Exception {
        for (int i = 0; i < WORKSPACES; i++) {
            String api = "/deckhand/deck-" + i + "/api/v1.0";
            Server[] both = {one, other};
            for (int revision = 1; revision <= 4; revision++) {
                Server writer = both[revision % 2];
                Server reader = both[1 - revision % 2];
                send(200, writer, "PUT", api + "/buckets/all/documents", POLICY.formatted("v" + revision));
                get(200, reader, api + "/revisions/" + revision);
                send(201, reader, "POST", api + "/revisions/" + revision + "/tags/t", "");
                get(200, writer, api + "/revisions/" + revision + "/tags/t");
            }
            HttpResponse<String> refused =
                    send(409, one, "PUT", api + "/buckets/other/documents", POLICY.formatted("v4"));
            assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/x-yaml");
            send(204, both[i % 2], "DELETE", api + "/revisions", "");
            get(404, both[1 - i % 2], api + "/revisions/1");
        }
    }

    @Test
    void shouldAnswerForEveryWorkspaceOnEveryInstance() throws Exception {
        for (int i = 0; i < WORKSPACES; i++) {
            for (Server each : List.of(one, other)) {
                assertThat(get(200, each, "/workspaces/site-" + i + "/rendered?revision=1")
                                .body())
                        .contains("\"name\":\"site-" + i + "\"")
                        .doesNotContain("\"from\"");
                get(404, each, "/workspaces/site-" + i + "/documents?revision=7");
            }
        }
        get(404, one, "/workspaces/nowhere/documents");
        get(404, other, "/workspaces/nowhere/documents");
    }

    @Test
    void shouldListTheWorkspacesOfAllInstancesOnEveryInstance() throws Exception {
        for (Server each : List.of(one, other)) {
            StateClient client = new StateClient(
                    URI.create("http://127.0.0.1:" + each.httpPort()),
                    Duration.ofSeconds(60),
                    Optional.empty(),
                    Optional.empty());
            assertThat(client.workspaces().items())
                    .extracting(item -> ((MapValue) item).get("workspace"))
                    .containsExactlyElementsOf(IntStream.range(0, WORKSPACES)
                            .<Value>mapToObj(i -> new Text("site-" + i))
                            .toList());
            List<String> paged = new ArrayList<>();
            String after = "";
            do {
                HttpResponse<String> answer = get(200, each, "/workspaces?limit=4" + after);
                MapValue page = (MapValue) JsonReader.read(answer.body());
                ((ListValue) page.get("items"))
                        .items()
                        .forEach(item -> paged.add(((Text) ((MapValue) item).get("workspace")).value()));
                after = page.get("next") instanceof Text next ? "&after=" + next.value() : "";
            } while (!after.isEmpty());
            assertThat(paged)
                    .containsExactlyElementsOf(IntStream.range(0, WORKSPACES)
                            .mapToObj(i -> "site-" + i)
                            .toList());
        }
    }

    @Test
    void shouldPlanForEveryWorkspaceOnEveryInstance() throws Exception {
        for (int i = 0; i < WORKSPACES; i++) {
            for (Server each : List.of(one, other)) {
                assertThat(send(200, each, "POST", "/workspaces/site-" + i + "/plan?bucket=all", "[]")
                                .body())
                        .contains("\"head\":1", "\"removed\":2", "\"name\":\"site-" + i + "\"");
            }
        }
    }

    @Test
    void shouldAnswerFromAStandbyOnRequestAndSaySo() throws Exception {
        for (int i = 0; i < WORKSPACES; i++) {
            String path = "/workspaces/site-" + i + "/rendered?from=standby";
            for (Server each : List.of(one, other)) {
                await().atMost(TIMEOUT).untilAsserted(() -> {
                    assertThat(get(200, each, path).body()).contains("\"from\":\"standby\",\"behindRecords\":0}");
                });
            }
        }
        get(400, one, "/workspaces/site-0/rendered?from=mars");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void shouldAnswerForAllWorkspacesWithoutTheOtherInstance() throws Exception {
        for (int i = 0; i < WORKSPACES; i++) {
            String documents = "/deckhand/gone-" + i + "/api/v1.0/buckets/all/documents";
            send(one, "PUT", documents, POLICY.formatted("v"));
        }
        Set<String> ofOther = held(other);
        one.close();
        for (String workspace : ofOther) { // their standby is gone, and still listed
            get(200, other, "/workspaces/" + workspace + "/rendered?from=standby");
        }
        for (int i = 0; i < WORKSPACES; i++) { // these clients do not retry after an error
            String revision = "/deckhand/gone-" + i + "/api/v1.0/revisions/1";
            get(200, other, revision);
            send(201, other, "POST", revision + "/tags/t", "");
        }
        await().atMost(TIMEOUT).until(() -> held(other).size() == WORKSPACES);
        for (int i = 0; i < WORKSPACES; i++) {
            String path = "/workspaces/site-" + i + "/rendered?from=standby";
            await().atMost(TIMEOUT)
                    .untilAsserted(() ->
                            assertThat(get(other, path).body()).contains("\"from\":\"active\",\"behindRecords\":0}"));
        }
    }

    @Test
    void shouldForwardARequestOnlyOnce() throws Exception {
        String workspace = held(one).iterator().next();
        HttpRequest question = HttpRequest.newBuilder(uri(other, "/workspaces/" + workspace + "/rendered"))
                .header("Strake-Forwarded", "1")
                .build();
        HttpResponse<String> answer = client.send(question, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("NotHere", "strake.http.advertised");
    }

    @Test
    void shouldDescribeItself() throws Exception {
        assertThat(get(one, "/info").body())
                .contains(
                        "\"kafka\":\"4.",
                        "\"partitions\":6,\"active\":[",
                        "{\"name\":\"strake.http.port\",",
                        "{\"name\":\"bootstrap.servers\",\"value\":\"127.0.0.1:");
        assertThat(get(one, "/topology").body()).contains("Processor: apply-change");
        assertThat(get(one, "/topology?format=mermaid").body())
                .startsWith("flowchart TD\n")
                .contains(
                        "topic-strake-document-changes([strake.document-changes]) --> changes-source",
                        "apply-change <--> store-documents[(documents)]",
                        "outcomes-sink --> topic-strake-outcomes([strake.outcomes])");
        assertThat(get(one, "/topology?format=json").body())
                .contains("{\"name\":\"changes-source\",\"type\":\"source\",\"topics\":[\"strake.document-changes\"],"
                        + "\"successors\":[\"apply-change\"]}");
        get(400, one, "/topology?format=oil");
    }

    private HttpResponse<String> get(Server server, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(server, path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(int status, Server server, String path) throws Exception {
        HttpResponse<String> answer = get(server, path);
        assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(status);
        return answer;
    }

    private HttpResponse<String> send(int status, Server server, String method, String path, String body)
            throws Exception {
        HttpResponse<String> answer = send(server, method, path, body);
        assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(status);
        return answer;
    }

    private HttpResponse<String> send(Server server, String method, String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(server, path))
                        .header("Content-Type", "application/x-yaml")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static URI uri(Server server, String path) {
        return URI.create("http://127.0.0.1:" + server.httpPort() + path);
    }
}
