package dev.strake.server.writing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.server.Server;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who published over HTTP is proven; whoever writes to the topic can claim it and prove nothing. */
class ProvenPrincipalIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String POLICY = """
        schema: deckhand/LayeringPolicy/v1
        metadata: {schema: metadata/Control/v1, name: policy}
        data: {layerOrder: [site]}
        """;
    private static final Token TOKEN = Token.create();

    @TempDir
    static Path directory;

    private static EmbeddedBroker broker;
    private static Server server;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        Path tokens = Files.writeString(
                directory.resolve("tokens"), TOKEN.line("ci-site", List.of(Grant.parse("publisher@*"))) + "\n");
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        server = Server.start(new PipelineSettings(
                KafkaSettings.of(broker.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.DATA, directory.resolve("data"))
                        .with(Catalogue.HTTP_PORT, 0)
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.SECRETS_KEYSET, keyset)
                        .with(Catalogue.ACCESS_TOKENS, tokens)));
        server.pipeline().awaitReady(TIMEOUT);
    }

    @AfterAll
    static void stop() {
        server.close();
        broker.close();
    }

    private static String document(String name, String value) {
        return "---\nschema: example/Server/v1\nmetadata: {schema: metadata/Document/v1, name: " + name
                + ", storagePolicy: cleartext, layeringDefinition: {layer: site}}\ndata: {value: " + value + "}\n";
    }

    private HttpResponse<String> ask(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
                .header("Authorization", "Bearer " + TOKEN.secret())
                .method(method, BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private String put(String workspace, String body) throws Exception {
        HttpResponse<String> answer = ask("PUT", "/workspaces/" + workspace + "/buckets/b?author=somebody", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String revisions(String workspace) throws Exception {
        return ask("GET", "/workspaces/" + workspace + "/revisions", "").body();
    }

    @Test
    void shouldCarryWhoPublishedToTheOutcomeTheRevisionAndTheRecords() throws Exception {
        assertThat(put("carried", POLICY + document("web", "1")))
                .contains("\"principal\":\"ci-site\"", "\"author\":\"somebody\"", "\"status\":\"rendered\"");
        assertThat(revisions("carried")).contains("\"principal\":\"ci-site\"");
        assertThat(ask("GET", "/workspaces", "").body()).contains("\"principal\":\"ci-site\"");
        List<ConsumerRecord<byte[], byte[]>> rendered = records("rendered-documents", "carried", 1);
        assertThat(rendered)
                .allSatisfy(message -> assertThat(
                                RenderedHeaders.read(message.headers()).cause().principal())
                        .isEqualTo("ci-site"));
        // No further revision, and yet it is known who wanted it.
        assertThat(put("carried", POLICY + document("web", "1")))
                .contains("\"principal\":\"ci-site\"", "\"status\":\"unchanged\"");
    }

    @Test
    void shouldProveAChangeInSeveralPartsAsAWhole() throws Exception {
        StringBuilder body = new StringBuilder(POLICY);
        for (int i = 0; i < 20; i++) {
            body.append(document("large-" + i, "x".repeat(500_000)));
        }
        assertThat(put("parts", body.toString())).contains("\"principal\":\"ci-site\"", "\"status\":\"rendered\"");
        assertThat(records("document-changes", "parts", 2)).as("it was cut").hasSizeGreaterThan(1);
    }

    @Test
    void shouldBelieveNoHeaderOfWhoeverWritesToTheTopic() throws Exception {
        put("genuine", POLICY + document("web", "1"));
        ConsumerRecord<byte[], byte[]> genuine =
                records("document-changes", "genuine", 1).get(0);
        // A claim alone; the headers of a genuine change with another body; the genuine change for another workspace.
        send("claimed", POLICY, HeaderNames.PRINCIPAL, "root");
        Headers headers = genuine.headers();
        send(new ProducerRecord<>(
                genuine.topic(), 0, "copied".getBytes(UTF_8), (POLICY + document("x", "2")).getBytes(UTF_8), headers));
        send(new ProducerRecord<>(genuine.topic(), 0, "moved".getBytes(UTF_8), genuine.value(), headers));
        for (String workspace : List.of("claimed", "copied", "moved")) {
            await().atMost(TIMEOUT).until(() -> revisions(workspace).contains("\"status\":\"rendered\""));
            assertThat(revisions(workspace)).as(workspace).doesNotContain("principal");
        }
        // Once more as it is: known by its id, it changes nothing.
        send(new ProducerRecord<>(genuine.topic(), 0, genuine.key(), genuine.value(), headers));
        List<ConsumerRecord<byte[], byte[]>> outcomes = records("outcomes", "genuine", 2);
        assertThat(new String(outcomes.get(1).value(), UTF_8)).contains("\"status\":\"duplicate\"");
    }

    private static void send(String workspace, String body, String... headers) throws Exception {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>("strake.document-changes", 0, workspace.getBytes(UTF_8), body.getBytes(UTF_8));
        for (int i = 0; i < headers.length; i += 2) {
            message.headers().add(headers[i], headers[i + 1].getBytes(UTF_8));
        }
        send(message);
    }

    private static void send(ProducerRecord<byte[], byte[]> message) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(message).get();
        }
    }

    /* Those of a workspace, once there are so many; their keys begin with it, or are it. */
    private static List<ConsumerRecord<byte[], byte[]>> records(String topic, String workspace, int least) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partition = List.of(new TopicPartition("strake." + topic, 0));
            consumer.assign(partition);
            consumer.seekToBeginning(partition);
            await().atMost(TIMEOUT).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(message -> {
                    if (new String(message.key(), UTF_8).startsWith(workspace)) {
                        found.add(message);
                    }
                });
                return found.size() >= least;
            });
        }
        return found;
    }
}
