package dev.strake.server.events;

import dev.strake.client.Cluster;
import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The two topics that events come from, and the clients that read them: committed records only, without a group. */
final class Topics implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /* A few kilobytes may unpack to megabytes, and all records of a poll are unpacked at once. */
    private static final int RECORDS_A_POLL = 16;

    private final Cluster cluster;
    private final String outcomes;
    private final String rendered;
    private final int partitions;
    private final Admin admin;

    Topics(Cluster cluster, String prefix, int partitions) {
        this.cluster = cluster;
        this.outcomes = prefix + TopicNames.OUTCOMES;
        this.rendered = prefix + TopicNames.RENDERED;
        this.partitions = partitions;
        this.admin = cluster.admin(TIMEOUT);
    }

    KafkaConsumer<byte[], byte[]> consumer() {
        // Looks ten times a second at the most: viewers do not need more, and the brokers have other things to do.
        Map<String, Object> required = Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                RECORDS_A_POLL,
                ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                1 << 20,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                100,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                4 << 20,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                Math.toIntExact(TIMEOUT.toMillis()));
        return new KafkaConsumer<>(cluster.with(required), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    int partitions() {
        return partitions;
    }

    TopicPartition outcomes(int partition) {
        return new TopicPartition(outcomes, partition);
    }

    TopicPartition rendered(int partition) {
        return new TopicPartition(rendered, partition);
    }

    boolean isOutcome(String topic) {
        return topic.equals(outcomes);
    }

    /**
     * Where both topics end now: between two changes, except that the records of outcomes to come may be before it. Never
     * the other way round, so no record comes whose outcome was before.
     */
    Place end(KafkaConsumer<byte[], byte[]> consumer) {
        Place end = new Place(id(), new long[partitions], new long[partitions]);
        List<TopicPartition> all = new ArrayList<>();
        List<TopicPartition> documents = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            all.add(outcomes(i));
            documents.add(rendered(i));
        }
        consumer.endOffsets(all).forEach((each, offset) -> end.outcomes()[each.partition()] = offset);
        ends(documents).forEach((each, offset) -> end.rendered()[each.partition()] = offset);
        return end;
    }

    /** Where partitions end, what is not committed among it. */
    Map<TopicPartition, Long> ends(Collection<TopicPartition> which) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        which.forEach(each -> latest.put(each, OffsetSpec.latest()));
        Map<TopicPartition, ListOffsetsResultInfo> answers = cluster.await(
                admin.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all(),
                TIMEOUT);
        Map<TopicPartition, Long> ends = new HashMap<>();
        answers.forEach((each, answer) -> ends.put(each, answer.offset()));
        return ends;
    }

    /** What tells these topics from others of the same names. */
    int id() {
        return cluster
                .await(admin.describeTopics(List.of(outcomes, rendered)).allTopicNames(), TIMEOUT)
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
