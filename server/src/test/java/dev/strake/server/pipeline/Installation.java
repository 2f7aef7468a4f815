package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.secrets.InstallationKeys;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of one test on a broker that tests share, and clients that may write and read any size. */
final class Installation implements AutoCloseable {

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
        byte[] name = workspaceOf(workspace, partition, partitions).getBytes(UTF_8);
        return new ProducerRecord<>(topic(TopicNames.CHANGES), partition, name, null);
    }

    /** A name of a workspace that begins so, and that belongs to this partition. */
    static String workspaceOf(String beginning, int partition, int partitions) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> beginning + "-" + i)
                .filter(each -> WorkspaceKey.partition(each, partitions) == partition)
                .findFirst()
                .orElseThrow();
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
        return reader(kafka, topic, partitions);
    }

    /** Reads what is committed to a topic, from its beginning. */
    static KafkaConsumer<byte[], byte[]> reader(KafkaSettings kafka, String topic, int partitions) {
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
}
