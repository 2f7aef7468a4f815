package dev.strake.server.pipeline;

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
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Records that are much larger than they look: each is answered once, and the pipeline works on. */
class RecordSizesIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int PARTITIONS = 2;
    private static final int MIB = 1 << 20;

    @TempDir
    private static Path directory;

    private static EmbeddedBroker broker;

    private final Map<String, KafkaProducer<byte[], byte[]>> publishers = new HashMap<>();
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final List<String> answeredTwice = new ArrayList<>();
    private String prefix;
    private KafkaConsumer<byte[], byte[]> reader;

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
        prefix = test.getTestMethod().orElseThrow().getName() + ".";
        new TopicSet(prefix)
                .ensure(KafkaSettings.of(broker.bootstrapServers()), PARTITIONS, Optional.of(Short.valueOf((short) 1)));
        reader = reader("outcomes");
    }

    @AfterEach
    void closeClients() {
        publishers.values().forEach(KafkaProducer::close);
        reader.close();
    }

    @Test
    void shouldAnswerEveryChangeThatUnpacksToMoreThanATopicTakes() throws Exception {
        publish("lz4", at("plain-1", 0), "plain-1", blank(2 * MIB));
        publish("zstd", at("plain-17", 0), "plain-17", blank(17 * MIB));
        publish("gzip", at("plain-33", 1), "plain-33", blank(33 * MIB));
        publish("snappy", at("plain-64", 0), "plain-64", blank(64 * MIB));
        publish("zstd", at("plain-65", 0), "plain-65", blank(65 * MIB));
        publish("zstd", at("plain-200", 1), "plain-200", blank(200 * MIB));
        publish("gzip", at("dense-26", 1), "dense-26", dense(26 * MIB));
        try (Pipeline pipeline = start()) {
            awaitOutcomes(7, pipeline);
            for (String fine : List.of("plain-1", "plain-17", "plain-33", "plain-64", "dense-26")) {
                assertThat(outcomes.get(fine).status()).as(fine).isEqualTo(OutcomeStatus.RENDERED);
            }
            assertRejectedFor("plain-65", "the change has more than 67108864 bytes");
            assertRejectedFor("plain-200", Integer.toString(200 * MIB));
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldSendHomeWhatFitsAndRejectWhatDoesNot() throws Exception {
        publish("none", astray("home-1"), "home-1", dense(2 * MIB));
        publish("gzip", astray("home-15"), "home-15", dense(15 * MIB));
        publish("zstd", astray("far-17"), "far-17", blank(17 * MIB));
        publish("gzip", astray("far-26"), "far-26", dense(26 * MIB));
        publish("lz4", astray("far-40"), "far-40", blank(40 * MIB));
        publish("zstd", astray("far-65"), "far-65", blank(65 * MIB));
        try (Pipeline pipeline = start()) {
            awaitOutcomes(6, pipeline);
            assertThat(outcomes.get("home-1").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(outcomes.get("home-15").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertRejectedFor("far-17", "partition", Integer.toString(RecordSize.MOST));
            assertRejectedFor("far-26", "partition");
            assertRejectedFor("far-40", "partition");
            assertRejectedFor("far-65", "partition");
            assertThat(outcomes.get("far-40").revision())
                    .as("nobody looks at the workspace there")
                    .isNull();
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldCutDeadLettersToWhatTheirTopicTakes() throws Exception {
        publish("gzip", keyless(0), "2", dense(2 * MIB));
        publish("gzip", keyless(0), "26", dense(26 * MIB));
        publish("zstd", keyless(1), "40", blank(40 * MIB));
        publish("zstd", keyless(1), "100", blank(100 * MIB));
        ProducerRecord<byte[], byte[]> wide = new ProducerRecord<>(prefix + "document-changes", null, blank(MIB));
        wide.headers().add("wide", blank(20 * MIB));
        publish("zstd", wide, "headers", blank(MIB));
        ProducerRecord<byte[], byte[]> longKey =
                new ProducerRecord<>(prefix + "document-changes", 0, blank(40 * MIB), null);
        publish("zstd", longKey, "key", null);
        try (Pipeline pipeline = start();
                KafkaConsumer<byte[], byte[]> letters = reader("dead-letters")) {
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
                assertThat(text(letter.headers(), "__streams.errors.topic")).isEqualTo(prefix + "document-changes");
            }
            assertThat(text(found.get("headers").headers(), HeaderNames.DROPPED_HEADERS))
                    .isEqualTo("1");
            assertThat(text(found.get("key").headers(), HeaderNames.UNCUT_KEY_BYTES))
                    .isEqualTo(Integer.toString(40 * MIB));
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldNotHoldAHundredRecordsOfTwelveMegabytesAtOnce() throws Exception {
        byte[] body = blank(12_000_000);
        for (int i = 0; i < 100; i++) {
            ProducerRecord<byte[], byte[]> record = at("burst", 0);
            if (i % 10 != 0) {
                record.headers().add(HeaderNames.CE_TYPE, "unknown".getBytes(UTF_8)); // answered without being read
            }
            publish("zstd", record, "burst-" + i, body);
        }
        try (Pipeline pipeline = start()) {
            awaitOutcomes(100, pipeline);
            assertThat(outcomes.get("burst-0").status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(outcomes.get("burst-90").status()).isEqualTo(OutcomeStatus.UNCHANGED);
            assertThat(outcomes.get("burst-99").status()).isEqualTo(OutcomeStatus.REJECTED);
            assertWorksOn(pipeline);
        }
    }

    @Test
    void shouldStopAtOnceAndSayWhichTopicDoesNotTakeWhichRecord() throws Exception {
        try (Pipeline pipeline = start();
                Admin admin = KafkaSettings.of(broker.bootstrapServers()).admin(TIMEOUT)) {
            pipeline.awaitReady(TIMEOUT);
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, prefix + "outcomes"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", "100"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            publish("none", at("small", 0), "small", blank(1_000));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !pipeline.probes().live().get().fine());
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageMatching("A record of \\d+ bytes cannot be written to " + prefix
                            + "outcomes\\. RecordTooLargeException: .*")
                    .hasMessageContaining("max.message.bytes=16777216");
        }
        try (KafkaConsumer<byte[], byte[]> letters = reader("dead-letters")) {
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

    private ProducerRecord<byte[], byte[]> at(String workspace, int partition) {
        String name = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> workspace + "-" + i)
                .filter(each -> WorkspaceKey.partition(each, PARTITIONS) == partition)
                .findFirst()
                .orElseThrow();
        return new ProducerRecord<>(prefix + "document-changes", partition, name.getBytes(UTF_8), null);
    }

    private ProducerRecord<byte[], byte[]> astray(String workspace) {
        int wrong = 1 - WorkspaceKey.partition(workspace, PARTITIONS);
        return new ProducerRecord<>(prefix + "document-changes", wrong, workspace.getBytes(UTF_8), null);
    }

    private ProducerRecord<byte[], byte[]> keyless(int partition) {
        return new ProducerRecord<>(prefix + "document-changes", partition, null, null);
    }

    private void publish(String codec, ProducerRecord<byte[], byte[]> to, String id, byte[] value) throws Exception {
        Headers headers = to.headers().add(HeaderNames.CE_ID, id.getBytes(UTF_8));
        publishers
                .computeIfAbsent(
                        codec,
                        name -> new KafkaProducer<>(
                                KafkaSettings.of(broker.bootstrapServers())
                                        .with(Map.of(
                                                "compression.type", name,
                                                "max.request.size", 256 * MIB,
                                                "buffer.memory", 256 * MIB)),
                                new ByteArraySerializer(),
                                new ByteArraySerializer()))
                .send(new ProducerRecord<>(to.topic(), to.partition(), null, to.key(), value, headers))
                .get();
    }

    private Pipeline start() {
        return Pipeline.start(
                new PipelineSettings(
                        KafkaSettings.of(broker.bootstrapServers()),
                        Settings.defaults()
                                .with(Catalogue.APPLICATION_ID, prefix + "app")
                                .with(Catalogue.TOPIC_PREFIX, prefix)
                                .with(Catalogue.PARTITIONS, PARTITIONS)
                                .with(Catalogue.REPLICATION_FACTOR, 1)
                                .with(Catalogue.THREADS, 2)
                                .with(Catalogue.DATA, directory.resolve(prefix))),
                PipelineObserver.NONE);
    }

    private void awaitOutcomes(int count, Pipeline pipeline) {
        await().atMost(TIMEOUT).until(() -> {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(100))) {
                Outcome outcome = OutcomeJson.read(record.value());
                if (outcomes.put(outcome.change().id(), outcome) != null) {
                    answeredTwice.add(outcome.change().id());
                }
            }
            assertThat(pipeline.probes().live().get().fine()).as("alive").isTrue();
            return outcomes.size() >= count;
        });
        assertThat(answeredTwice).isEmpty();
    }

    private void assertRejectedFor(String id, String... reason) {
        Outcome outcome = outcomes.get(id);
        assertThat(outcome.status()).as(id).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.describe()).contains(reason);
        });
    }

    private void assertWorksOn(Pipeline pipeline) throws Exception {
        int before = outcomes.size();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            publish("none", at("after", partition), "after-" + partition, blank(1_000));
        }
        awaitOutcomes(before + PARTITIONS, pipeline);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(outcomes.get("after-" + partition).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    private KafkaConsumer<byte[], byte[]> reader(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                KafkaSettings.of(broker.bootstrapServers())
                        .with(Map.of("isolation.level", "read_committed", "max.poll.records", 4)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> all = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(prefix + topic, partition))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        return consumer;
    }

    private static String text(Headers headers, String name) {
        return new String(headers.lastHeader(name).value(), UTF_8);
    }
}
