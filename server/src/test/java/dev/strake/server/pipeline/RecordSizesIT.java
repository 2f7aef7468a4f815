package dev.strake.server.pipeline;

import static dev.strake.server.pipeline.Installation.MIB;
import static dev.strake.server.pipeline.Installation.TIMEOUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are much larger than they look: the broker bounds them, and the pipeline works on. */
class RecordSizesIT {

    private static final int PARTITIONS = 2;

    @TempDir
    private static Path directory;

    private static EmbeddedBroker broker;

    private Installation strake;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void createTopics(TestInfo test) {
        String prefix = test.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(test.getDisplayName().hashCode()) + ".";
        strake = new Installation(broker, prefix, PARTITIONS, directory.resolve(prefix), Settings.defaults());
    }

    @AfterEach
    void closeClients() {
        strake.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "snappy", "lz4", "zstd"})
    void shouldHaveTheBrokerRefuseWhatUnpacksToMoreThanATopicTakes(String codec) throws Exception {
        strake.publish(codec, strake.at("plain", 0), "plain", blank(15 * MIB));
        assertThatThrownBy(() -> strake.publish(codec, strake.at("large", 0), "large", blank(17 * MIB)))
                .cause()
                .isInstanceOf(InvalidRecordException.class);
        try (Pipeline pipeline = strake.start()) {
            strake.awaitOutcomes(1, pipeline);
            assertThat(strake.outcome("plain").status()).isEqualTo(OutcomeStatus.RENDERED);
            strake.assertWorksOn(pipeline, "after", blank(1_000));
        }
    }

    @Test
    void shouldSendHomeWhatFitsAndRejectWhatDoesNot() throws Exception {
        strake.publish("none", astray("home-1"), "home-1", dense(2 * MIB));
        strake.publish("gzip", astray("home-15"), "home-15", dense(15 * MIB));
        strake.publish("zstd", astray("far"), "far", blank(RecordSize.MOST));
        try (Pipeline pipeline = strake.start()) {
            strake.awaitOutcomes(3, pipeline);
            assertThat(strake.outcome("home-1").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(strake.outcome("home-15").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertRejectedFor("far", "partition", Integer.toString(RecordSize.MOST));
            assertThat(strake.outcome("far").revision())
                    .as("nobody looks at the workspace there")
                    .isNull();
            strake.assertWorksOn(pipeline, "after", blank(1_000));
        }
    }

    @Test
    void shouldCutDeadLettersToWhatTheirTopicTakes() throws Exception {
        strake.publish("gzip", keyless(0), "small", dense(2 * MIB));
        strake.publish("zstd", keyless(1), "large", blank(RecordSize.MOST));
        ProducerRecord<byte[], byte[]> longKey =
                new ProducerRecord<>(strake.topic("document-changes"), 0, blank(RecordSize.MOST), null);
        strake.publish("zstd", longKey, "key", null);
        try (Pipeline pipeline = strake.start();
                KafkaConsumer<byte[], byte[]> letters = strake.reader(strake.topic("dead-letters"))) {
            Map<String, ConsumerRecord<byte[], byte[]>> found = new HashMap<>();
            await().atMost(TIMEOUT).until(() -> {
                for (ConsumerRecord<byte[], byte[]> letter : letters.poll(Duration.ofMillis(100))) {
                    found.put(text(letter.headers(), HeaderNames.CE_ID), letter);
                    assertThat(RecordSize.of(letter.key(), letter.value(), letter.headers()))
                            .isLessThanOrEqualTo(RecordSize.MOST);
                }
                return found.size() == 3;
            });
            assertThat(found.get("small").headers().lastHeader(HeaderNames.UNCUT_VALUE_BYTES))
                    .as("as it came")
                    .isNull();
            assertThat(found.get("small").value()).isEqualTo(dense(2 * MIB));
            ConsumerRecord<byte[], byte[]> large = found.get("large");
            assertThat(text(large.headers(), HeaderNames.UNCUT_VALUE_BYTES))
                    .isEqualTo(Integer.toString(RecordSize.MOST));
            assertThat(large.value().length).isGreaterThan(15 * MIB);
            assertThat(text(large.headers(), "__streams.errors.topic")).isEqualTo(strake.topic("document-changes"));
            assertThat(text(found.get("key").headers(), HeaderNames.UNCUT_KEY_BYTES))
                    .isEqualTo(Integer.toString(RecordSize.MOST));
            strake.assertWorksOn(pipeline, "after", blank(1_000));
        }
    }

    @Test
    void shouldNotHoldAHundredRecordsOfTwelveMegabytesAtOnce() throws Exception {
        byte[] body = blank(12_000_000);
        for (int i = 0; i < 100; i++) {
            ProducerRecord<byte[], byte[]> record = strake.at("burst", 0);
            if (i % 10 != 0) {
                record.headers().add(HeaderNames.CE_TYPE, "unknown".getBytes(UTF_8)); // answered without being read
            }
            strake.publish("zstd", record, "burst-" + i, body);
        }
        try (Pipeline pipeline = strake.start()) {
            strake.awaitOutcomes(100, pipeline);
            assertThat(strake.outcome("burst-0").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(strake.outcome("burst-90").status()).isEqualTo(OutcomeStatus.UNCHANGED);
            assertThat(strake.outcome("burst-99").status()).isEqualTo(OutcomeStatus.REJECTED);
            strake.assertWorksOn(pipeline, "after", blank(1_000));
        }
    }

    @Test
    void shouldStopAtOnceAndSayWhichTopicDoesNotTakeWhichRecord() throws Exception {
        try (Pipeline pipeline = strake.start();
                Admin admin = strake.kafka().admin(TIMEOUT)) {
            pipeline.awaitReady(TIMEOUT);
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, strake.topic("outcomes")),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", "100"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            strake.publish("none", strake.at("small", 0), "small", blank(1_000));
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> !pipeline.probes().live().get().fine());
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageMatching("A record of \\d+ bytes cannot be written to " + strake.topic("outcomes")
                            + "\\. RecordTooLargeException: .*")
                    .hasMessageContaining("max.message.bytes=16777216");
        }
        try (KafkaConsumer<byte[], byte[]> letters = strake.reader(strake.topic("dead-letters"))) {
            assertThat(letters.poll(Duration.ofSeconds(1)))
                    .as("dead letters of a change that has a workspace")
                    .isEmpty();
        }
    }

    /* A document, and blanks in a comment that nearly all of a codec's work is lost on. */
    private static byte[] blank(int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) ' ');
        return withDocument(value);
    }

    /* Half of it is noise: what is packed well by one codec is packed hardly at all by another. */
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
        Outcome outcome = strake.outcome(id);
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
