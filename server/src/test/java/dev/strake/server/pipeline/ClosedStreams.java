package dev.strake.server.pipeline;

import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.store.LiveHeads;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.TaskMetadataImpl;
import org.apache.kafka.streams.processor.internals.ThreadMetadataImpl;

/** Streams whose threads have tasks but no open stores: not started yet, or stopped after a close. */
public class ClosedStreams extends KafkaStreams {

    private static final int PARTITIONS = 2;

    public ClosedStreams() {
        super(topology(), settings());
    }

    private static Topology topology() {
        return new Topology().addSource("source", "changes");
    }

    private static Properties settings() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "closed");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        return settings;
    }

    public Placement placement() {
        return new Placement(this, PARTITIONS, new LiveHeads(), InstalledKeys.NONE, Optional.empty());
    }

    @Override
    public Set<ThreadMetadata> metadataForLocalThreads() {
        Set<TaskMetadata> tasks = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TaskMetadataImpl(
                        new TaskId(0, partition),
                        Set.of(new TopicPartition("changes", partition)),
                        Map.of(),
                        Map.of(),
                        Optional.empty()))
                .collect(Collectors.toSet());
        return Set.of(
                new ThreadMetadataImpl("thread", "RUNNING", "main", "restore", "producer", "admin", tasks, Set.of()));
    }
}
