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
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** What Kafka Streams costs on its own: a topology that forwards what it reads, with the settings of what it is compared with. */
final class IdentityTopology implements AutoCloseable {

    static final String NAME = "identity";
    static final String IN = "identity-in";
    static final String OUT = "identity-out";

    private final KafkaStreams streams;

    private IdentityTopology(KafkaStreams streams) {
        this.streams = streams;
    }

    /**
     * Makes its topics and starts it.
     *
     * @param settings of the topology to compare with
     */
    static IdentityTopology start(Map<String, Object> settings, String bootstrapServers, Path directory, int partitions)
            throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            // What comes out is compacted as rendered documents are: the broker's work for it takes from what shares a
            // machine.
            NewTopic out = new NewTopic(OUT, partitions, (short) 1)
                    .configs(new TopicSet(Workspaces.PREFIX).configs().get(Workspaces.RENDERED));
            admin.createTopics(List.of(new NewTopic(IN, partitions, (short) 1), out))
                    .all()
                    .get();
        }
        Properties config = new Properties();
        config.putAll(settings);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, NAME);
        config.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(NAME).toString());
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        KafkaStreams streams = new KafkaStreams(topology(), config);
        streams.start();
        return new IdentityTopology(streams);
    }

    private static Topology topology() {
        Topology topology = new Topology();
        topology.addSource("in", new ByteArrayDeserializer(), new ByteArrayDeserializer(), IN);
        topology.addProcessor("forward", Forward::new, "in");
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

        private ProcessorContext<byte[], byte[]> context;

        @Override
        public void init(ProcessorContext<byte[], byte[]> newContext) {
            context = newContext;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            context.forward(record);
        }
    }
}
