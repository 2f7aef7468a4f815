package dev.strake.client;

import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.rendered.RenderedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Follows the rendered documents of one workspace, a whole revision at a time: first the set as it is, then what each
 * revision changed. Every step was checked against the hash that the outcome of its revision tells. Reads committed
 * records only, without a consumer group. Not for use by several threads.
 *
 * <pre>{@code
 * try (Subscription subscription = Subscription.open(Cluster.at("localhost:9092"), "strake.", "site-a", timeout)) {
 *     while (true) {
 *         subscription.next(Duration.ofSeconds(1)).ifPresent(update -> apply(update));
 *     }
 * }
 * }</pre>
 *
 * <p>Holds in memory a digest for each document, and the records of revisions that are not whole yet.
 */
public final class Subscription implements AutoCloseable {

    /** A poll waits for records; whether something else than a record is missing is looked at after this time. */
    private static final Duration POLL = Duration.ofMillis(100);

    private final Cluster cluster;
    private final String workspace;
    private final byte[] key;
    private final byte[] prefix;
    private final Duration timeout;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final TopicPartition rendered;
    private final TopicPartition outcomes;
    private RenderedSet set = new RenderedSet();
    private Kind first = Kind.SNAPSHOT;
    private boolean isCaughtUp;
    private boolean waitedOnce;
    private Map<TopicPartition, Long> target;
    private OptionalLong knownOutcome = OptionalLong.empty(); // offset of the last one read before the target was set

    private Subscription(
            Cluster cluster,
            String topicPrefix,
            String workspace,
            Duration timeout,
            KafkaConsumer<byte[], byte[]> consumer,
            Admin admin) {
        this.cluster = cluster;
        this.workspace = workspace;
        this.key = workspace.getBytes(StandardCharsets.UTF_8);
        this.prefix = (workspace + "|").getBytes(StandardCharsets.UTF_8);
        this.timeout = timeout;
        this.consumer = consumer;
        this.admin = admin;
        int partition = PartitionReader.partition(consumer, cluster, topicPrefix + TopicNames.OUTCOMES, workspace);
        this.rendered = new TopicPartition(topicPrefix + TopicNames.RENDERED, partition);
        this.outcomes = new TopicPartition(topicPrefix + TopicNames.OUTCOMES, partition);
        consumer.assign(List.of(rendered, outcomes));
    }

    /**
     * Follows a workspace from its present set on. A workspace that does not exist yet has an empty one.
     *
     * @param topicPrefix of the topics' names, {@link TopicNames#DEFAULT_PREFIX} unless an installation has another one
     * @param timeout for each answer of the cluster
     * @throws IllegalArgumentException if this is no name of a workspace
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topics
     */
    public static Subscription open(Cluster cluster, String topicPrefix, String workspace, Duration timeout) {
        return opened(cluster, topicPrefix, workspace, timeout, Subscription::begin);
    }

    /**
     * Goes on from where an earlier subscription was. If what was published since is not there any more, the set comes
     * as a whole, as {@link Kind#COMPACTED}.
     *
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topics
     */
    public static Subscription resume(Cluster cluster, String topicPrefix, Checkpoint checkpoint, Duration timeout) {
        return opened(cluster, topicPrefix, checkpoint.workspace(), timeout, opened -> opened.goOn(checkpoint));
    }

    private static Subscription opened(
            Cluster cluster, String topicPrefix, String workspace, Duration timeout, Consumer<Subscription> start) {
        if (!WorkspaceKey.isName(workspace)) {
            throw new IllegalArgumentException("the name of a workspace has to be " + WorkspaceKey.RULE);
        }
        KafkaConsumer<byte[], byte[]> consumer = null;
        Admin admin = null;
        try {
            consumer = PartitionReader.consumer(cluster, timeout, "none");
            admin = cluster.admin(timeout);
            Subscription opened = new Subscription(cluster, topicPrefix, workspace, timeout, consumer, admin);
            start.accept(opened);
            return opened;
        } catch (KafkaException e) {
            close(consumer, admin);
            throw e instanceof InterruptException ? e : cluster.unavailable(e);
        } catch (KafkaUnavailableException | MisconfiguredException e) {
            close(consumer, admin);
            throw e;
        }
    }

    private void begin() {
        set = new RenderedSet();
        isCaughtUp = false;
        consumer.seekToBeginning(List.of(rendered, outcomes));
        target = ends();
        knownOutcome = OptionalLong.empty();
    }

    private void beginAnew() {
        first = Kind.COMPACTED;
        begin();
    }

