package dev.strake.server.pipeline;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.RetriableException;
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
 * <p>A single record may unpack to more than the heap. So {@link WeighedFetches} keeps from Kafka's consumer what is too heavy, and
 * {@link RecordsByHand} reads it. Meanwhile the polls of both alternate, and the consumer's position is where the next record lies,
 * by whomever it is read.
 */
final class BoundedConsumer extends KafkaConsumer<byte[], byte[]> {

    private static final Duration PAUSE = Duration.ofMillis(5);

    /** A broker that is away is back sooner, or Kafka's consumer tells of it. */
    private static final int FAILURES_BEFORE_WARNING = 100;

    private static final Logger LOG = LoggerFactory.getLogger(BoundedConsumer.class);

    private final PollBudget budget;
    private final int mostRecords;
    private final FollowedRecords followed = new FollowedRecords();
    private Set<TopicPartition> hadTheirTurn = Set.of();
    private Set<TopicPartition> resting = new HashSet<>();

    private final WeighedFetches fetches;
    private final RecordsByHand byHand;
    private boolean wasByHand;
    private int failuresByHand;

    /** @param only ids of topics, of which no later one of the same name is read */
    BoundedConsumer(Map<String, Object> settings, PollBudget budget, Map<String, Uuid> only) {
        this(settings, budget, only, new RawFetch(settings, only));
    }

    BoundedConsumer(Map<String, Object> settings, PollBudget budget, Map<String, Uuid> only, RawFetch rawFetch) {
        super(settings, budget.keys(), budget.values());
        this.budget = budget;
        this.mostRecords = (Integer) ConfigDef.parseType(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                settings.getOrDefault(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, ConsumerConfig.DEFAULT_MAX_POLL_RECORDS),
                ConfigDef.Type.INT);
        this.fetches = WeighedFetches.of(this, only, budget.mostUnpacked());
        this.byHand = new RecordsByHand(rawFetch, budget, mostRecords);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        budget.begin(followed.waitingBytes());
        takeHeavy();
        Optional<TopicPartition> readByHand = byHand.partitions().isEmpty() ? Optional.empty() : byHand.turn(paused());
        wasByHand = readByHand.isPresent() && !wasByHand;
        return wasByHand
                ? pollByHand(readByHand.get(), timeout)
                : pollOfKafka(readByHand.isPresent() ? Duration.ZERO : timeout);
    }

    private ConsumerRecords<byte[], byte[]> pollByHand(TopicPartition partition, Duration timeout) {
        ConsumerRecords<byte[], byte[]> polled = readByHand(partition);
        polled.nextOffsets().forEach((read, next) -> super.seek(read, next.offset()));
        if (polled.isEmpty()) {
            takeTime(timeout);
        }
        return followed.of(polled);
    }

    /* Kafka's consumer finds out where to ask next. What it fetches there is too heavy again. */
    private ConsumerRecords<byte[], byte[]> readByHand(TopicPartition partition) {
        try {
            ConsumerRecords<byte[], byte[]> records = byHand.read(partition, position(partition), this::leader);
            failuresByHand = 0;
            return records;
        } catch (RetriableException e) {
            LOG.debug("Not read record by record at present: {}", partition, e);
            if (++failuresByHand == FAILURES_BEFORE_WARNING) {
                LOG.warn(
                        "What lies in {} unpacks to too much for Kafka's consumer, and could not be read in another way {}"
                                + " times in a row. Strake goes on trying",
                        partition,
                        failuresByHand,
                        e);
            }
            byHand.forget(Set.of(partition));
            return ConsumerRecords.empty();
        }
    }

    private ConsumerRecords<byte[], byte[]> pollOfKafka(Duration timeout) {
        boolean areOthersLeft = rest();
        try {
            ConsumerRecords<byte[], byte[]> polled = super.poll(areOthersLeft ? Duration.ZERO : timeout);
            polled.nextOffsets().forEach((partition, next) -> fetches.passed(partition, next.offset()));
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
            takeHeavy();
        }
    }

    /* All that was fetched of them before was handed out, so positions are where the heavy fetches begin. */
    private void takeHeavy() {
        Set<TopicPartition> heavy = fetches.takeHeavy();
        if (!heavy.isEmpty()) {
            heavy.retainAll(assignment()); // one may have been given up as its fetch came in
            LOG.debug("Read record by record, as they unpack to too much: {}", heavy);
            super.resume(heavy);
            byHand.add(heavy);
        }
    }

    /* As far as the consumer knows it: it asks for the leaders of what it reads by itself. */
    private Node leader(TopicPartition partition) {
        return super.partitionsFor(partition.topic(), Duration.ZERO).stream()
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
     * Partitions that had their turn rest if some of what was fetched of them is left, and some of others, too. Nothing more is
     * fetched of a partition of which something is left, so a rest never changes what the broker is asked for. Those that are
     * read by hand rest in any case. Returns whether records of others come at once.
     */
    private boolean rest() {
        if (hadTheirTurn.isEmpty() && byHand.partitions().isEmpty()) {
            return false;
        }
        Set<TopicPartition> polled = new HashSet<>(assignment());
        polled.removeAll(paused());
        Set<TopicPartition> hands = new HashSet<>(byHand.partitions());
        hands.retainAll(polled);
        Set<TopicPartition> others = fetches.waiting();
        others.retainAll(polled);
        others.removeAll(hands);
        resting.addAll(hadTheirTurn);
        resting.retainAll(others);
        others.removeAll(resting);
        if (others.isEmpty()) {
            resting.clear();
        }
        boolean areOthersLeft = !resting.isEmpty();
        resting.addAll(hands);
        super.pause(resting);
        return areOthersLeft;
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
        fetches.leavePaused(partitions);
        super.pause(partitions);
    }

    /* Streams drops what waits when it gives a partition up, or goes back in it. */
    private void forget(Collection<TopicPartition> partitions) {
        followed.forget(partitions);
        fetches.forget(partitions);
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
