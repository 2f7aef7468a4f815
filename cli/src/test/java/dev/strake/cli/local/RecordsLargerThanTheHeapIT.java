package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program with a heap of 192 MiB, and a record of a few kilobytes that decompresses to more than that. */
class RecordsLargerThanTheHeapIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int UNPACKED = 256 << 20;

    @TempDir
    Path directory;

    @Test
    void shouldBeRefusedByTheBrokerWhileThePipelineGoesOn() throws Exception {
        TestStrake strake = TestStrake.shared();
        Path log = directory.resolve("serve.log");
        Process serve = Packaged.serve("192m", strake.bootstrapServers(), "large", 1, directory, log);
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                strake.bootstrapServers(),
                "compression.type",
                "zstd",
                "max.request.size",
                2 * UNPACKED,
                "buffer.memory",
                2L * UNPACKED);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            await().atMost(TIMEOUT).until(() -> {
                assertThat(serve.isAlive()).as(Files.readString(log)).isTrue();
                return Files.readString(log).contains("HTTP ");
            });
            assertThatThrownBy(() -> producer.send(change(new byte[UNPACKED])).get())
                    .hasCauseInstanceOf(InvalidRecordException.class);
            producer.send(change(TestStrake.POLICY.getBytes(UTF_8))).get();
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(strake.read("large.outcomes"))
                            .extracting(
                                    record -> OutcomeJson.read(record.value()).status())
                            .containsExactly(OutcomeStatus.RENDERED));
            assertThat(serve.isAlive()).as(Files.readString(log)).isTrue();
        } finally {
            serve.destroyForcibly().waitFor();
        }
    }

    private static ProducerRecord<byte[], byte[]> change(byte[] value) {
        return new ProducerRecord<>("large.document-changes", "site".getBytes(UTF_8), value);
    }
}
