package dev.strake.client;

import dev.strake.serdes.change.WorkspaceKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the partition of a workspace in a topic, or all partitions. Returns committed records only, and uses no
 * consumer group, so reading leaves no trace in the cluster.
 */
public final class PartitionReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    /* A few kilobytes may decompress to megabytes, and a poll decompresses all its records at once. */
    private static final int RECORDS_A_POLL = 16;

    private final Cluster cluster;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    private PartitionReader(Cluster cluster, KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
        this.cluster = cluster;
        this.consumer = consumer;
        this.partitions = partitions;
    }

    /**
     * Opens a reader of the partition of a workspace. Its position is fixed when this method returns: the reader misses
     * no record written afterwards.
     *
     * @param fromBeginning whether to start at the beginning of the topic rather than at its end
     * @throws IllegalArgumentException if the name is not valid for a workspace
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topic
     */
    public static PartitionReader open(
            Cluster cluster, String topic, String workspace, boolean fromBeginning, Duration timeout) {
        requireName(workspace);
        return open(
                cluster, timeout, fromBeginning, consumer -> List.of(partition(consumer, cluster, topic, workspace)));
    }

    /** Rejects a name that no workspace can have: a record with such a key becomes a dead letter. */
    static void requireName(String workspace) {
        if (!WorkspaceKey.isName(workspace)) {
            throw new IllegalArgumentException("the name of a workspace has to have " + WorkspaceKey.RULE);
        }
    }

    /** Opens a reader of all partitions, positioned at their ends. */
    static PartitionReader ofAll(Cluster cluster, String topic, Duration timeout) {
        return open(cluster, timeout, false, consumer -> partitions(consumer, cluster, topic));
    }

    private static PartitionReader open(
            Cluster cluster,
            Duration timeout,
            boolean fromBeginning,
            Function<KafkaConsumer<byte[], byte[]>, List<TopicPartition>> which) {
        KafkaConsumer<byte[], byte[]> consumer = null;
        try {
            consumer = consumer(cluster, timeout, "latest");
            List<TopicPartition> partitions = which.apply(consumer);
            consumer.assign(partitions);
            if (fromBeginning) {
                consumer.seekToBeginning(partitions);
            } else {
                consumer.seekToEnd(partitions);
            }
            partitions.forEach(consumer::position); // seeks are lazy: resolve them before other clients write
            return new PartitionReader(cluster, consumer, partitions);
        } catch (KafkaException e) {
            close(consumer);
            throw unavailable(cluster, e);
        } catch (KafkaUnavailableException | MisconfiguredException e) {
            close(consumer);
            throw e;
        }
    }

    /**
     * Creates a consumer of committed records without a group.
     *
     * @param reset the policy if an offset is gone: {@code latest}, or {@code none} for an exception
     */
    public static KafkaConsumer<byte[], byte[]> consumer(Cluster cluster, Duration timeout, String reset) {
        Map<String, Object> required = Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                reset,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                RECORDS_A_POLL,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                Math.toIntExact(timeout.toMillis()));
        return new KafkaConsumer<>(cluster.with(required), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Returns the partition of a topic that contains a workspace. */
    static TopicPartition partition(
            KafkaConsumer<byte[], byte[]> consumer, Cluster cluster, String topic, String workspace) {
        int partitions = partitions(consumer, cluster, topic).size();
        return new TopicPartition(topic, WorkspaceKey.partition(workspace, partitions));
    }

    private static List<TopicPartition> partitions(
            KafkaConsumer<byte[], byte[]> consumer, Cluster cluster, String topic) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic);
        if (partitions == null || partitions.isEmpty()) {
            throw cluster.lacks(topic);
        }
        return partitions.stream()
                .map(each -> new TopicPartition(topic, each.partition()))
                .toList();
    }

    /** The partition of the workspace. */
    public int partition() {
        return partitions.get(0).partition();
    }

    /**
     * Reads records of all workspaces up to the current end of the topic, or to the first open transaction.
     *
     * @param deadline in terms of {@link System#nanoTime}
     * @throws KafkaUnavailableException if the end is not reached by then
     */
    public void readToEnd(long deadline, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try {
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (isBefore(ends)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new KafkaUnavailableException(
                            "%s could not be read to its end in time: it is long, or changes keep coming. Allow more time."
                                    .formatted(partitions.get(0).topic()));
                }
                consumer.poll(POLL).forEach(each);
            }
        } catch (KafkaException e) {
            throw unavailable(cluster, e);
        }
    }

    /**
     * Reads until a record matches, or to the current end of the topic.
     *
     * @param deadline after which the result is true without a match
     * @return whether a record matches
     */
    boolean readUntil(long deadline, Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
        try {
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (isBefore(ends)) {
                if (System.nanoTime() - deadline > 0 || poll(POLL).stream().anyMatch(wanted)) {
                    return true;
                }
            }
            return false;
        } catch (KafkaException e) {
            throw unavailable(cluster, e);
        }
    }

    private boolean isBefore(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue());
    }

    /** Polls the next records, of all workspaces in the partition. Empty if none arrived in time. */
    List<ConsumerRecord<byte[], byte[]>> poll(Duration wait) {
        try {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            consumer.poll(wait).forEach(records::add);
            return records;
        } catch (KafkaException e) {
            throw unavailable(cluster, e);
        }
    }

    /**
     * Seeks back from the end of the topic.
     *
     * @param offsets the distance; transaction markers, which are no records, count, too
     * @return whether all partitions are at their beginning
     */
    boolean goBack(long offsets) {
        try {
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            boolean isAll = true;
            for (Map.Entry<TopicPartition, Long> begin :
                    consumer.beginningOffsets(partitions).entrySet()) {
                long from = ends.get(begin.getKey()) - offsets;
                consumer.seek(begin.getKey(), Math.max(begin.getValue(), from));
                isAll &= from <= begin.getValue();
            }
            return isAll;
        } catch (KafkaException e) {
            throw unavailable(cluster, e);
        }
    }

    /** Whether the cluster answers in time. */
    boolean isAnswered(Duration within) {
        try {
            consumer.endOffsets(partitions, within);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (KafkaException e) {
            throw unavailable(cluster, e);
        }
    }

    private static RuntimeException unavailable(Cluster cluster, KafkaException e) {
        return e instanceof InterruptException ? e : cluster.unavailable(e);
    }

    @Override
    public void close() {
        close(consumer);
    }

    static void close(KafkaConsumer<byte[], byte[]> consumer) {
        if (consumer != null) {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }
}
