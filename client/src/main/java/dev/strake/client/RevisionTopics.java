package dev.strake.client;

import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** The two topics from which revisions are read. */
public final class RevisionTopics implements AutoCloseable {

    private final Cluster cluster;
    private final String outcomes;
    private final String rendered;
    private final Duration timeout;
    private final Admin admin;

    /**
     * @param prefix the prefix of topic names
     * @param timeout for each answer of the cluster
     */
    public RevisionTopics(Cluster cluster, String prefix, Duration timeout) {
        this.cluster = cluster;
        this.outcomes = prefix + TopicNames.OUTCOMES;
        this.rendered = prefix + TopicNames.RENDERED;
        this.timeout = timeout;
        this.admin = cluster.admin(timeout);
    }

    /**
     * Creates a consumer of committed records without a group. It throws an exception if an offset is gone.
     *
     * @param settings in addition to those of the cluster
     */
    public KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
        return PartitionReader.consumer(Cluster.of(cluster.with(settings)), timeout, "none");
    }

    public TopicPartition outcomes(int partition) {
        return new TopicPartition(outcomes, partition);
    }

    public TopicPartition rendered(int partition) {
        return new TopicPartition(rendered, partition);
    }

    /**
     * Returns the ends of partitions, including open transactions. A transaction becomes visible in one partition
     * before another, so a reader could reach the end of the committed records of both and still miss some.
     */
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> which) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        which.forEach(each -> latest.put(each, OffsetSpec.latest()));
        ListOffsetsOptions uncommitted = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> ends = new HashMap<>();
        cluster.await(admin.listOffsets(latest, uncommitted).all(), timeout)
                .forEach((each, answer) -> ends.put(each, answer.offset()));
        return ends;
    }

    /** Returns a number that changes if the topics are recreated. */
    public int id() {
        return cluster
                .await(admin.describeTopics(List.of(outcomes, rendered)).allTopicNames(), timeout)
                .values()
                .stream()
                .mapToInt(
                        topic -> 31 * topic.name().hashCode() + topic.topicId().hashCode())
                .sum();
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
