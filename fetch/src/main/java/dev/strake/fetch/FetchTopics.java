package dev.strake.fetch;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The topics of fetchers. Both are compacted, and have the key {@code workspace|schema|name} of the resource. A workspace is in
 * the same partition as in all other topics, so that one fetcher has everything of it.
 *
 * @param rendered documents, resources among them; the pipeline writes it
 * @param status of each resource, a document {@code razee/RemoteResourceStatus/v1alpha2}
 * @param memory what was published of each resource, see {@link Memory}
 */
public record FetchTopics(String rendered, String status, String memory) {

    /** Name of the topic of states, without the prefix. */
    public static final String STATUS = "remote-resource-status";

    /** Name of the topic of memories, without the prefix. */
    public static final String MEMORY = "remote-resource-memory";

    /** The settings with which both are made. The memory of a resource lists its documents, so it may be large. */
    public static final Map<String, String> CONFIG = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(24 << 20));

    static FetchTopics of(String prefix) {
        return new FetchTopics(prefix + TopicNames.RENDERED, prefix + STATUS, prefix + MEMORY);
    }

    /**
     * Creates those that are missing, as the topic of rendered documents is.
     *
     * @throws KafkaUnavailableException if the cluster does not answer, or has no rendered documents
     */
    void create(Cluster cluster, Duration timeout) {
        try (Admin admin = cluster.admin(timeout)) {
            Set<String> present = cluster.await(admin.listTopics().names(), timeout);
            if (!present.contains(rendered)) {
                throw new KafkaUnavailableException(
                        "Kafka at %s has no topic %s. 'strake up' and 'strake serve' create it; is --topic-prefix right?"
                                .formatted(cluster.bootstrapServers(), rendered));
            }
            int partitions = partitions(cluster, admin, rendered, timeout);
            for (String topic : List.of(status, memory)) {
                if (!present.contains(topic)) {
                    create(cluster, admin, topic, partitions, timeout);
                } else if (partitions(cluster, admin, topic, timeout) != partitions) {
                    throw new KafkaUnavailableException(
                            "%s has to have as many partitions as %s, %d".formatted(topic, rendered, partitions));
                }
            }
        }
    }

    private static int partitions(Cluster cluster, Admin admin, String topic, Duration timeout) {
        return cluster.await(admin.describeTopics(List.of(topic)).allTopicNames(), timeout)
                .get(topic)
                .partitions()
                .size();
    }

    private static void create(Cluster cluster, Admin admin, String topic, int partitions, Duration timeout) {
        NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(CONFIG);
        try {
            cluster.await(admin.createTopics(List.of(wanted)).all(), timeout);
        } catch (KafkaUnavailableException e) {
            if (!(e.getCause() instanceof TopicExistsException)
                    || e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw e; // if it exists, another fetcher was faster
            }
        }
    }
}
