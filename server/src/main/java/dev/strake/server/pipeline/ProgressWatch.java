package dev.strake.server.pipeline;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.pipeline.Progress.Place;
import dev.strake.server.pipeline.Progress.Standstill;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds, with a client and a thread of its own, at what the pipeline itself may not notice: that it
 * stands still though changes wait, that a publisher left a transaction open, behind which no change can be read, and that
 * somebody deleted a topic, created it anew or added partitions.
 */
final class ProgressWatch extends ForwardingObserver {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressWatch.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration JUST_ASKED = Duration.ofSeconds(5);

    private final PipelineSettings settings;
    private final TopicSet topics;
    private final String changes;
    private final KnownTopics known;
    private final Duration limit;
    private final Progress progress = new Progress();
    private final Progress heldUp = new Progress();

    /** The partitions with a change that is taken up and not committed, each with the thread that did it. */
    private final Map<Integer, Thread> open = new ConcurrentHashMap<>();

    private boolean told;
    private boolean toldOfTransaction;

    /**
     * @param partitions that all topics had at the start
     * @param changesId id that the topic of changes had at the start
     * @param limit how long the pipeline may stand still before it is not ready any more
     */
    ProgressWatch(
            PipelineSettings settings,
            TopicSet topics,
            int partitions,
            String changesId,
            Duration limit,
            PipelineObserver next) {
        super(next);
        this.settings = settings;
        this.topics = topics;
        this.changes = settings.topicPrefix() + TopicNames.CHANGES;
        this.known = new KnownTopics(changes, changesId, partitions);
        this.limit = limit;
    }

    @Override
    public String takenUp(int partition, ChangeEnvelope change) {
        open.put(partition, Thread.currentThread());
        return super.takenUp(partition, change);
    }

    @Override
    public void committed() {
        open.values().removeIf(thread -> thread == Thread.currentThread());
        super.committed();
    }

    @Override
    public void aborted() {
        open.values().removeIf(thread -> thread == Thread.currentThread());
        super.aborted();
    }

    @Override
    public void closed(int partition) {
        open.remove(partition);
        super.closed(partition);
    }

    /** For how long changes have waited while nothing was processed; zero if the pipeline moves on or is idle. */
    Duration standing() {
        return progress.longest().map(Standstill::time).orElse(Duration.ZERO);
    }

    /**
     * For how long a publisher's open transaction has kept changes behind it from being read; zero if there is none. No
     * other instance could read more, so it says nothing of this one.
     */
    Duration heldUp() {
        return heldUp.longest().map(Standstill::time).orElse(Duration.ZERO);
    }

    /** Why the pipeline stands still, in words, if it has for longer than it may. */
    Optional<String> reason() {
        return progress.longest()
                .filter(standstill -> standstill.time().compareTo(limit) >= 0)
                .map(standstill -> standstill.words(changes));
    }

