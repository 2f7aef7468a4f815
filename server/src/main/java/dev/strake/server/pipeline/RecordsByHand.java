package dev.strake.server.pipeline;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * Reads records in the place of Kafka's consumer, where they would take too much of the heap. A partition is read by hand as far
 * as one fetch goes, record by record. Then Kafka's consumer goes on behind that.
 *
 * <p>Partitions are read one after the other, so one fetch of packed batches is on the heap. What a publisher may make this
 * class unpack in a poll is bounded as well.
 *
 * <p>Where a partition is read is known to the consumer alone. What this class holds is given up when the consumer asks
 * for another offset, and begun anew there.
 */
final class RecordsByHand {

    /** Unpacked in a poll beside the record that it ends with. */
    private static final long MOST_PASSED_OVER = 1L << 30;

    private final RawFetch fetch;
    private final PollBudget budget;
    private final int mostRecords;
    private final BufferSupplier buffers = BufferSupplier.create();
    private final Set<TopicPartition> partitions = new LinkedHashSet<>();
    private Reading reading;

    /** @param mostRecords of a poll */
    RecordsByHand(RawFetch fetch, PollBudget budget, int mostRecords) {
        this.fetch = fetch;
        this.budget = budget;
        this.mostRecords = mostRecords;
    }

    /** What was fetched of a partition, and how far it is read. */
    private final class Reading {

        private final TopicPartition partition;
        private final Iterator<DefaultRecordBatch> batches;
        private final long end;
        private BatchReader reader;
        private long next;

        Reading(TopicPartition partition, RawFetch.Batches fetched, long from) {
            this.partition = partition;
            this.batches = fetched.visible().iterator();
            this.end = fetched.end();
            this.next = from;
        }

        /** Goes to the next record; returns false behind the last one. */
        boolean advance() throws IOException {
            while (reader == null || !reader.next()) {
                close();
                if (!batches.hasNext()) {
                    return false;
                }
                reader = new BatchReader(partition, batches.next(), buffers);
            }
            return true;
        }

        void close() throws IOException {
            if (reader != null) {
                reader.close();
                reader = null;
            }
        }
    }

    /** The partitions that Kafka's consumer must not read at present. */
    Set<TopicPartition> partitions() {
        return partitions;
    }

    /** The partition whose turn it is, if there is one; none while the one that is being read is paused. */
    Optional<TopicPartition> turn(Set<TopicPartition> paused) {
        return reading == null
                ? partitions.stream().filter(each -> !paused.contains(each)).findFirst()
                : Optional.of(reading.partition).filter(each -> !paused.contains(each));
    }

    /** Reads these by hand from now on. */
    void add(Collection<TopicPartition> heavy) {
        partitions.addAll(heavy);
    }

    /** These are given up, or read from elsewhere. */
    void forget(Collection<TopicPartition> given) {
        partitions.removeAll(given);
        if (reading != null && given.contains(reading.partition)) {
            close();
        }
    }

    /**
     * Hands out the next records of a partition, as many as the budget has room for, which may be none.
     *
     * @param from the offset behind what was handed out before
     * @param leaders of partitions
     * @throws RetriableException if the leader is away, or is another one, or the topic was deleted
     */
    ConsumerRecords<byte[], byte[]> read(TopicPartition partition, long from, Function<TopicPartition, Node> leaders) {
        try {
            if (reading == null || !reading.partition.equals(partition) || reading.next != from) {
                close();
                reading = new Reading(partition, fetch.from(partition, from, leaders.apply(partition)), from);
            }
            return read(from);
        } catch (IOException | InvalidRecordException | CorruptRecordException e) {
            // None of these may mend itself. Kafka's consumer says the same of what it cannot read.
            long damaged = reading == null ? from : reading.next;
            throw new KafkaException("what lies in " + partition + " from offset " + damaged + " on is damaged", e);
        }
    }

    private ConsumerRecords<byte[], byte[]> read(long from) throws IOException {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        TopicPartition partition = reading.partition;
        Optional<Integer> epoch = Optional.empty();
        long passedOver = 0;
        boolean isEnd = false;
        while (!isEnd && records.size() < mostRecords && budget.isOpen() && passedOver < MOST_PASSED_OVER) {
            isEnd = !reading.advance();
            if (isEnd) {
                reading.next = reading.end;
            } else if (reading.reader.offset() >= from) {
                records.add(reading.reader.read(budget));
                reading.next = reading.reader.offset() + 1;
                epoch = reading.reader.leaderEpoch();
            } else {
                passedOver += reading.reader.bytes();
            }
        }
        OffsetAndMetadata next = new OffsetAndMetadata(reading.next, epoch, "");
        if (isEnd) {
            forget(Set.of(partition));
        }
        return new ConsumerRecords<>(
                records.isEmpty() ? Map.of() : Map.of(partition, records), Map.of(partition, next));
    }

    private void close() {
        try {
            if (reading != null) {
                reading.close();
            }
        } catch (IOException e) {
            // What is read is in memory, so nothing is left open.
        }
        reading = null;
    }
}
