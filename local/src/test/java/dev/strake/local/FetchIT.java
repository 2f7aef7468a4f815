package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.strake.cli.StrakeCommand;
import dev.strake.client.Cluster;
import dev.strake.client.Outcomes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.fetch.FetchListener;
import dev.strake.fetch.FetchPolicy;
import dev.strake.fetch.FetchSettings;
import dev.strake.fetch.Fetcher;
import dev.strake.fetch.Network;
import dev.strake.fetch.SecretsOfFetcher;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Fetchers beside a real pipeline: what a source has comes out as rendered documents, and nothing else does. */
class FetchIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOKEN = "planted-token-81c4";

    @TempDir
    static Path directory;

    private static LocalServer strake;

    private final List<AutoCloseable> started = new ArrayList<>();
    private final Map<String, MapValue> status = new ConcurrentHashMap<>();
    private final AtomicReference<String> content = new AtomicReference<>("");
    private final AtomicInteger answers = new AtomicInteger();
    private HttpServer source;
    private String workspace;

    @BeforeAll
    static void start() throws Exception {
        strake = LocalServer.start(Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                .with(Catalogue.DATA, directory.resolve("data"))
                .with(Catalogue.KAFKA_PORT, 0)
                .with(Catalogue.HTTP_PORT, 0)
                .with(Catalogue.PARTITIONS, 2)
                .with(Catalogue.THREADS, 1));
        strake.server().pipeline().awaitReady(PATIENCE);
    }

    @AfterAll
    static void stop() {
        strake.close();
    }

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
    void shouldBringOneChangedDocumentOfFiftyOutAsOneRecord() throws Exception {
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
    void shouldTakeUpAChangedResourceAtOnceAndRemoveWhatWasItsWhenItIsGone() throws Exception {
        things(3, "0");
        publishResource("interval: 24h");
        fetcher();
        await().atMost(PATIENCE).until(() -> rendered().contains("thing-2"));
        things(2, "0");
        publishResource("interval: 23h");
        await().atMost(PATIENCE).until(() -> !rendered().contains("thing-2"));
        publish("");
        await().atMost(PATIENCE).until(() -> !rendered().contains("thing-1"));
    }

    @Test
    void shouldHoldAnEmptyAnswerAndLeaveAllAsItIs() throws Exception {
        things(3, "0");
        publishResource("interval: 1s");
        fetcher();
        await().atMost(PATIENCE).until(() -> rendered().contains("thing-2"));
        content.set("");
        await().atMost(PATIENCE).until(() -> data("state").contains("held"));
        assertThat(rendered()).contains("thing-0", "thing-1", "thing-2");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outcomes("bucket.put")).hasSize(1));
    }

    @Test
    void shouldLoseAndDoubleNothingHoweverOftenItIsKilled() throws Exception {
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
    void shouldShareTheWorkAndGoOnWhenOneFetcherIsGone() throws Exception {
        things(2, "0");
        publishResource("interval: 1s");
        Fetcher first = fetcher();
        fetcher();
        await().atMost(PATIENCE).until(() -> rendered().contains("value: v1-0"));
        first.close();
        things(2, "1");
        await().atMost(PATIENCE).until(() -> rendered().contains("value: v1-1"));
        // The service answers from its stores, which are a moment ahead of the topic of outcomes.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outcomes("bucket.put")).hasSize(2));
    }

    @Test
    void shouldKeepSecretsOutOfEverythingButTheDocumentThatHasThem() throws Exception {
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
                        Cluster.at(strake.bootstrapServers()),
                        TopicNames.DEFAULT_PREFIX,
                        "group-" + workspace,
                        new FetchPolicy(
                                List.of(),
                                List.of(Network.of("127.0.0.0/8")),
                                List.of(),
                                1 << 20,
                                Duration.ofSeconds(10)),
                        Duration.ofMinutes(5),
                        4,
                        directory.resolve("state"),
                        PATIENCE,
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
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.strake.cli.Strake",
                        "fetch",
                        "--bootstrap-servers",
                        strake.bootstrapServers(),
                        "--group",
                        "group-" + workspace,
                        "--allow-private",
                        "127.0.0.1",
                        "--state",
                        directory.resolve("state").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(workspace + ".log").toFile()))
                .start();
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

    private void publishResource(String more) throws IOException {
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

    private void publish(String documents) throws IOException {
        Path file = Files.writeString(directory.resolve(workspace + ".in.yaml"), """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]}
            """ + documents);
        StrakeCommand.run(
                0,
                "publish",
                "-w",
                workspace,
                "-b",
                "by-hand",
                "--wait",
                "--bootstrap-servers",
                strake.bootstrapServers(),
                file.toString());
    }

    private String rendered() {
        return StrakeCommand.run(0, "get", "rendered", "-w", workspace, "--url", strake.url(), "-o", "yaml");
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
        Properties settings = new Properties();
        settings.put("bootstrap.servers", strake.bootstrapServers());
        StringBuilder text = new StringBuilder();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(each.topic(), each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(message -> text.append(
                                message.value() == null ? "" : new String(message.value(), StandardCharsets.UTF_8)));
            }
        }
        return text.toString();
    }
}
