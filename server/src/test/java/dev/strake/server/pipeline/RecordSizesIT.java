package dev.strake.server.pipeline;

import static dev.strake.server.Installation.TIMEOUT;
import static dev.strake.server.Installation.workspaceOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.Installation;
import dev.strake.server.kafka.TopicSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Records that decompress to a huge size: the broker rejects them, and the pipeline continues. */
class RecordSizesIT {

    private static final int PARTITIONS = 2;
    private static final int MIB = 1 << 20;

    @TempDir
    private static Path directory;

    private final Map<String, Outcome> found = new HashMap<>();
    private Installation strake;
    private KafkaConsumer<byte[], byte[]> outcomes;

    @BeforeEach
    void createTopics(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName();
        strake = new Installation(name, directory.resolve(name), PARTITIONS);
        new TopicSet(strake.topic("")).ensure(Installation.kafka().cluster(), PARTITIONS, Optional.of((short) 1));
        outcomes = strake.reader(TopicNames.OUTCOMES);
    }

    @AfterEach
    void closeClients() {
        outcomes.close();
        strake.close();
    }

    @Test
    void shouldLetTheBrokerRefuseRecordsThatDecompressBeyondTheLimit() throws Exception {
        publish("zstd", at("plain", 0), "plain", blank(15 * MIB));
        assertThatThrownBy(() -> publish("zstd", at("large", 0), "large", blank(17 * MIB)))
                .cause()
                .isInstanceOf(InvalidRecordException.class);
        try (Pipeline pipeline = strake.startPipeline()) {
            awaitOutcomes(1, pipeline);
            assertThat(found.get("plain").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldForwardMisplacedChangesThatFitAndRejectOthers() throws Exception {
        publish("none", astray("home-1"), "home-1", dense(2 * MIB));
        publish("gzip", astray("home-15"), "home-15", dense(15 * MIB));
        publish("zstd", astray("far"), "far", blank(RecordSize.MOST));
        try (Pipeline pipeline = strake.startPipeline()) {
            awaitOutcomes(3, pipeline);
            assertThat(found.get("home-1").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(found.get("home-15").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertRejectedFor("far", "partition", Integer.toString(RecordSize.MOST));
            assertThat(found.get("far").revision())
                    .as("nobody looks at the workspace there")
                    .isNull();
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldTruncateDeadLettersToTheLimitOfTheirTopic() throws Exception {
        publish("gzip", keyless(0), "small", dense(2 * MIB));
        publish("zstd", keyless(1), "large", blank(RecordSize.MOST));
        ProducerRecord<byte[], byte[]> longKey =
                new ProducerRecord<>(strake.topic("document-changes"), 0, blank(RecordSize.MOST), null);
        publish("zstd", longKey, "key", null);
        try (Pipeline pipeline = strake.startPipeline();
                KafkaConsumer<byte[], byte[]> letters = strake.reader("dead-letters")) {
            Map<String, ConsumerRecord<byte[], byte[]>> dead = new HashMap<>();
            await().atMost(TIMEOUT).until(() -> {
                for (ConsumerRecord<byte[], byte[]> letter : letters.poll(Duration.ofMillis(100))) {
                    dead.put(text(letter.headers(), HeaderNames.CE_ID), letter);
                    assertThat(RecordSize.of(letter.key(), letter.value(), letter.headers()))
                            .isLessThanOrEqualTo(RecordSize.MOST);
                }
                return dead.size() == 3;
            });
            assertThat(dead.get("small").headers().lastHeader(HeaderNames.UNCUT_VALUE_BYTES))
                    .as("as it came")
                    .isNull();
            assertThat(dead.get("small").value()).isEqualTo(dense(2 * MIB));
            ConsumerRecord<byte[], byte[]> large = dead.get("large");
            assertThat(text(large.headers(), HeaderNames.UNCUT_VALUE_BYTES))
                    .isEqualTo(Integer.toString(RecordSize.MOST));
            assertThat(large.value().length).isGreaterThan(15 * MIB);
            assertThat(text(large.headers(), "__streams.errors.topic")).isEqualTo(strake.topic("document-changes"));
            assertThat(text(dead.get("key").headers(), HeaderNames.UNCUT_KEY_BYTES))
                    .isEqualTo(Integer.toString(RecordSize.MOST));
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldStopAtOnceAndNameTheTopicThatRefusesARecord() throws Exception {
        try (Pipeline pipeline = strake.startPipeline();
                Admin admin = Installation.admin()) {
            pipeline.awaitReady(TIMEOUT);
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, strake.topic("outcomes")),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", "100"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            // A broker applies a setting a moment after it acknowledges it.
            await().atMost(TIMEOUT).until(() -> {
                publish("none", at("small", 0), "small", blank(1_000));
                return !pipeline.probes().live().get().fine();
            });
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageMatching("A record of \\d+ bytes cannot be written to " + strake.topic("outcomes")
                            + "\\. RecordTooLargeException: .*")
                    .hasMessageContaining("max.message.bytes=16777216");
        }
        try (KafkaConsumer<byte[], byte[]> letters = strake.reader("dead-letters")) {
            assertThat(letters.poll(Duration.ofSeconds(1)))
                    .as("dead letters of a change that has a workspace")
                    .isEmpty();
        }
    }

    private ProducerRecord<byte[], byte[]> at(String workspace, int partition) {
        byte[] name = workspaceOf(workspace, partition, PARTITIONS).getBytes(UTF_8);
        return new ProducerRecord<>(strake.topic(TopicNames.CHANGES), partition, name, null);
    }

    private static void publish(String codec, ProducerRecord<byte[], byte[]> to, String id, byte[] value)
            throws Exception {
        Map<String, Object> settings = Installation.kafka()
                .cluster()
                .with(Map.of("compression.type", codec, "max.request.size", 256 * MIB, "buffer.memory", 256L * MIB));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            Headers headers = to.headers().add(HeaderNames.CE_ID, id.getBytes(UTF_8));
            producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, to.key(), value, headers))
                    .get();
        }
    }

    /* Waits until this many changes have outcomes since the test began, none of them twice. */
    private void awaitOutcomes(int count, Pipeline pipeline) {
        await().atMost(TIMEOUT).until(() -> {
            outcomes.poll(Duration.ofMillis(100)).forEach(record -> {
                Outcome outcome = OutcomeJson.read(record.value());
                assertThat(found.put(outcome.change().id(), outcome)).isNull();
            });
            assertThat(pipeline.probes().live().get().fine()).as("alive").isTrue();
            return found.size() >= count;
        });
    }

    /* Publishes a small change to each partition, and checks that it renders. */
    private void assertWorksOn(Pipeline pipeline) throws Exception {
        int before = found.size();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            publish("none", at("after", partition), "after-" + partition, blank(1_000));
        }
        awaitOutcomes(before + PARTITIONS, pipeline);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(found.get("after-" + partition).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    /* A document, and a comment of blanks, which every codec compresses extremely well. */
    private static byte[] blank(int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) ' ');
        return withDocument(value);
    }

    /* Half of the value is random, as hexadecimal text: some codecs compress it well, others hardly. */
    private static byte[] dense(int bytes) {
        byte[] noise = new byte[bytes / 2];
        new Random(bytes).nextBytes(noise);
        return withDocument(HexFormat.of().formatHex(noise).getBytes(UTF_8));
    }

    private static byte[] withDocument(byte[] value) {
        byte[] document = """
                {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
                 data: {layerOrder: [site]}}
                #""".getBytes(UTF_8);
        System.arraycopy(document, 0, value, 0, document.length);
        return value;
    }

    private ProducerRecord<byte[], byte[]> astray(String workspace) {
        int wrong = 1 - WorkspaceKey.partition(workspace, PARTITIONS);
        return new ProducerRecord<>(strake.topic("document-changes"), wrong, workspace.getBytes(UTF_8), null);
    }

    private ProducerRecord<byte[], byte[]> keyless(int partition) {
        return new ProducerRecord<>(strake.topic("document-changes"), partition, null, null);
    }

    private void assertRejectedFor(String id, String... reason) {
        Outcome outcome = found.get(id);
        assertThat(outcome.status()).as(id).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.describe()).contains(reason);
        });
    }

    private static String text(Headers headers, String name) {
        return new String(headers.lastHeader(name).value(), UTF_8);
    }
}
