package dev.strake.bench.stream;

import dev.strake.engine.render.Digest;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.kafka.TopicSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
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

    /** Keys of records that tell {@link Kind#FAMILY} to begin with nothing, and to publish what came since. */
    static final byte[] BEGIN = {0};

    static final byte[] PUBLISH = {1};

    /** What it does with a record before it forwards it. */
    enum Kind {
        PLAIN("identity", 0, 0, Document.UNTOUCHED),
        STORE("identity with a store", 1, 0, Document.UNTOUCHED),
        /** Reads the document, stores it, and writes it as the contract asks: the least that anything has to do. */
        STORE_READ("identity with a store and the JSON of a change", 1, 0, Document.READ_AND_WRITTEN),
        /** The store entries that a changed leaf makes and ends, its two records, and nothing that would make them. */
        CHANGE("identity with the entries of a change", 5, 3, Document.UNTOUCHED),
        /** And what the contract asks for: JSON is read, JSON is written, with a digest and a content hash. */
        CHANGE_READ("identity with the entries and the JSON of a change", 5, 3, Document.READ_AND_WRITTEN),
        /** No more entries than history, revisions and ids of changes take, and the JSON: the least for the contract. */
        LEAST_READ("identity with the fewest entries and the JSON of a change", 3, 2, Document.READ_AND_WRITTEN),
        /** The entries for a document that a change of its parent reached. */
        CHILD("identity with the entries of a child", 2, 1, Document.UNTOUCHED),
        /** And its JSON written; it was read when it came, and may be in memory. */
        CHILD_WRITTEN("identity with the entries and the JSON of a child", 2, 1, Document.WRITTEN),
        /** Keeps what comes, and publishes all of it with the entries of children in one transaction, when it is told to. */
        FAMILY("identity with the entries of children, all in one transaction", 2, 1, Document.UNTOUCHED);

        private final String text;
        private final int puts;
        private final int deletions;
        private final Document document;

        Kind(String text, int puts, int deletions, Document document) {
            this.text = text;
            this.puts = puts;
            this.deletions = deletions;
            this.document = document;
        }

        /** What the ids of its applications begin with. */
        String application() {
            return "identity-" + name().toLowerCase(Locale.ROOT) + "-";
        }

        boolean isChild() {
            return this == CHILD || this == CHILD_WRITTEN || this == FAMILY;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** What is done with the document of a record. */
    private enum Document {
        UNTOUCHED,
        WRITTEN,
        READ_AND_WRITTEN
    }

    private final KafkaStreams streams;

    private IdentityTopology(KafkaStreams streams) {
        this.streams = streams;
    }

    /**
     * Makes its topics if they are not there, and starts it.
     *
     * @param settings of the topology to compare with
     * @param purpose what it is for, that no other of its kind is: part of its application's id
     */
    static IdentityTopology start(
            Map<String, Object> settings,
            String bootstrapServers,
            Path directory,
            String purpose,
            int partitions,
            Kind kind)
            throws InterruptedException, ExecutionException {
        String application = kind.application() + purpose;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Set<String> existing = admin.listTopics().names().get();
            List<NewTopic> missing = Stream.of(IN, OUT, ANSWERS)
                    .filter(topic -> !existing.contains(topic))
                    .map(topic -> new NewTopic(topic, partitions, (short) 1).configs(config(topic)))
                    .toList();
            admin.createTopics(missing).all().get();
            beginAtEnd(admin, bootstrapServers, application, partitions);
        }
        Properties config = new Properties();
        config.putAll(settings);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        config.put(
                StreamsConfig.STATE_DIR_CONFIG, directory.resolve(application).toString());
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        KafkaStreams streams = new KafkaStreams(topology(kind), config);
        streams.start();
        return new IdentityTopology(streams);
    }

    /*
     * Behind what others of its kind were given. Where a consumer has to find the end for itself, it may do so when it
     * runs already, and miss what was sent in between.
     */
    private static void beginAtEnd(Admin admin, String bootstrapServers, String application, int partitions)
            throws InterruptedException, ExecutionException {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(IN, partition))
                .toList();
        Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
        // A consumer asks again for a topic that was created just now and that the broker does not know yet.
        try (KafkaConsumer<byte[], byte[]> consumer = Arrivals.consumer(bootstrapServers)) {
            consumer.endOffsets(all).forEach((partition, end) -> ends.put(partition, new OffsetAndMetadata(end)));
        }
        admin.alterConsumerGroupOffsets(application, ends).all().get();
    }

    /* What comes out is compacted as rendered documents are: the broker's work for it takes from what shares a machine. */
    private static Map<String, String> config(String topic) {
        return topic.equals(OUT) ? new TopicSet(Workspaces.PREFIX).configs().get(Workspaces.RENDERED) : Map.of();
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
        private final Map<Bytes, Value> inMemory = new HashMap<>();
        private final List<Record<byte[], byte[]>> family = new ArrayList<>();
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
            if (kind != Kind.FAMILY) {
                forward(record);
            } else if (Arrays.equals(record.key(), BEGIN)) {
                family.clear();
            } else if (Arrays.equals(record.key(), PUBLISH)) {
                family.forEach(this::forward);
            } else {
                family.add(record);
            }
        }

        private void forward(Record<byte[], byte[]> record) {
            byte[] value = kind.document == Document.UNTOUCHED ? record.value() : written(record);
            for (int i = 0; i < kind.puts; i++) {
                // A change puts its document beside what is small; what documents render to is not stored.
                boolean whole = i == 0 && !kind.isChild();
                store.put(key(record, i), whole ? value : part(value, SMALL));
            }
            for (int i = 0; i < kind.deletions; i++) {
                store.put(key(record, kind.puts + i), null);
            }
            context.forward(record.withValue(value), "out");
            if (!kind.isChild() && kind.puts > 1) {
                context.forward(record.withValue(part(value, ANSWER)), "answers");
            }
        }

        private static Bytes key(Record<byte[], byte[]> record, int number) {
            byte[] key = Arrays.copyOf(record.key(), record.key().length + 1);
            key[key.length - 1] = (byte) number;
            return Bytes.wrap(key);
        }

        private byte[] written(Record<byte[], byte[]> record) {
            Value document = kind.document == Document.WRITTEN
                    ? inMemory.computeIfAbsent(Bytes.wrap(record.key()), key -> JsonValues.read(record.value()))
                    : JsonValues.read(record.value());
            byte[] value = JsonBytes.of(document);
            byte[] hash = RenderedHeaders.contentHash(value).getBytes(StandardCharsets.UTF_8);
            record.headers().remove(HeaderNames.CONTENT_HASH).add(HeaderNames.CONTENT_HASH, hash);
            record.headers().add("digest", Digest.of(record.key(), value).bytes());
            return value;
        }

        private static byte[] part(byte[] value, int size) {
            return Arrays.copyOf(value, Math.min(size, value.length));
        }
    }
}
