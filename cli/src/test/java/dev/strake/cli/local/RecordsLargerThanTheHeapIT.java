package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.broker.EmbeddedBroker;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program with 256 MiB of heap, and a record of some kilobytes that unpacks to a gigabyte. */
class RecordsLargerThanTheHeapIT {

    private static final int GIB = 1 << 30;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    private Path directory;

    @Test
    void shouldBeRefusedByTheBrokerWhileThePipelineGoesOn() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0)) {
            Process serve = Packaged.serve("256m", broker.bootstrapServers(), "strake", 1, directory, log());
            assertRefusedAndGoesOn(serve, broker.bootstrapServers());
        }
    }

    @Test
    void shouldBeRefusedByTheBrokerOfUpWhichGoesOn() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        List<String> command = List.of(
                "up", "--partitions=1", "--data=" + directory.resolve("up"), "--kafka-port=" + port, "--http-port=0");
        Process up = new ProcessBuilder(Packaged.line(List.of("-Xmx256m"), command))
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        assertRefusedAndGoesOn(up, "127.0.0.1:" + port);
    }

    private void assertRefusedAndGoesOn(Process strake, String bootstrapServers) throws Exception {
        try {
            await().atMost(TIMEOUT).until(() -> {
                assertThat(strake.isAlive()).as(Files.readString(log())).isTrue();
                return Files.readString(log()).contains("HTTP ");
            });
            assertThat(HugeRecord.send(bootstrapServers, "strake.document-changes", "site", GIB))
                    .isEqualTo(Errors.INVALID_RECORD);
            publish(bootstrapServers);
            assertThat(outcomes(bootstrapServers, strake))
                    .extracting(Outcome::status)
                    .containsExactly(OutcomeStatus.RENDERED);
            assertThat(Files.readString(log())).doesNotContain("OutOfMemoryError");
        } finally {
            strake.destroyForcibly().waitFor();
        }
    }

    private Path log() {
        return directory.resolve("strake.log");
    }

    private static void publish(String bootstrapServers) throws Exception {
        String policy = """
                {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
                 "data": {"layerOrder": ["site"]}}""";
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            "strake.document-changes", "site".getBytes(UTF_8), policy.getBytes(UTF_8)))
                    .get();
        }
    }

    private List<Outcome> outcomes(String bootstrapServers, Process strake) {
        List<Outcome> found = new ArrayList<>();
        TopicPartition outcomes = new TopicPartition("strake.outcomes", 0);
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            reader.assign(List.of(outcomes));
            reader.seekToBeginning(List.of(outcomes));
            await().atMost(TIMEOUT).until(() -> {
                assertThat(strake.isAlive()).as(Files.readString(log())).isTrue();
                reader.poll(Duration.ofMillis(100)).forEach(record -> found.add(OutcomeJson.read(record.value())));
                return !found.isEmpty();
            });
        }
        return found;
    }
}