    private void goOn(Checkpoint checkpoint) {
        Map<TopicPartition, Long> from = Map.of(rendered, checkpoint.rendered(), outcomes, checkpoint.outcomes());
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(from.keySet());
        Map<TopicPartition, Long> ends = ends();
        boolean isThere = from.entrySet().stream()
                .allMatch(each ->
                        each.getValue() >= begins.get(each.getKey()) && each.getValue() <= ends.get(each.getKey()));
        if (isThere) {
            set = new RenderedSet(checkpoint.documents());
            isCaughtUp = true;
            from.forEach(consumer::seek);
        } else {
            beginAnew();
        }
    }

    /**
     * The next update; empty if none came in time.
     *
     * @throws KafkaUnavailableException if the cluster cannot be used any more
     * @throws IncompleteSetException if the topics hold a set that is not the one of the last outcome
     */
    public Optional<RenderedUpdate> next(Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        try {
            while (true) {
                Optional<RenderedUpdate> update = isCaughtUp ? nextRevision() : wholeSet();
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
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(wait)) {
                if (message.topic().equals(outcomes.topic())) {
                    if (Arrays.equals(message.key(), key) && message.value() != null) {
                        set.add(OutcomeJson.read(message.value()), message.offset());
                    }
                } else if (startsWithPrefix(message.key())) {
                    RenderedRecord record = RenderedRecord.read(message.key(), message.value(), message.headers());
                    set.add(record, message.value(), message.offset());
                }
            }
        } catch (InvalidOffsetException e) {
            beginAnew();
        }
    }

    private boolean startsWithPrefix(byte[] messageKey) {
        return messageKey != null
                && messageKey.length >= prefix.length
                && Arrays.equals(messageKey, 0, prefix.length, prefix, 0, prefix.length);
    }

    /*
     * The last outcome may be of a revision that came after the target was set. Then its records may lie behind the target, and
     * nothing is missing. They lie before any target that is set once the outcome is known.
     */
    private Optional<RenderedUpdate> wholeSet() {
        if (!isReached()) {
            return Optional.empty();
        }
        set.passOverAllButLast();
        boolean isChecked = set.isWaiting();
        Optional<RenderedUpdate> whole = isChecked ? set.next(first) : Optional.of(set.unchecked(first));
        if (whole.isPresent()) {
            isCaughtUp = true;
            target = null;
            waitedOnce = false;
        } else if (set.firstOutcomeLeft().equals(knownOutcome) && !set.hasLaterRecords()) {
            throw new IncompleteSetException(
                    "%s does not hold the documents that the last outcome of workspace %s tells of, though all of it was read. 'strake verify -w %s' says which ones differ."
                            .formatted(rendered, workspace, workspace));
        } else {
            knownOutcome = set.firstOutcomeLeft();
            target = ends(); // where records are left, a later revision has no outcome yet
        }
        return whole;
    }

    private Optional<RenderedUpdate> nextRevision() {
        Optional<RenderedUpdate> update = set.next(Kind.REVISION);
        if (update.isPresent() || !set.isWaiting()) {
            target = null;
            waitedOnce = false;
        } else if (!waitedOnce) {
            waitedOnce = true; // mostly the records come with the next poll
        } else if (target == null) {
            target = ends();
        } else if (isReached()) {
            target = null;
            if (!set.passOver()) {
                beginAnew();
            }
        }
        return update;
    }

    /*
     * Where the topics end, records of open transactions among them. A transaction becomes visible in one partition
     * before it does in another: the end of what is committed would say too early that all was read.
     */
    private Map<TopicPartition, Long> ends() {
        Map<TopicPartition, OffsetSpec> latest = Map.of(rendered, OffsetSpec.latest(), outcomes, OffsetSpec.latest());
        ListOffsetsOptions uncommitted = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
        var answers = cluster.await(admin.listOffsets(latest, uncommitted).all(), timeout);
        return Map.of(
                rendered, answers.get(rendered).offset(),
                outcomes, answers.get(outcomes).offset());
    }

    private boolean isReached() {
        return consumer.position(rendered) >= target.get(rendered)
                && consumer.position(outcomes) >= target.get(outcomes);
    }

    /** The place behind the last update. */
    public Checkpoint checkpoint() {
        return new Checkpoint(
                workspace,
                set.firstRecordLeft().orElseGet(() -> consumer.position(rendered)),
                set.firstOutcomeLeft().orElseGet(() -> consumer.position(outcomes)),
                set.held());
    }

    @Override
    public void close() {
        close(consumer, admin);
    }

    private static void close(KafkaConsumer<byte[], byte[]> consumer, Admin admin) {
        PartitionReader.close(consumer);
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
        }
    }
}
