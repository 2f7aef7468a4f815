package dev.strake.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.pipeline.PackedBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program with a small heap, and records of some kilobytes that unpack to much more than that. */
class LargerThanTheHeapIT {

    private static final int GIB = 1 << 30;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String POLICY = """
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
             "data": {"layerOrder": ["%s"]}}""";

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private Process strake;
    private KafkaConsumer<byte[], byte[]> reader;
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        Path log = directory.resolve("strake.log");
        strake = Packaged.serve("256m", broker.bootstrapServers(), "small", 2, directory, log);
        await().atMost(TIMEOUT).until(() -> Files.readString(log).contains("HTTP "));
        reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> answers = new ArrayList<>();
        for (int partition = 0; partition < 2; partition++) {
            answers.add(new TopicPartition("small.outcomes", partition));
            answers.add(new TopicPartition("small.dead-letters", partition));
        }
        reader.assign(answers);
        reader.seekToBeginning(answers);
    }

    @AfterEach
    void stop() throws Exception {
        reader.close();
        strake.destroyForcibly().waitFor();
        broker.close();
    }

    @Test
    void shouldAnswerRecordsThatAreLargerThanTheHeapAndAllOthersOfTheirBatches() throws Exception {
        send(0, "zstd");
        send(1, "lz4");
        awaitAnswers(10, 4);
        for (int partition = 0; partition < 2; partition++) {
            assertThat(outcomes.get("before-" + partition).status()).isEqualTo(OutcomeStatus.RENDERED);
            assertRejected("value-" + partition, Integer.toString(GIB + 1));
            assertRejected("headers-" + partition, "bytes unpacked");
            assertThat(outcomes.get("again-" + partition).status()).isEqualTo(OutcomeStatus.UNCHANGED);
            assertThat(outcomes.get("after-" + partition).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
        assertThat(letters)
                .extracting(letter -> text(letter, HeaderNames.UNCUT_VALUE_BYTES))
                .filteredOn(Integer.toString(GIB)::equals)
                .hasSize(2);
        assertThat(letters)
                .extracting(letter -> text(letter, HeaderNames.DROPPED_HEADERS))
                .filteredOn("1"::equals)
                .hasSize(2);
        assertThat(strake.isAlive())
                .as(Files.readString(directory.resolve("strake.log")))
                .isTrue();
    }

    /* Neither Kafka nor anybody else can unpack less of a block of snappy than all of it. */
    @Test
    void shouldTellOfEachRecordOfABlockThatNobodyCanUnpackInPieces() throws Exception {
        String workspace = workspace(0);
        send(
                0,
                PackedBatch.inOneBlock()
                        .add(workspace, POLICY.formatted("site"), 0, "ce_id", "beside")
                        .add(workspace, "#", 120 << 20, "ce_id", "large"));
        send(0, new PackedBatch("snappy").add(workspace, POLICY.formatted("site"), 0, "ce_id", "behind"));
        awaitAnswers(1, 2);
        assertThat(outcomes.get("behind").status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.key()).isNull();
            assertThat(Long.parseLong(text(letter, HeaderNames.UNREAD_BLOCK_BYTES)))
                    .isGreaterThan(120 << 20);
            assertThat(text(letter, "__streams.errors.message")).contains("snappy packed");
        });
    }

    private void send(int partition, PackedBatch batch) throws Exception {
        PackedBatch.send(
                broker.bootstrapServers(), new TopicPartition("small.document-changes", partition), batch.bytes());
    }

    private void send(int partition, String codec) throws Exception {
        String workspace = workspace(partition);
        String headers = "x".repeat(70 << 20);
        PackedBatch batch = new PackedBatch(codec)
                .add(workspace, POLICY.formatted("site"), 0, "ce_id", "before-" + partition)
                .add(workspace, "#", GIB, "ce_id", "value-" + partition)
                .add(workspace, null, 0, "large", headers, "ce_id", "headers-" + partition)
                .add(null, "", GIB)
                .add(null, null, 0, "large", headers)
                .add(workspace, POLICY.formatted("site"), 0, "ce_id", "again-" + partition)
                .add(workspace, POLICY.formatted("other"), 0, "ce_id", "after-" + partition);
        send(partition, batch);
    }

    private static String workspace(int partition) {
        for (int i = 0; ; i++) {
            if (WorkspaceKey.partition("workspace-" + i, 2) == partition) {
                return "workspace-" + i;
            }
        }
    }

    private void awaitAnswers(int changes, int others) {
        await().pollInterval(Duration.ofMillis(1))
                .atMost(TIMEOUT)
                .until(
                        () -> { // poll waits
                            for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(100))) {
                                if (record.topic().endsWith("dead-letters")) {
                                    letters.add(record);
                                } else {
                                    Outcome outcome = OutcomeJson.read(record.value());
                                    assertThat(outcomes.put(outcome.change().id(), outcome))
                                            .isNull();
                                }
                            }
                            assertThat(strake.isAlive())
                                    .as(Files.readString(directory.resolve("strake.log")))
                                    .isTrue();
                            return outcomes.size() >= changes && letters.size() >= others;
                        });
    }

    private void assertRejected(String id, String reason) {
        assertThat(outcomes.get(id).status()).as(id).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcomes.get(id).problems().get(0).describe()).contains(reason);
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
