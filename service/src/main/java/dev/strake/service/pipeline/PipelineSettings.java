package dev.strake.service.pipeline;

import dev.strake.service.kafka.KafkaSettings;
import dev.strake.topology.TopologySettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.StreamsConfig;

/**
 * What one instance of the pipeline needs to know.
 *
 * @param kafka how to reach the cluster
 * @param applicationId names the consumer group, the transactions and the changelogs; all instances that share the
 *     work have the same
 * @param topicPrefix what the names of the topics begin with
 * @param partitions of topics that do not exist yet
 * @param replication of such topics; absent: the cluster's default
 * @param threads that process
 * @param stateDirectory where the stores live; survives restarts
 * @param instanceId a name that this instance keeps over restarts, if it has one: it then comes back without a
 *     rebalance
 * @param acceptEmptyState start although changelogs are not whole, see {@link StateGuard}
 * @param work how the work is done: limits, times, what a problem holds back; its prefix and partitions are those above
 */
public record PipelineSettings(
        KafkaSettings kafka,
        String applicationId,
        String topicPrefix,
        int partitions,
        Optional<Short> replication,
        int threads,
        Path stateDirectory,
        Optional<String> instanceId,
        boolean acceptEmptyState,
        TopologySettings work) {

    /** For a cluster in which nothing was lost. */
    public PipelineSettings(
            KafkaSettings kafka,
            String applicationId,
            String topicPrefix,
            int partitions,
            Optional<Short> replication,
            int threads,
            Path stateDirectory,
            Optional<String> instanceId,
            TopologySettings work) {
        this(
                kafka,
                applicationId,
                topicPrefix,
                partitions,
                replication,
                threads,
                stateDirectory,
                instanceId,
                false,
                work);
    }

    /** Whether an instance says RUNNING before it knows its tasks, as in the group protocol {@code streams}. */
    boolean tasksComeAfterRunning() {
        Object protocol = kafka.with(Map.of()).get(StreamsConfig.GROUP_PROTOCOL_CONFIG);
        return protocol != null && protocol.toString().equalsIgnoreCase("streams");
    }
}
