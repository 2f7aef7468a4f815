package dev.strake.remote.fetch;

import dev.strake.client.Cluster;
import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

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
     * @throws dev.strake.client.KafkaUnavailableException if the cluster does not answer, or has no rendered documents
     */
    void create(Cluster cluster, Duration timeout) {
        for (String topic : List.of(status, memory)) {
            cluster.createLike(rendered, topic, CONFIG, timeout);
        }
    }
}
