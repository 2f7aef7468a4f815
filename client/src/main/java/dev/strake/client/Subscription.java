package dev.strake.client;

import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.rendered.RenderedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Follows the rendered documents of one workspace, in whole revisions: first the current set, then the changes of each
 * revision. Checks every step against the hash in the outcome of its revision. Reads committed records only, without a
 * consumer group. Not thread-safe.
 *
 * <pre>{@code
 * try (Subscription subscription = Subscription.open(Cluster.at("localhost:9092"), "strake.", "site-a", timeout)) {
 *     while (true) {
 *         subscription.next(Duration.ofSeconds(1)).ifPresent(update -> apply(update));
 *     }
 * }
 * }</pre>
 *
 * <p>Holds in memory a digest of each document, and the records of incomplete revisions.
 */
public final class Subscription implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    /** How long a disconnected broker may take to learn of a new leader. Until then it reports outdated ends. */
    private static final Duration UNTIL_ENDS_ARE_KNOWN = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String workspace;
    private final RevisionTopics topics;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition rendered;
    private final TopicPartition outcomes;
    private final Deque<RevisionPart> parts = new ArrayDeque<>();
    private RenderedSet set = new RenderedSet();
    private Kind first = Kind.SNAPSHOT;
    private Snapshot snapshot; // null after its delivery
    private Map<TopicPartition, Long> target; // where the snapshot ends
    private RevisionMerger revisions;
    private RevisionFeed reader;

    private Subscription(
            Cluster cluster,
            String topicPrefix,
            String workspace,
            RevisionTopics topics,
            KafkaConsumer<byte[], byte[]> consumer) {
        this.cluster = cluster;
        this.workspace = workspace;
        this.topics = topics;
        this.consumer = consumer;
        int partition = PartitionReader.partition(consumer, cluster, topicPrefix + TopicNames.OUTCOMES, workspace)
                .partition();
        this.rendered = topics.rendered(partition);
        this.outcomes = topics.outcomes(partition);
    }

    /**
     * Follows a workspace, starting with its current set. A workspace that does not exist has an empty set.
     *
     * @param topicPrefix the prefix of topic names, by default {@link TopicNames#DEFAULT_PREFIX}
     * @param timeout for each answer of the cluster
     * @throws IllegalArgumentException if the name is not valid for a workspace
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topics
     */
    public static Subscription open(Cluster cluster, String topicPrefix, String workspace, Duration timeout) {
        return opened(cluster, topicPrefix, workspace, timeout, Subscription::begin);
    }

    /**
     * Resumes at the position of an earlier subscription. Delivers the whole set, as {@link Kind#COMPACTED}, if records
     * since that position are gone.
     *
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topics
     */
    public static Subscription resume(Cluster cluster, String topicPrefix, Checkpoint checkpoint, Duration timeout) {
        return opened(cluster, topicPrefix, checkpoint.workspace(), timeout, opened -> opened.goOn(checkpoint));
    }

    private static Subscription opened(
            Cluster cluster, String topicPrefix, String workspace, Duration timeout, Consumer<Subscription> start) {
        PartitionReader.requireName(workspace);
        KafkaConsumer<byte[], byte[]> consumer = null;
        RevisionTopics topics = null;
        try {
            topics = new RevisionTopics(cluster, topicPrefix, timeout);
            consumer = topics.consumer(Map.of());
            Subscription opened = new Subscription(cluster, topicPrefix, workspace, topics, consumer);
            start.accept(opened);
            return opened;
        } catch (KafkaException e) {
            close(consumer, topics);
            throw e instanceof InterruptException ? e : cluster.unavailable(e);
        } catch (KafkaUnavailableException | MisconfiguredException e) {
            close(consumer, topics);
            throw e;
        }
    }

    private void begin() {
        snapshot = new Snapshot();
        parts.clear();
        consumer.assign(List.of(rendered, outcomes));
        consumer.resume(List.of(rendered, outcomes));
        consumer.seekToBeginning(List.of(rendered, outcomes));
        target = topics.ends(List.of(rendered, outcomes));
    }

    private void beginAnew() {
        first = Kind.COMPACTED;
        begin();
    }

    private void goOn(Checkpoint checkpoint) {
        Map<TopicPartition, Long> from = Map.of(rendered, checkpoint.rendered(), outcomes, checkpoint.outcomes());
        boolean isThere = isReachedByEnds(from) && isBehindBeginnings(from);
        set = new RenderedSet(checkpoint);
        follow(checkpoint.rendered(), checkpoint.outcomes());
        if (!isThere) {
            beginAnew();
        }
    }

    private boolean isReachedByEnds(Map<TopicPartition, Long> places) {
        long deadline = System.nanoTime() + UNTIL_ENDS_ARE_KNOWN.toNanos();
        while (true) {
            Map<TopicPartition, Long> ends = topics.ends(places.keySet());
            boolean isReached = places.entrySet().stream().allMatch(each -> each.getValue() <= ends.get(each.getKey()));
            if (isReached || System.nanoTime() > deadline) {
                return isReached;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private boolean isBehindBeginnings(Map<TopicPartition, Long> places) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(places.keySet());
        return places.entrySet().stream().allMatch(each -> each.getValue() >= begins.get(each.getKey()));
    }

    private void follow(long fromRendered, long fromOutcome) {
        snapshot = null;
        revisions = RevisionMerger.of(workspace, outcomes.partition(), fromOutcome, fromRendered);
        reader = new RevisionFeed(topics, consumer, List.of(revisions));
    }

    /**
     * Returns the next update. Empty if none arrives in time, also while the cluster is away: the subscription goes on
     * when it is back.
     *
     * @throws KafkaUnavailableException if the cluster refuses, or does not answer a question about the topics' ends
     * @throws IncompleteSetException if the documents in the topics do not match the last outcome
     */
    public Optional<RenderedUpdate> next(Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        try {
            while (true) {
                Optional<RenderedUpdate> update = snapshot == null ? nextRevision() : wholeSet();
                long left = deadline - System.nanoTime();
                if (update.isPresent() || left <= 0) {
                    return update;
                }
                read(Duration.ofNanos(Math.min(left, POLL.toNanos())));
            }
        } catch (KafkaException e) {
            throw e instanceof InterruptException ? e : cluster.unavailable(e);
        }
    }

    private void read(Duration wait) {
        try {
            if (snapshot == null) {
                parts.addAll(reader.read(wait));
            } else {
                consumer.poll(wait).forEach(this::addToSnapshot);
            }
        } catch (InvalidOffsetException e) {
            beginAnew();
        }
    }

    private void addToSnapshot(ConsumerRecord<byte[], byte[]> message) {
        if (message.key() == null) {
            return;
        }
        String key = new String(message.key(), StandardCharsets.UTF_8);
        if (!message.topic().equals(outcomes.topic())) {
            if (key.startsWith(workspace + "|")) {
                snapshot.add(
                        RenderedRecord.read(message.key(), message.value(), message.headers()),
                        message.value(),
                        message.offset());
            }
        } else if (key.equals(workspace) && message.value() != null) {
            snapshot.add(OutcomeJson.read(message.value()), message.offset());
        }
    }

    private Optional<RenderedUpdate> wholeSet() {
        if (!isReached(target)) {
            return Optional.empty();
        }
        Optional<RenderedUpdate> whole = snapshot.whole(first);
        if (whole.isPresent()) {
            set = snapshot.set();
            long nextRendered = snapshot.firstLeft().orElseGet(() -> consumer.position(rendered));
            long nextOutcome = consumer.position(outcomes);
            set.moveTo(nextRendered, nextOutcome);
            follow(nextRendered, nextOutcome);
        } else if (snapshot.isIncomplete()) {
            throw new IncompleteSetException(
                    "%s does not hold the documents of the last outcome of workspace %s. 'strake verify -w %s' shows which ones differ."
                            .formatted(rendered, workspace, workspace));
        } else {
            target = topics.ends(target.keySet());
        }
        return whole;
    }

    private Optional<RenderedUpdate> nextRevision() {
        while (!parts.isEmpty()) {
            Optional<RenderedUpdate> update = set.take(parts.remove());
            if (update.isPresent()) {
                return update;
            }
        }
        if (set.isBroken() && !revisions.isWaiting() && isReached(topics.ends(List.of(outcomes)))) {
            beginAnew();
        }
        return Optional.empty();
    }

    private boolean isReached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(each -> consumer.position(each.getKey()) >= each.getValue());
    }

    /** The position after the last update. */
    public Checkpoint checkpoint() {
        boolean isIdle = snapshot == null && parts.isEmpty() && set.isDelivered() && revisions.isEmpty();
        if (isIdle) {
            set.moveTo(revisions.renderedRead(), revisions.outcomesRead());
        }
        return set.checkpoint(workspace);
    }

    @Override
    public void close() {
        close(consumer, topics);
    }

    private static void close(KafkaConsumer<byte[], byte[]> consumer, RevisionTopics topics) {
        PartitionReader.close(consumer);
        if (topics != null) {
            topics.close();
        }
    }
}