    /** Watches until the pipeline has ended, in a thread that keeps no process alive. */
    void until(CompletableFuture<Void> end, Duration pause, KafkaStreams streams, Placement placement) {
        Thread thread = new Thread(() -> watch(end, pause, streams, placement), "strake-progress-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch(CompletableFuture<Void> end, Duration pause, KafkaStreams streams, Placement placement) {
        try (Admin admin = settings.kafka().admin(PATIENCE)) {
            long before = System.nanoTime();
            String failure = "";
            while (!StoreWatch.isDoneWithin(pause, end)) {
                long now = System.nanoTime();
                // A process that slept is not counted as one that stood still.
                Duration elapsed = Duration.ofNanos(
                        Math.min(now - before, pause.plus(PATIENCE).toNanos()));
                before = now;
                try {
                    look(admin, elapsed, streams, placement).ifPresent(end::completeExceptionally);
                    tell(streams);
                    tellOfTransaction();
                    failure = "";
                } catch (RuntimeException e) {
                    String name = e.getClass().getName();
                    if (!name.equals(failure)) {
                        LOG.warn(
                                "It cannot be seen whether the pipeline moves on: {}. The next look may succeed", name);
                    }
                    failure = name;
                }
            }
        } catch (KafkaException e) {
            LOG.warn(
                    "Nobody watches whether the pipeline moves on: there is no client for it ({})",
                    e.getClass().getName());
        }
    }

    /* What the pipeline has to end for. */
    private Optional<RuntimeException> look(Admin admin, Duration elapsed, KafkaStreams streams, Placement placement) {
        try {
            Optional<RuntimeException> fault = known.look(topics.described(admin, settings.kafka()));
            if (fault.isPresent()) {
                return fault;
            }
            NavigableSet<Integer> active = placement.active();
            Set<TopicPartition> asked = active.stream()
                    .map(number -> new TopicPartition(changes, number))
                    .collect(Collectors.toSet());
            // What can be read ends at the first transaction of a publisher that is open.
            Map<TopicPartition, Long> readable =
                    offsets(admin, asked, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
            Map<Integer, Place> places = places(admin, readable);
            Map<Integer, Place> unreadable = new TreeMap<>();
            offsets(admin, asked, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED)
                    .forEach((partition, end) ->
                            unreadable.put(partition.partition(), new Place(readable.get(partition), end)));
            if (streams.state() == KafkaStreams.State.RUNNING) {
                progress.look(places, readToTheEnd(streams.metrics().values()), elapsed);
                heldUp.look(unreadable, Set.of(), elapsed);
            }
        } catch (KafkaUnavailableException | KafkaException e) {
            progress.unanswered(elapsed);
        }
        return Optional.empty();
    }

    /** What topics have to do with a failure of the pipeline; empty if nothing. */
    Optional<RuntimeException> topicFault(Throwable failure) {
        Map<String, TopicDescription> there = Map.of();
        try (Admin admin = settings.kafka().admin(PATIENCE)) {
            there = topics.described(admin, settings.kafka());
        } catch (RuntimeException e) {
            LOG.debug("Kafka does not tell what topics there are", e);
        }
        return known.behind(failure, there);
    }

    private Map<Integer, Place> places(Admin admin, Map<TopicPartition, Long> readable) {
        Map<TopicPartition, OffsetAndMetadata> committed = settings.kafka()
                .await(
                        admin.listConsumerGroupOffsets(settings.applicationId()).partitionsToOffsetAndMetadata(),
                        PATIENCE);
        Map<TopicPartition, Long> begins = new HashMap<>();
        Set<TopicPartition> untouched = new HashSet<>(readable.keySet());
        untouched.removeIf(partition -> committed.get(partition) != null);
        if (!untouched.isEmpty()) {
            begins.putAll(offsets(admin, untouched, OffsetSpec.earliest(), IsolationLevel.READ_COMMITTED));
        }
        Map<Integer, Place> places = new TreeMap<>();
        readable.forEach((partition, end) -> {
            OffsetAndMetadata offset = committed.get(partition);
            places.put(partition.partition(), new Place(offset == null ? begins.get(partition) : offset.offset(), end));
        });
        return places;
    }

    private Map<TopicPartition, Long> offsets(
            Admin admin, Set<TopicPartition> partitions, OffsetSpec which, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> wanted =
                partitions.stream().collect(Collectors.toMap(each -> each, each -> which));
        Map<TopicPartition, Long> found = new HashMap<>();
        settings.kafka()
                .await(
                        admin.listOffsets(wanted, new ListOffsetsOptions(isolation))
                                .all(),
                        PATIENCE)
                .forEach((partition, answer) -> found.put(partition, answer.offset()));
        return found;
    }

    /*
     * After a restart the end of a transaction may be behind the committed offset, and nothing else. The consumer knows:
     * it is at the end, and took nothing up. One that is not asked for records any more knows an earlier end.
     */
    private Set<Integer> readToTheEnd(Collection<? extends Metric> metrics) {
        Set<String> asked = new HashSet<>();
        for (Metric metric : metrics) {
            if (metric.metricName().name().equals("last-poll-seconds-ago")
                    && metric.metricValue() instanceof Double seconds
                    && seconds >= 0
                    && seconds < JUST_ASKED.toSeconds()) {
                asked.add(metric.metricName().tags().get("client-id"));
            }
        }
        Set<Integer> read = new HashSet<>();
        for (Metric metric : metrics) {
            Map<String, String> tags = metric.metricName().tags();
            if (metric.metricName().name().equals("records-lag")
                    && changes.equals(tags.get("topic"))
                    && asked.contains(tags.get("client-id"))
                    && metric.metricValue().equals(0.0)) {
                read.add(Integer.valueOf(tags.get("partition")));
            }
        }
        read.removeAll(open.keySet());
        return read;
    }

    private void tell(KafkaStreams streams) {
        Optional<String> reason = reason();
        if (reason.isPresent() && !told) {
            LOG.warn("The pipeline stands still: {}. {}", reason.get(), threads(streams));
        } else if (reason.isEmpty() && told) {
            LOG.warn("The pipeline moves on again");
        }
        told = reason.isPresent();
    }

    private void tellOfTransaction() {
        Optional<Standstill> open =
                heldUp.longest().filter(standstill -> standstill.time().compareTo(limit) >= 0);
        if (open.isPresent() && !toldOfTransaction) {
            int partition = open.get().partition().orElseThrow(); // nobody tells it that Kafka did not answer
            LOG.warn(
                    "A publisher's transaction has been open for {} s in partition {} of {}, from offset {} on. No change"
                            + " behind it can be read until its publisher or the broker ends it. To see whose it is:"
                            + " kafka-transactions.sh --bootstrap-server {} describe-producers --topic {} --partition {}",
                    open.get().time().toSeconds(),
                    partition,
                    changes,
                    open.get().place().committed(),
                    settings.kafka().bootstrapServers(),
                    changes,
                    partition);
        } else if (open.isEmpty() && toldOfTransaction) {
            LOG.warn("Changes behind the publisher's transaction can be read again");
        }
        toldOfTransaction = open.isPresent();
    }

    /* Where a thread is says what it waits for, and quotes no document. */
    private static String threads(KafkaStreams streams) {
        Set<String> names = new HashSet<>();
        streams.metadataForLocalThreads().forEach(thread -> names.add(thread.threadName()));
        Map<String, String> places = new TreeMap<>();
        Consumer<Map.Entry<Thread, StackTraceElement[]>> add = each -> {
            StackTraceElement[] frames = each.getValue();
            StackTraceElement own = null;
            for (int i = frames.length - 1; i >= 0; i--) {
                own = frames[i].getClassName().startsWith("dev.strake") ? frames[i] : own;
            }
            String place = frames.length == 0 ? "nowhere" : frames[0] + (own == null ? "" : ", called by " + own);
            places.put(each.getKey().getName(), each.getKey().getState() + " at " + place);
        };
        Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> names.contains(each.getKey().getName()))
                .forEach(add);
        return places.isEmpty() ? "None of its threads is alive" : "Its threads: " + places;
    }
}
