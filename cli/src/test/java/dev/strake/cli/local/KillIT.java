package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the whole of Strake, broker and pipeline, during writes, and afterwards checks only the topics: nothing
 * lost, nothing twice, no revision missing.
 */
class KillIT {

    private static final int KILLS = 3;
    private static final int WORKSPACES = 4;
    private static final int DOCUMENTS = 12;
    private static final int CHANGES_BETWEEN_KILLS = 60;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String OUTCOMES = "strake.outcomes";
    private static final String RENDERED = "strake.rendered-documents";

    @TempDir
    Path directory;

    private final Map<String, MapValue> expected = new TreeMap<>();
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private final Random random = new Random(20260131);
    private int kafkaPort;
    private Process strake;
    private KafkaProducer<byte[], byte[]> producer;
    private int changes;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            kafkaPort = socket.getLocalPort();
        }
        startStrake();
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", "127.0.0.1:" + kafkaPort);
        config.put("enable.idempotence", true);
        config.put("delivery.timeout.ms", 120_000);
        config.put("reconnect.backoff.max.ms", 200);
        config.put("max.block.ms", 90_000);
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void stop() throws InterruptedException {
        producer.close(Duration.ZERO);
        strake.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }

    private void startStrake() throws IOException {
        List<String> command = Packaged.line(
                List.of("-Xmx384m"),
                List.of(
                        "up",
                        "--data",
                        directory.resolve("data").toString(),
                        "--kafka-port",
                        Integer.toString(kafkaPort),
                        "--http-port",
                        "0"));
        File log = new File("target/kill-it.log"); // kept for debugging
        strake = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    @Test
    void shouldLoseAndRepeatNothingWhenKilledUnderLoad() throws Exception {
        for (int workspace = 0; workspace < WORKSPACES; workspace++) {
            publishAll(workspace);
        }
        awaitOutcomes(changes);
        for (int kill = 0; kill < KILLS; kill++) {
            int before = changes;
            for (int i = 0; i < CHANGES_BETWEEN_KILLS; i++) {
                publishOne();
            }
            // Changes are in flight during the kill: some have outcomes, most do not.
            awaitOutcomes(before + 1 + random.nextInt(CHANGES_BETWEEN_KILLS / 3));
            strake.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
            startStrake();
            for (int i = 0; i < CHANGES_BETWEEN_KILLS / 3; i++) {
                publishOne(); // while the pipeline recovers; the first waits for the broker
            }
        }
        for (Future<RecordMetadata> future : sent) {
            future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        awaitOutcomes(changes);
        List<Outcome> outcomes = outcomes();
        assertThat(outcomes)
                .extracting(outcome -> outcome.change().id())
                .doesNotHaveDuplicates()
                .hasSize(changes);
        assertThat(outcomes).extracting(Outcome::status).containsOnly(OutcomeStatus.RENDERED);
        for (int workspace = 0; workspace < WORKSPACES; workspace++) {
            String name = "ws-" + workspace;
            List<Outcome> own = outcomes.stream()
                    .filter(outcome -> outcome.workspace().equals(name))
                    .toList();
            for (int i = 0; i < own.size(); i++) {
                assertThat(own.get(i).revision()).as(name).isEqualTo(i + 1);
            }
            assertRendered(name, own.get(own.size() - 1));
        }
    }

    private void publishAll(int workspace) {
        StringBuilder text = new StringBuilder("""
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: policy}
                data: {layerOrder: [site]}
                """);
        for (int document = 0; document < DOCUMENTS; document++) {
            text.append("---\n").append(document(workspace, document, 0));
        }
        publish(workspace, text.toString(), ChangeType.BUCKET_PUT);
    }

    private void publishOne() {
        int workspace = random.nextInt(WORKSPACES);
        String text = document(workspace, random.nextInt(DOCUMENTS), changes);
        publish(workspace, text, ChangeType.DOCUMENTS_PUT);
    }

    private String document(int workspace, int document, int value) {
        expected.put("ws-" + workspace + "|example/Thing/v1|d-" + document, value(value));
        return """
                schema: example/Thing/v1
                metadata:
                  schema: metadata/Document/v1
                  name: d-%d
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: {value: %d}
                """.formatted(document, value);
    }

    private static MapValue value(int value) {
        return MapValue.of("value", Num.of(value));
    }

    private void publish(int workspace, String text, ChangeType type) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                "strake.document-changes",
                ("ws-" + workspace).getBytes(StandardCharsets.UTF_8),
                text.getBytes(StandardCharsets.UTF_8));
        record.headers().add(HeaderNames.CE_ID, ("change-" + changes++).getBytes(StandardCharsets.UTF_8));
        record.headers().add(HeaderNames.CE_TYPE, type.text().getBytes(StandardCharsets.UTF_8));
        sent.add(producer.send(record));
    }

    private void awaitOutcomes(int count) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> outcomes().size() >= count);
    }

    private List<Outcome> outcomes() {
        return read(OUTCOMES).stream()
                .map(record -> OutcomeJson.read(record.value()))
                .toList();
    }

    /* Checks the state of a consumer that reads from the beginning, and that no record repeats its predecessor. */
    private void assertRendered(String workspace, Outcome last) {
        Map<String, byte[]> held = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : read(RENDERED)) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (key.startsWith(workspace + "|")) {
                byte[] before = held.put(key, record.value());
                assertThat(record.value()).as("published again: %s", key).isNotEqualTo(before);
            }
        }
        Digest digest = Digest.ZERO;
        for (Map.Entry<String, byte[]> entry : held.entrySet()) {
            digest = digest.plus(Digest.of(RenderedKey.of(entry.getKey()).document(), entry.getValue()));
        }
        assertThat(digest).hasToString(last.published().contentHash());
        assertThat(held).hasSize(last.published().records());
        expected.forEach((key, data) -> {
            if (key.startsWith(workspace + "|")) {
                MapValue tree = (MapValue) JsonReader.read(held.get(key));
                assertThat(Document.ofValid(tree).data()).as(key).isEqualTo(data);
            }
        });
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        return TestStrake.read("127.0.0.1:" + kafkaPort, topic);
    }
}
