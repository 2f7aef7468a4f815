package dev.strake.server.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Large records that were handed out and may not have been processed yet.
 *
 * <p>Kafka Streams polls again when it has processed all it can. What it cannot process waits, of tasks that try again
 * after a timeout, or behind changes that take minutes. Streams counts 100 records of a partition there, of any size. So
 * large records are followed until Streams takes their value, which it does when they become the next of their partition.
 */
final class FollowedRecords {

    /** Of smaller ones, those that Streams lets wait take little. */
    private static final int FOLLOWED_BYTES = 16 << 10;

    private final Deque<Followed> waiting = new ArrayDeque<>();

    private static final class Followed extends ConsumerRecord<byte[], byte[]> {

        private boolean taken;

        Followed(ConsumerRecord<byte[], byte[]> record) {
            super(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    record.timestampType(),
                    record.serializedKeySize(),
                    record.serializedValueSize(),
                    record.key(),
                    record.value(),
                    record.headers(),
                    record.leaderEpoch());
        }

        @Override
        public byte[] value() {
            taken = true;
            return super.value();
        }

        boolean isOf(Collection<TopicPartition> partitions) {
            return partitions.contains(new TopicPartition(topic(), partition()));
        }
    }

    /** Bytes of those that were not taken so far. */
    long waitingBytes() {
        waiting.removeIf(record -> record.taken);
        return waiting.stream().mapToLong(FollowedRecords::bytes).sum();
    }

    /** The same records, of which the large ones are followed from now on. */
    ConsumerRecords<byte[], byte[]> of(ConsumerRecords<byte[], byte[]> polled) {
        boolean allSmall = true;
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            allSmall &= bytes(record) < FOLLOWED_BYTES;
        }
        if (allSmall) {
            return polled;
        }
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : polled.records(partition)) {
                all.add(bytes(record) < FOLLOWED_BYTES ? record : follow(record));
            }
            records.put(partition, all);
        }
        return new ConsumerRecords<>(records, polled.nextOffsets());
    }

    private Followed follow(ConsumerRecord<byte[], byte[]> record) {
        Followed followed = new Followed(record);
        waiting.add(followed);
        return followed;
    }

    private static int bytes(ConsumerRecord<?, ?> record) {
        return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }

    /** These records will not be taken any more. */
    void forget(Collection<TopicPartition> partitions) {
        waiting.removeIf(record -> record.isOf(partitions));
    }
}
