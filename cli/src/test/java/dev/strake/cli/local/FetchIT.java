package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.strake.client.Cluster;
import dev.strake.client.Outcomes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.remote.fetch.FetchListener;
import dev.strake.remote.fetch.FetchSettings;
import dev.strake.remote.fetch.Fetcher;
import dev.strake.remote.fetch.SecretsOfFetcher;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.policy.Network;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Fetchers with a real pipeline: the content of a source is rendered, and nothing else. */
@Order(1) // slow: starts first
class FetchIT {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String TOKEN = "planted-token-81c4";

    @TempDir
    static Path directory;

    private static final TestStrake strake = TestStrake.shared();

    private final List<AutoCloseable> started = new ArrayList<>();
    private final Map<String, MapValue> status = new ConcurrentHashMap<>();
    private final AtomicReference<String> content = new AtomicReference<>("");
    private final AtomicInteger answers = new AtomicInteger();
    private HttpServer source;
    private String workspace;

    @BeforeEach
    void listen(TestInfo test) throws IOException {
        workspace = test.getTestMethod().orElseThrow().getName();
        source = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        source.createContext("/", exchange -> {
            byte[] body = content.get().getBytes(StandardCharsets.UTF_8);
            boolean isKnown = TOKEN.equals(exchange.getRequestHeaders().getFirst("X-Token"));
            exchange.sendResponseHeaders(isKnown ? 200 : 401, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
            answers.incrementAndGet();
        });
        source.start();
    }

    @AfterEach
    void endWhatIsLeft() throws Exception {
        for (AutoCloseable each : started) {
            each.close();
        }
        source.stop(0);
    }

    @Test
    void shouldPublishOneRecordForOneChangedDocumentOfFifty() throws Exception {
        things(50, "0");
        publishResource("interval: 1s");
        fetcher();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outcomes("bucket.put")).hasSize(1));
        assertThat(outcomes("bucket.put").get(0).work().emitted()).isEqualTo(50);
        content.set(content.get().replace("value: v7-0", "value: v7-1"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outcomes("bucket.put")).hasSize(2));
        assertThat(outcomes("bucket.put").get(1).work().emitted()).isEqualTo(1);
        int before = answers.get();
        await().atMost(PATIENCE).until(() -> answers.get() > before + 3);
        assertThat(outcomes("bucket.put")).hasSize(2);
    }

    @Test
    void shouldLoseAndRepeatNothingOverManyKills() throws Exception {
        things(5, "0");
        publishResource("interval: 1s");
        Process killed = process();
        await().atMost(PATIENCE).until(() -> rendered().contains("value: v3-0"));
        for (int round = 1; round <= 2; round++) {
            String value = "value: v3-" + round;
            content.set(content.get().replaceFirst("value: v3-[0-9]+", value));
            await().atMost(PATIENCE).until(() -> rendered().contains(value));
            killed.destroyForcibly().waitFor();
            killed = process();
        }
        int before = answers.get();
        await().atMost(PATIENCE).until(() -> answers.get() > before + 2);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outcomes("bucket.put").stream()
                                .filter(each -> each.documents().changed() > 0))
                        .hasSize(2));
        assertThat(outcomes("bucket.put").stream().map(Outcome::status).map(Object::toString))
                .doesNotContain("REJECTED", "FAILED");
    }

    @Test
    void shouldShareTheWorkAndContinueWithoutOneFetcher() throws Exception {
        things(2, "0");
        publishResource("interval: 1s");
        Fetcher first = fetcher();
        fetcher();
        await().atMost(PATIENCE).until(() -> rendered().contains("value: v1-0"));
        first.close();
        things(2, "1");
        await().atMost(PATIENCE).until(() -> rendered().contains("value: v1-1"));
        // The service reads its stores, which are slightly ahead of the topic of outcomes.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outcomes("bucket.put")).hasSize(2));
    }

    @Test
    void shouldKeepSecretsWithinTheirDocument() throws Exception {
        things(1, "0");
        publishResource("interval: 1s");
        fetcher();
        await().atMost(PATIENCE).until(() -> rendered().contains("thing-0"));
        source.removeContext("/");
        await().atMost(PATIENCE).until(() -> data("state").contains("failed"));
        for (String topic : topics()) {
            boolean isPublished = Set.of("strake.document-changes", "strake.rendered-documents")
                            .contains(topic)
                    || topic.contains("changelog");
            if (!isPublished) {
                assertThat(all(topic)).as(topic).doesNotContain(TOKEN);
            }
        }
    }

    private Fetcher fetcher() {
        Fetcher fetcher = new Fetcher(
                new FetchSettings(
                        new FetchSettings.Kafka(
                                Cluster.at(strake.bootstrapServers()),
                                TopicNames.DEFAULT_PREFIX,
                                "group-" + workspace,
                                PATIENCE),
                        new FetchPolicy(
                                List.of(),
                                List.of(Network.of("127.0.0.0/8")),
                                List.of(),
                                1 << 20,
                                Duration.ofSeconds(10)),
                        Duration.ofMinutes(5),
                        directory.resolve("state"),
                        SecretsOfFetcher.NONE),
                new FetchListener() {
                    @Override
                    public void attempted(String of, MapValue document) {
                        if (of.equals(workspace)) {
                            status.put("app", document);
                        }
                    }

                    @Override
                    public void released(String of, String name) {
                        status.remove(name);
                    }

                    @Override
                    public void failed(Exception reason, Duration pause) {
                        throw new IllegalStateException(reason);
                    }
                },
                Clock.systemUTC());
        Thread thread = new Thread(() -> {
            try {
                fetcher.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        started.add(fetcher);
        return fetcher;
    }

    private Process process() throws IOException {
        Process process = strake.program(
                directory.resolve(workspace + ".log"),
                "fetch",
                "--group",
                "group-" + workspace,
                "--allow-private",
                "127.0.0.1",
                "--state",
                directory.resolve("state").toString());
        started.add(() -> process.destroyForcibly().waitFor());
        return process;
    }

    private void things(int count, String version) {
        StringBuilder yaml = new StringBuilder();
        IntStream.range(0, count).forEach(i -> yaml.append("""
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: thing-%d
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data: {value: v%d-%s}
            """.formatted(i, i, version)));
        content.set(yaml.toString());
    }

    private void publishResource(String more) {
        publish("""
            ---
            schema: razee/RemoteResource/v1alpha2
            metadata:
              schema: metadata/Document/v1
              name: app
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data:
              %s
              requests:
              - options:
                  url: http://127.0.0.1:%d/all
                  headers: {X-Token: %s}
            """.formatted(more, source.getAddress().getPort(), TOKEN));
    }

    private void publish(String documents) {
        strake.publish(workspace, documents, "-b", "by-hand");
    }

    private String rendered() {
        return strake.rendered(workspace);
    }

    private String data(String key) {
        MapValue document = status.getOrDefault("app", MapValue.EMPTY);
        return document.get("data") instanceof MapValue data && data.get(key) instanceof Text text ? text.value() : "";
    }

    private List<Outcome> outcomes(String type) {
        return new Outcomes(Cluster.at(strake.bootstrapServers()), TopicNames.DEFAULT_PREFIX, workspace, PATIENCE)
                .last(
                        100,
                        outcome -> "remote-app".equals(outcome.change().bucket())
                                && outcome.change().type().endsWith(type));
    }

    private static Set<String> topics() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", strake.bootstrapServers()))) {
            return admin.listTopics().names().get();
        }
    }

    private static String all(String topic) {
        StringBuilder text = new StringBuilder();
        strake.read(topic)
                .forEach(message -> text.append(
                        message.value() == null ? "" : new String(message.value(), StandardCharsets.UTF_8)));
        return text.toString();
    }
}
