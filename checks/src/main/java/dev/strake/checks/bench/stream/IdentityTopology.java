package dev.strake.checks.bench.stream;

import dev.strake.server.kafka.TopicSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
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
 * Measures the cost of Kafka Streams alone: a topology that forwards its input, optionally through a RocksDB store.
 * Runs with the same settings as the topology to compare with.
 */
final class IdentityTopology implements AutoCloseable {

    private static final String STORE = "identity";

    /** What the topology does with a record before it forwards it. */
    enum Kind {
        PLAIN("identity", "identity-plain"),
        STORE("identity with a store", "identity-store");

        private final String text;
        private final String application;

        Kind(String text, String application) {
            this.text = text;
            this.application = application;
        }

        String application() {
            return application;
        }

        String in() {
            return application + "-in";
        }

        String out() {
            return application + "-out";
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final KafkaStreams streams;

    private IdentityTopology(KafkaStreams streams) {
        this.streams = streams;
    }

    /**
     * Creates the topics and starts the topology.
     *
     * @param settings of the topology to compare with
     */
    static IdentityTopology start(
            Map<String, Object> settings, String bootstrapServers, Path directory, int partitions, Kind kind)
            throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            // The output is compacted like rendered documents, because compaction takes resources of the shared
            // machine.
            NewTopic out = new NewTopic(kind.out(), partitions, (short) 1)
                    .configs(new TopicSet(Workspaces.PREFIX).configs().get(Workspaces.RENDERED));
            admin.createTopics(List.of(new NewTopic(kind.in(), partitions, (short) 1), out))
                    .all()
                    .get();
        }
        Properties config = new Properties();
        config.putAll(settings);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, kind.application());
        config.put(
                StreamsConfig.STATE_DIR_CONFIG,
                directory.resolve(kind.application()).toString());
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        KafkaStreams streams = new KafkaStreams(topology(kind), config);
        streams.start();
        return new IdentityTopology(streams);
    }

    private static Topology topology(Kind kind) {
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), kind.in());
        topology.addProcessor("forward", () -> new Forward(kind), "in");
        if (kind == Kind.STORE) {
            topology.addStateStore(
                    Stores.keyValueStoreBuilder(
                                    Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), Serdes.ByteArray())
                            .withCachingDisabled(),
                    "forward");
        }
        topology.addSink("out", kind.out(), new ByteArraySerializer(), new ByteArraySerializer(), "forward");
        return topology;
    }

    /** Whether tasks are assigned. */
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

        private final Kind kind;
        private ProcessorContext<byte[], byte[]> context;
        private KeyValueStore<Bytes, byte[]> store;

        Forward(Kind kind) {
            this.kind = kind;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> newContext) {
            context = newContext;
            store = kind == Kind.STORE ? context.getStateStore(STORE) : null;
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
