package dev.strake.server.pipeline;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.RecordDeserializationException;

/**
 * A consumer of Kafka Streams, of changes or of changelogs, which holds a bounded number of bytes unpacked: those that a poll hands out, and those
 * of earlier polls that are not processed yet.
 *
 * <p>Kafka Streams polls again when it has processed all it can. What it cannot process waits, of tasks that try again
 * after a timeout, or behind changes that take minutes. Streams counts 100 records of a partition there, of any size. So
 * large records are followed until Streams takes their value, which it does when they become the next of their partition.
 *
 * <p>Kafka's consumer hands out all that it has fetched of a partition before it goes on to the next one, in as many polls as that takes:
 * seconds, for large changes or many. So partitions that filled a poll rest at the next one, and others have their turn.
 *
 * <pre>
 *  Kafka's order    ▏ A A ▕▏ A A ▕▏ A A ▕▏ B C ▕
 *  in turns         ▏ A A ▕▏ B C ▕▏ A A ▕▏     ▕▏ A A ▕
 * </pre>
 */
final class BoundedConsumer extends KafkaConsumer<byte[], byte[]> {

    /** Of smaller ones, those that Streams lets wait take little. */
    private static final int FOLLOWED_BYTES = 16 << 10;

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final PollBudget budget;
    private final int mostRecords;
    private final Deque<Followed> waiting = new ArrayDeque<>();
    private Set<TopicPartition> hadTheirTurn = Set.of();
    private Set<TopicPartition> resting = new HashSet<>();

    BoundedConsumer(Map<String, Object> settings, PollBudget budget) {
        super(settings, budget.keys(), budget.values());
        this.budget = budget;
        this.mostRecords = (Integer) ConfigDef.parseType(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                settings.getOrDefault(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, ConsumerConfig.DEFAULT_MAX_POLL_RECORDS),
                ConfigDef.Type.INT);
    }

    /** A large record that may not have been processed yet. */
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

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        waiting.removeIf(record -> record.taken);
        budget.begin(waiting.stream().mapToLong(BoundedConsumer::bytes).sum());
        rest();
        try {
            ConsumerRecords<byte[], byte[]> polled = super.poll(resting.isEmpty() ? timeout : Duration.ZERO);
            boolean isFull = budget.hasRefused() || polled.count() >= mostRecords;
            hadTheirTurn = isFull ? polled.partitions() : Set.of();
            return followed(polled);
        } catch (RecordDeserializationException e) {
            hadTheirTurn = Set.of();
            if (!PollBudget.isRefusal(e)) {
                throw e;
            }
            // A poll without records would have taken its time. Streams counts on that where it has nothing to do.
            LockSupport.parkNanos(Math.min(timeout.toNanos(), PAUSE.toNanos()));
            return ConsumerRecords.empty();
        } finally {
            goOn();
        }
    }

    /* Not those that Streams has paused; and some have to be left to be polled. */
    private void rest() {
        if (hadTheirTurn.isEmpty()) {
            return;
        }
        Set<TopicPartition> polled = new HashSet<>(assignment());
        polled.removeAll(paused());
        resting.addAll(hadTheirTurn);
        resting.retainAll(polled);
        if (resting.size() == polled.size()) {
            resting.clear();
        }
        super.pause(resting);
    }

    private void goOn() {
        if (!resting.isEmpty()) {
            resting.retainAll(assignment()); // a poll may give partitions up
            super.resume(resting);
            resting.clear();
        }
    }

    /* Streams calls this within a poll, too, when it is given partitions. Those stay paused. */
    @Override
    public void pause(Collection<TopicPartition> partitions) {
        resting.removeAll(partitions);
        super.pause(partitions);
    }

    private ConsumerRecords<byte[], byte[]> followed(ConsumerRecords<byte[], byte[]> polled) {
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

    /* Streams drops what waits when it gives a partition up, or goes back in it. */
    private void forget(Collection<TopicPartition> partitions) {
        waiting.removeIf(record -> record.isOf(partitions));
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                forget(partitions);
                listener.onPartitionsRevoked(partitions);
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                listener.onPartitionsAssigned(partitions);
            }

            @Override
            public void onPartitionsLost(Collection<TopicPartition> partitions) {
                forget(partitions);
                listener.onPartitionsLost(partitions);
            }
        });
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        waiting.removeIf(record -> !record.isOf(partitions));
        super.assign(partitions);
    }

    @Override
    public void unsubscribe() {
        waiting.clear();
        super.unsubscribe();
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        forget(Set.of(partition));
        super.seek(partition, offset);
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        forget(Set.of(partition));
        super.seek(partition, offset);
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        forget(new HashSet<>(partitions));
        super.seekToBeginning(partitions);
    }
}
