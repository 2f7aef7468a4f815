package dev.strake.server.pipeline;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of Kafka Streams, of changes or of changelogs, which holds a bounded number of bytes unpacked: those that a poll hands out, and those
 * of earlier polls that are not processed yet.
 *
 * <p>Kafka's consumer hands out all that it has fetched of a partition before it goes on to the next one, in as many polls as that takes:
 * seconds, for large changes or many. So partitions that filled a poll rest at the next one, and others have their turn.
 *
 * <pre>
 *  Kafka's order    ▏ A A ▕▏ A A ▕▏ A A ▕▏ B C ▕
 *  in turns         ▏ A A ▕▏ B C ▕▏ A A ▕▏     ▕▏ A A ▕
 * </pre>
 *
 * <p>A single record may unpack to more than the heap. Kafka's consumer fails then, and what it had read in that poll is lost
 * with it. So this consumer goes back to what it handed out last, and {@link RecordsByHand} reads on. Meanwhile the polls of
 * both alternate, and the consumer's position is where the next record lies, by whomever it is read.
 */
final class BoundedConsumer extends KafkaConsumer<byte[], byte[]> {

    private static final Duration PAUSE = Duration.ofMillis(5);

    private static final Logger LOG = LoggerFactory.getLogger(BoundedConsumer.class);

    private final PollBudget budget;
    private final int mostRecords;
    private final FollowedRecords followed = new FollowedRecords();
    private Set<TopicPartition> hadTheirTurn = Set.of();
    private Set<TopicPartition> resting = new HashSet<>();

    /** Offsets behind what was handed out last, of partitions of which something was. */
    private final Map<TopicPartition, Long> next = new HashMap<>();

    private final RecordsByHand byHand;
    private boolean wasByHand;

    BoundedConsumer(Map<String, Object> settings, PollBudget budget) {
        super(settings, budget.keys(), budget.values());
        this.budget = budget;
        this.mostRecords = (Integer) ConfigDef.parseType(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                settings.getOrDefault(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, ConsumerConfig.DEFAULT_MAX_POLL_RECORDS),
                ConfigDef.Type.INT);
        this.byHand = new RecordsByHand(new RawFetch(settings), budget, mostRecords);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        budget.begin(followed.waitingBytes());
        Optional<TopicPartition> readByHand = byHand.partitions().isEmpty() ? Optional.empty() : byHand.turn(paused());
        wasByHand = readByHand.isPresent() && !wasByHand;
        return wasByHand
                ? pollByHand(readByHand.get(), timeout)
                : pollOfKafka(readByHand.isPresent() ? Duration.ZERO : timeout);
    }

    private ConsumerRecords<byte[], byte[]> pollByHand(TopicPartition partition, Duration timeout) {
        ConsumerRecords<byte[], byte[]> polled = byHand.read(partition, next.get(partition), this::leader);
        note(polled);
        super.seek(partition, next.get(partition));
        if (polled.isEmpty()) {
            takeTime(timeout);
        }
        return followed.of(polled);
    }

    private ConsumerRecords<byte[], byte[]> pollOfKafka(Duration timeout) {
        boolean areOthersLeft = rest();
        try {
            ConsumerRecords<byte[], byte[]> polled = kafkasRecords(areOthersLeft ? Duration.ZERO : timeout);
            note(polled);
            boolean isFull = budget.hasRefused() || polled.count() >= mostRecords;
            hadTheirTurn = isFull ? polled.partitions() : Set.of();
            return followed.of(polled);
        } catch (RecordDeserializationException e) {
            hadTheirTurn = Set.of();
            if (!PollBudget.isRefusal(e)) {
                throw e;
            }
            takeTime(timeout);
            return ConsumerRecords.empty();
        } finally {
            goOn();
        }
    }

    private ConsumerRecords<byte[], byte[]> kafkasRecords(Duration timeout) {
        try {
            return super.poll(timeout);
        } catch (OutOfMemoryError e) {
            goByHand(e);
            return ConsumerRecords.empty();
        }
    }

    private void note(ConsumerRecords<byte[], byte[]> polled) {
        polled.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
    }

