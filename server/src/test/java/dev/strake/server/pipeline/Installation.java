package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.secrets.InstallationKeys;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.RenderTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/** Topics of one test on a broker that tests share, and clients that may write and read any size. */
final class Installation implements AutoCloseable {

    /**
     * What is in a topic.
     *
     * @param largest bytes of its largest record
     * @param versions of each key, a checksum of each of its values
     */
    record Written(long largest, Map<String, List<Long>> versions) {

        /** Of each key of a workspace that {@link #at} names. */
        List<List<Long>> versionsOf(String workspace) {
            return versions.entrySet().stream()
                    .filter(each -> each.getKey().matches("(?s)" + workspace + "-[0-9]+\\|.*"))
                    .map(Map.Entry::getValue)
                    .toList();
        }
    }

    /**
     * What is in a store, and so in its changelog.
     *
     * @param largest bytes of its largest entry as a record
     */
    record Stored(long largest, long checksum) {}

    static final Duration TIMEOUT = Duration.ofMinutes(10);
    static final int MIB = 1 << 20;

    private final KafkaSettings kafka;
    private final String prefix;
    private final int partitions;
    private final Settings settings;
    private final InstallationKeys keys;
    private final Map<String, KafkaProducer<byte[], byte[]>> publishers = new HashMap<>();
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final List<String> answeredTwice = new ArrayList<>();
    private final KafkaConsumer<byte[], byte[]> reader;

    /**
     * @param data where a pipeline has its state
     * @param more than the settings that all tests need
     */
    Installation(EmbeddedBroker broker, String prefix, int partitions, Path data, Settings more) {
        this.kafka = KafkaSettings.of(broker.bootstrapServers());
        this.prefix = prefix;
        this.partitions = partitions;
        this.settings = more.with(Catalogue.APPLICATION_ID, prefix + "app")
                .with(Catalogue.TOPIC_PREFIX, prefix)
                .with(Catalogue.PARTITIONS, partitions)
                .with(Catalogue.REPLICATION_FACTOR, 1)
                .with(Catalogue.THREADS, partitions)
                .with(Catalogue.DATA, data);
        this.keys = InstallationKeys.of(settings);
        new TopicSet(prefix).ensure(kafka, partitions, Optional.of(Short.valueOf((short) 1)));
        this.reader = reader(prefix + TopicNames.OUTCOMES);
    }

    @Override
    public void close() {
        publishers.values().forEach(KafkaProducer::close);
        reader.close();
        keys.close();
    }

    String topic(String name) {
        return prefix + name;
    }

    KafkaSettings kafka() {
        return kafka;
    }

    Pipeline start() {
        return Pipeline.start(new PipelineSettings(kafka, settings), keys, PipelineObserver.NONE);
    }

    /** A record for a workspace whose name begins so, and that belongs to this partition. */
    ProducerRecord<byte[], byte[]> at(String workspace, int partition) {
        String name = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> workspace + "-" + i)
                .filter(each -> WorkspaceKey.partition(each, partitions) == partition)
                .findFirst()
                .orElseThrow();
        return new ProducerRecord<>(topic(TopicNames.CHANGES), partition, name.getBytes(UTF_8), null);
    }

    void publish(String codec, ProducerRecord<byte[], byte[]> to, String id, byte[] value) throws Exception {
        Headers headers = to.headers().add(HeaderNames.CE_ID, id.getBytes(UTF_8));
        publishers
                .computeIfAbsent(
                        codec,
                        name -> new KafkaProducer<>(
                                kafka.with(Map.of(
                                        "compression.type", name,
                                        "max.request.size", 256 * MIB,
                                        "buffer.memory", 256 * MIB)),
                                new ByteArraySerializer(),
                                new ByteArraySerializer()))
                .send(new ProducerRecord<>(to.topic(), to.partition(), null, to.key(), value, headers))
                .get();
    }

    Outcome outcome(String id) {
        return outcomes.get(id);
    }

    /** Waits until so many changes have been answered since the test began, none of them twice. */
    void awaitOutcomes(int count, Pipeline pipeline) {
        await().pollInterval(Duration.ofMillis(1))
                .atMost(TIMEOUT)
                .until(
                        () -> { // poll waits
                            for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(100))) {
                                Outcome outcome = OutcomeJson.read(record.value());
                                Outcome.Change change = outcome.change();
                                String of = outcome.status() == OutcomeStatus.PENDING ? change.input() : change.id();
                                if (outcomes.put(of, outcome) != null) {
                                    answeredTwice.add(of);
                                }
                            }
                            assertThat(pipeline.probes().live().get().fine())
                                    .as("alive")
                                    .isTrue();
                            return outcomes.size() >= count;
                        });
        assertThat(answeredTwice).isEmpty();
    }

    /** Publishes a small change to each partition, under ids that begin so, and sees it rendered. */
    void assertWorksOn(Pipeline pipeline, String id, byte[] change) throws Exception {
        int before = outcomes.size();
        for (int partition = 0; partition < partitions; partition++) {
            publish("none", at(id, partition), id + "-" + partition, change);
        }
        awaitOutcomes(before + partitions, pipeline);
        for (int partition = 0; partition < partitions; partition++) {
            assertThat(outcomes.get(id + "-" + partition).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    KafkaConsumer<byte[], byte[]> reader(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                kafka.with(Map.of("isolation.level", "read_committed", "max.poll.records", 4)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        return consumer;
    }

    /** What is in the topics that the pipeline writes, dead letters aside, by their names without the prefix. */
    Map<String, Written> written() {
        TopicSet topics = new TopicSet(prefix);
        topics.addCleartext(kafka, false);
        Map<String, Written> all = new TreeMap<>();
        for (String topic : topics.names()) {
            if (!topic.endsWith(TopicNames.CHANGES) && !topic.endsWith(TopicNames.DEAD_LETTERS)) {
                all.put(topic.substring(prefix.length()), written(topic));
            }
        }
        return all;
    }

    private Written written(String topic) {
        long largest = 0;
        Map<String, List<Long>> versions = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> all = reader(topic)) {
            Map<TopicPartition, Long> ends = all.endOffsets(all.assignment());
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> all.position(end.getKey()) < end.getValue())) {
                assertThat(System.nanoTime()).as(topic).isLessThan(deadline);
                for (ConsumerRecord<byte[], byte[]> record : all.poll(Duration.ofMillis(100))) {
                    largest = Math.max(largest, RecordSize.of(record.key(), record.value(), record.headers()));
                    List<Long> of = versions.computeIfAbsent(new String(record.key(), UTF_8), key -> new ArrayList<>());
                    if (record.value() != null) {
                        of.add(checksum(record.value()));
                    }
                }
            }
        }
        return new Written(largest, versions);
    }

    /** What is in the stores. */
    Map<String, Stored> stores(Pipeline pipeline) {
        Map<String, Stored> all = new TreeMap<>();
        for (String store : RenderTopology.STORES) {
            long checksum = 0;
            long largest = 0;
            try (var entries = pipeline.streams()
                    .store(StoreQueryParameters.fromNameAndType(
                            store, QueryableStoreTypes.<Bytes, byte[]>keyValueStore()))
                    .all()) {
                while (entries.hasNext()) {
                    KeyValue<Bytes, byte[]> entry = entries.next();
                    checksum = 31 * (31 * checksum + checksum(entry.key.get())) + checksum(entry.value);
                    largest = Math.max(largest, RecordSize.of(entry.key.get(), entry.value, new RecordHeaders()));
                }
            }
            all.put(store, new Stored(largest, checksum));
        }
        return all;
    }

    private static long checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return checksum.getValue();
    }
}
