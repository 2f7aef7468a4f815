package dev.strake.bench.stream;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * What Kafka Streams costs on its own: a topology that forwards what it reads, with or without putting it into one
 * RocksDB store first. Runs with the very settings of the topology it is compared with.
 */
final class IdentityTopology implements AutoCloseable {

    static final String IN = "identity-in";
    static final String OUT = "identity-out";
    private static final String STORE = "identity";

    private final KafkaStreams streams;

    private IdentityTopology(KafkaStreams streams) {
        this.streams = streams;
    }

    /**
     * Makes its topics if they are not there, and starts it.
     *
     * @param settings of the topology to compare with
     */
    static IdentityTopology start(
            Map<String, Object> settings, String bootstrapServers, Path state, int partitions, boolean withStore)
            throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Set<String> existing = admin.listTopics().names().get();
            List<NewTopic> missing = Stream.of(IN, OUT)
                    .filter(topic -> !existing.contains(topic))
                    .map(topic -> new NewTopic(topic, partitions, (short) 1))
                    .toList();
            admin.createTopics(missing).all().get();
        }
        Properties config = new Properties();
        config.putAll(settings);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "identity-" + (withStore ? "with-store" : "plain"));
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        KafkaStreams streams = new KafkaStreams(topology(withStore), config);
        streams.start();
        return new IdentityTopology(streams);
    }

    private static Topology topology(boolean withStore) {
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), IN);
        topology.addProcessor("forward", () -> new Forward(withStore), "in");
        if (withStore) {
            topology.addStateStore(
                    Stores.keyValueStoreBuilder(
                                    Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), Serdes.ByteArray())
                            .withCachingDisabled(),
                    "forward");
        }
        topology.addSink("out", OUT, new ByteArraySerializer(), new ByteArraySerializer(), "forward");
        return topology;
    }

    /** Whether its tasks are there. */
    boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING
                && streams.metadataForLocalThreads().stream()
                        .anyMatch(thread -> !thread.activeTasks().isEmpty());
    }

    @Override
    public void close() {
        streams.close(Duration.ofSeconds(20));
    }

    private static final class Forward implements Processor<byte[], byte[], byte[], byte[]> {

        private final boolean withStore;
        private ProcessorContext<byte[], byte[]> context;
        private KeyValueStore<Bytes, byte[]> store;

        Forward(boolean withStore) {
            this.withStore = withStore;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> newContext) {
            context = newContext;
            store = withStore ? context.getStateStore(STORE) : null;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            if (store != null) {
                store.put(Bytes.wrap(record.key()), record.value());
            }
            context.forward(record);
        }
    }
}
