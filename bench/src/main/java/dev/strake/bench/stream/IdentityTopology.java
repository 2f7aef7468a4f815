package dev.strake.bench.stream;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
 * What Kafka Streams costs on its own: a topology that forwards what it reads, and may put it into a RocksDB store
 * first. Runs with the very settings of the topology it is compared with.
 */
final class IdentityTopology implements AutoCloseable {

    static final String IN = "identity-in";
    static final String OUT = "identity-out";
    private static final String ANSWERS = "identity-answers";
    private static final String STORE = "identity";

    /** What it does with a record before it forwards it. */
    enum Kind {
        PLAIN("identity", 0),
        STORE("identity with a store", 1),
        /** The store entries and the two records of a changed leaf, and nothing that would make them. */
        CHANGE("identity with the entries of a change", 8),
        /** The same for a document that a change of its parent reached. */
        CHILD("identity with the entries of a child", 2);

        private final String text;
        private final int puts;

        Kind(String text, int puts) {
            this.text = text;
            this.puts = puts;
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
     * Makes its topics if they are not there, and starts it.
     *
     * @param settings of the topology to compare with
     */
    static IdentityTopology start(
            Map<String, Object> settings, String bootstrapServers, Path state, int partitions, Kind kind)
            throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Set<String> existing = admin.listTopics().names().get();
            List<NewTopic> missing = Stream.of(IN, OUT, ANSWERS)
                    .filter(topic -> !existing.contains(topic))
                    .map(topic -> new NewTopic(topic, partitions, (short) 1))
                    .toList();
            admin.createTopics(missing).all().get();
        }
        Properties config = new Properties();
        config.putAll(settings);
        config.put(
                StreamsConfig.APPLICATION_ID_CONFIG, "identity-" + kind.name().toLowerCase(Locale.ROOT));
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        KafkaStreams streams = new KafkaStreams(topology(kind), config);
        streams.start();
        return new IdentityTopology(streams);
    }

    private static Topology topology(Kind kind) {
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), IN);
        topology.addProcessor("forward", () -> new Forward(kind), "in");
        if (kind.puts > 0) {
            topology.addStateStore(
                    Stores.keyValueStoreBuilder(
                                    Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), Serdes.ByteArray())
                            .withCachingDisabled(),
                    "forward");
        }
        topology.addSink("out", OUT, new ByteArraySerializer(), new ByteArraySerializer(), "forward");
        topology.addSink("answers", ANSWERS, new ByteArraySerializer(), new ByteArraySerializer(), "forward");
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

        /* What most entries have: a few hashes and names. And an outcome. */
        private static final int SMALL = 150;

        private static final int ANSWER = 600;

        private final Kind kind;
        private ProcessorContext<byte[], byte[]> context;
        private KeyValueStore<Bytes, byte[]> store;

        Forward(Kind kind) {
            this.kind = kind;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> newContext) {
            context = newContext;
            store = kind.puts > 0 ? context.getStateStore(STORE) : null;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            for (int i = 0; i < kind.puts; i++) {
                byte[] key = Arrays.copyOf(record.key(), record.key().length + 1);
                key[key.length - 1] = (byte) i;
                // A change puts a document and its rendering, a child its rendering, beside what is small.
                boolean whole = i == 0 || (kind == Kind.CHANGE && i == 1);
                store.put(Bytes.wrap(key), whole ? record.value() : part(record.value(), SMALL));
            }
            context.forward(record, "out");
            if (kind == Kind.CHANGE) {
                context.forward(record.withValue(part(record.value(), ANSWER)), "answers");
            }
        }

        private static byte[] part(byte[] value, int size) {
            return Arrays.copyOf(value, Math.min(size, value.length));
        }
    }
}