    /* Nothing was handed out in this poll, but positions may have moved. Those that rest or are paused were not polled. */
    private void goByHand(OutOfMemoryError failure) {
        Set<TopicPartition> polled = new HashSet<>(assignment());
        polled.removeAll(paused());
        if (!budget.cuts()) {
            throw failure; // of changelogs, which hold nothing that this program did not write
        }
        Map<TopicPartition, Long> from = begins(polled);
        if (!byHand.areReason(from, this::leader)) {
            throw failure;
        }
        LOG.warn(
                "Records unpack to more than the heap has room for ({}). They are read one by one, and those beyond"
                        + " strake.limits.change-bytes are rejected: {}",
                failure.getMessage(),
                byHand.partitions().stream()
                        .map(each -> each + " from offset " + next.get(each) + " on")
                        .toList());
        forgetWhatWasFetched(from);
    }

    /* Where nothing was handed out yet, the consumer began at what was committed. */
    private Map<TopicPartition, Long> begins(Set<TopicPartition> polled) {
        Set<TopicPartition> unknown = new HashSet<>(polled);
        unknown.removeAll(next.keySet());
        if (!unknown.isEmpty()) {
            super.committed(unknown).forEach((partition, offset) -> {
                if (offset != null) {
                    next.put(partition, offset.offset());
                    unknown.remove(partition);
                }
            });
            next.putAll(super.beginningOffsets(unknown)); // the settings leave no other choice
        }
        Map<TopicPartition, Long> from = new HashMap<>(next);
        from.keySet().retainAll(polled);
        return from;
    }

    /*
     * What the consumer was reading when it failed, it would go on with as if it had handed out what is lost. It drops that
     * where it is to read from another offset. So it is sent to another one, by a poll of which nothing is handed out, and back.
     */
    private void forgetWhatWasFetched(Map<TopicPartition, Long> from) {
        from.forEach((partition, offset) -> super.seek(partition, offset + 1));
        Set<TopicPartition> sent = new HashSet<>(from.keySet());
        try {
            ConsumerRecords<byte[], byte[]> lost = super.poll(Duration.ZERO);
            for (TopicPartition given : lost.partitions()) {
                if (sent.add(given)) { // it was assigned in this poll
                    next.put(given, lost.records(given).get(0).offset());
                }
            }
        } catch (OutOfMemoryError | RecordDeserializationException | InvalidOffsetException e) {
            // of records that are not handed out
        } catch (KafkaException e) {
            if (e.getClass() != KafkaException.class) {
                throw e;
            } // it says that it cannot go on behind the record that it failed at
        } finally {
            sent.retainAll(assignment());
            sent.retainAll(next.keySet());
            sent.forEach(each -> super.seek(each, next.get(each)));
        }
    }

    private Node leader(TopicPartition partition) {
        return super.partitionsFor(partition.topic()).stream()
                .filter(each -> each.partition() == partition.partition() && each.leader() != null)
                .map(PartitionInfo::leader)
                .findFirst()
                .orElseThrow(() -> new LeaderNotAvailableException("no leader of " + partition + " is known"));
    }

    /* A poll without records would have taken its time. Streams counts on that where it has nothing to do. */
    private static void takeTime(Duration timeout) {
        LockSupport.parkNanos(Math.min(timeout.toNanos(), PAUSE.toNanos()));
    }

    /*
     * Not those that Streams has paused; and some have to be left to be polled. Those that are read by hand rest in any case.
     * Returns whether some had their turn, so that others need no time to come.
     */
    private boolean rest() {
        if (hadTheirTurn.isEmpty() && byHand.partitions().isEmpty()) {
            return false;
        }
        Set<TopicPartition> polled = new HashSet<>(assignment());
        polled.removeAll(paused());
        Set<TopicPartition> hands = new HashSet<>(byHand.partitions());
        hands.retainAll(polled);
        polled.removeAll(hands);
        resting.addAll(hadTheirTurn);
        resting.retainAll(polled);
        if (resting.size() == polled.size()) {
            resting.clear();
        }
        boolean hadSome = !resting.isEmpty();
        resting.addAll(hands);
        super.pause(resting);
        return hadSome;
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

    /* Streams drops what waits when it gives a partition up, or goes back in it. */
    private void forget(Collection<TopicPartition> partitions) {
        followed.forget(partitions);
        next.keySet().removeAll(partitions);
        byHand.forget(partitions);
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
        Set<TopicPartition> given = new HashSet<>(assignment());
        given.removeAll(partitions);
        forget(given);
        super.assign(partitions);
    }

    @Override
    public void unsubscribe() {
        forget(Set.copyOf(assignment()));
        super.unsubscribe();
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        forget(Set.of(partition));
        super.seek(partition, offset);
        next.put(partition, offset);
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        forget(Set.of(partition));
        super.seek(partition, offset);
        next.put(partition, offset.offset());
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        forget(new HashSet<>(partitions));
        super.seekToBeginning(partitions);
    }
}
