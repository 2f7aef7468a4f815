package dev.strake.server.pipeline;

import static dev.strake.server.pipeline.Installation.MIB;
import static dev.strake.server.pipeline.Installation.TIMEOUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
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
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Records that are much larger than they look: each is answered once, and the pipeline works on. */
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
        String prefix = test.getTestMethod().orElseThrow().getName() + ".";
        strake = new Installation(broker, prefix, PARTITIONS, directory.resolve(prefix), Settings.defaults());
    }

    @AfterEach
    void closeClients() {
        strake.close();
    }

    @Test
    void shouldAnswerEveryChangeThatUnpacksToMoreThanATopicTakes() throws Exception {
        strake.publish("lz4", strake.at("plain-1", 0), "plain-1", blank(2 * MIB));
        strake.publish("zstd", strake.at("plain-17", 0), "plain-17", blank(17 * MIB));
        strake.publish("gzip", strake.at("plain-33", 1), "plain-33", blank(33 * MIB));
        strake.publish("snappy", strake.at("plain-64", 0), "plain-64", blank(64 * MIB));
        strake.publish("zstd", strake.at("plain-65", 0), "plain-65", blank(65 * MIB));
        strake.publish("zstd", strake.at("plain-200", 1), "plain-200", blank(200 * MIB));
        strake.publish("gzip", strake.at("dense-26", 1), "dense-26", dense(26 * MIB));
        try (Pipeline pipeline = strake.start()) {
            strake.awaitOutcomes(7, pipeline);
            for (String fine : List.of("plain-1", "plain-17", "plain-33", "plain-64", "dense-26")) {
                assertThat(strake.outcome(fine).status()).as(fine).isEqualTo(OutcomeStatus.RENDERED);
            }
            assertRejectedFor("plain-65", "the change has more than 67108864 bytes");
            assertRejectedFor("plain-200", Integer.toString(200 * MIB));
            strake.assertWorksOn(pipeline, "after", blank(1_000));
        }
    }

    @Test
    void shouldSendHomeWhatFitsAndRejectWhatDoesNot() throws Exception {
        strake.publish("none", astray("home-1"), "home-1", dense(2 * MIB));
        strake.publish("gzip", astray("home-15"), "home-15", dense(15 * MIB));
        strake.publish("zstd", astray("far-17"), "far-17", blank(17 * MIB));
        strake.publish("gzip", astray("far-26"), "far-26", dense(26 * MIB));
        strake.publish("lz4", astray("far-40"), "far-40", blank(40 * MIB));
        strake.publish("zstd", astray("far-65"), "far-65", blank(65 * MIB));
        try (Pipeline pipeline = strake.start()) {
            strake.awaitOutcomes(6, pipeline);
            assertThat(strake.outcome("home-1").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(strake.outcome("home-15").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertRejectedFor("far-17", "partition", Integer.toString(RecordSize.MOST));
            assertRejectedFor("far-26", "partition");
            assertRejectedFor("far-40", "partition");
            assertRejectedFor("far-65", "partition");
            assertThat(strake.outcome("far-40").revision())
                    .as("nobody looks at the workspace there")
                    .isNull();
            strake.assertWorksOn(pipeline, "after", blank(1_000));
        }
    }

    @Test
    void shouldCutDeadLettersToWhatTheirTopicTakes() throws Exception {
        strake.publish("gzip", keyless(0), "2", dense(2 * MIB));
        strake.publish("gzip", keyless(0), "26", dense(26 * MIB));
        strake.publish("zstd", keyless(1), "40", blank(40 * MIB));
        strake.publish("zstd", keyless(1), "100", blank(100 * MIB));
        ProducerRecord<byte[], byte[]> wide = new ProducerRecord<>(strake.topic("document-changes"), null, blank(MIB));
        wide.headers().add("wide", blank(20 * MIB));
        strake.publish("zstd", wide, "headers", blank(MIB));
        ProducerRecord<byte[], byte[]> longKey =
                new ProducerRecord<>(strake.topic("document-changes"), 0, blank(40 * MIB), null);
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
                return found.size() == 6;
            });
            assertThat(found.get("2").headers().lastHeader(HeaderNames.UNCUT_VALUE_BYTES))
                    .as("as it came")
                    .isNull();
            assertThat(found.get("2").value()).isEqualTo(dense(2 * MIB));
            for (String cut : List.of("26", "40", "100")) {
                ConsumerRecord<byte[], byte[]> letter = found.get(cut);
                assertThat(text(letter.headers(), HeaderNames.UNCUT_VALUE_BYTES))
                        .isEqualTo(Integer.toString(Integer.parseInt(cut) * MIB));
                assertThat(letter.value().length).isGreaterThan(15 * MIB);
                assertThat(text(letter.headers(), "__streams.errors.topic"))
                        .isEqualTo(strake.topic("document-changes"));
            }
            assertThat(text(found.get("headers").headers(), HeaderNames.DROPPED_HEADERS))
                    .isEqualTo("1");
            assertThat(text(found.get("key").headers(), HeaderNames.UNCUT_KEY_BYTES))
                    .isEqualTo(Integer.toString(40 * MIB));
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
