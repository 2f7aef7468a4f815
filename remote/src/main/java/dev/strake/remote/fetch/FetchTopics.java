package dev.strake.remote.fetch;

import dev.strake.client.Cluster;
import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topics of fetchers. Status and memory are compacted; their key is {@code workspace|schema|name} of the resource.
 * A workspace has the same partition in all topics, so one fetcher reads all of its records.
 *
 * @param rendered the rendered documents, including resources; written by the pipeline
 * @param status the status of each resource, a document {@code razee/RemoteResourceStatus/v1alpha2}
 * @param memory what was published for each resource, see {@link Memory}
 */
public record FetchTopics(String rendered, String status, String memory) {

    /** The name of the status topic, without the prefix. */
    public static final String STATUS = "remote-resource-status";

    /** The name of the memory topic, without the prefix. */
    public static final String MEMORY = "remote-resource-memory";

    /** The configuration of both topics. A memory lists all documents of a resource, so its record may be large. */
    public static final Map<String, String> CONFIG = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(24 << 20));

    static FetchTopics of(String prefix) {
        return new FetchTopics(prefix + TopicNames.RENDERED, prefix + STATUS, prefix + MEMORY);
    }

    /**
     * Creates missing topics with the partitions of the topic of rendered documents.
     *
     * @throws dev.strake.client.KafkaUnavailableException if the cluster does not answer, or has no rendered documents
     */
    void create(Cluster cluster, Duration timeout) {
        for (String topic : List.of(status, memory)) {
            cluster.createLike(rendered, topic, CONFIG, timeout);
        }
    }
}
