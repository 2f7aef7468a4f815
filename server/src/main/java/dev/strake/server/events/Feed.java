package dev.strake.server.events;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.RevisionFeed;
import dev.strake.client.RevisionMerger;
import dev.strake.client.RevisionPart;
import dev.strake.client.RevisionTopics;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.server.metrics.Latencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads outcomes and rendered documents once for all clients of an instance. Starts with the first client.
 *
 * <pre>
 *  topics ──► one thread ──► {@link RecentEvents} ◄── each client at its own pace
 *         ──► {@link MissedEvents}, in chunks ◄── a reconnecting client, until it has caught up
 * </pre>
 */
public final class Feed implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

    /** How far a client may lag behind, in bytes of events. */
    private static final long MOST_BEHIND = 16L << 20;

    /** At most ten fetches a second: enough for viewers, and little load for brokers. */
    static final Map<String, Object> FETCHES = Map.of(
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1 << 20,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 << 20);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Cluster cluster;
    private final String prefix;
    private final int partitions;
    private final Latencies latencies;
    private final RecentEvents recent;
    private final MissedEvents past;
    private final Set<Consumer<byte[]>> listeners = ConcurrentHashMap.newKeySet();
    private Thread thread;
    private volatile boolean closed;
    private volatile CompletableFuture<Void> begun = new CompletableFuture<>();

    /**
     * @param prefix of the topic names
     * @param partitions of each topic
     * @param latencies of revisions that this instance made
     */
    public Feed(Cluster cluster, String prefix, int partitions, Latencies latencies) {
        this(cluster, prefix, partitions, latencies, MOST_BEHIND);
    }

    Feed(Cluster cluster, String prefix, int partitions, Latencies latencies, long mostBehind) {
        this.cluster = cluster;
        this.prefix = prefix;
        this.partitions = partitions;
        this.latencies = latencies;
        this.recent = new RecentEvents(mostBehind);
        this.past = new MissedEvents(this::topics, recent);
    }

    private RevisionTopics topics() {
        return new RevisionTopics(cluster, prefix, TIMEOUT);
    }

    int partitions() {
        return partitions;
    }

    RecentEvents recent() {
        return recent;
    }

    MissedEvents past() {
        return past;
    }

    boolean isClosed() {
        return closed;
    }

    /** Complete while events are being read, so that a client that starts then misses none. */
    public CompletableFuture<Void> begun() {
        return begun;
    }

    /**
     * Registers a listener for all outcomes.
     *
     * @param listener gets the JSON of each outcome on the reading thread, and must not block
     */
    public void addListener(Consumer<byte[]> listener) {
        listeners.add(listener);
        start();
    }

    synchronized void start() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, "events");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        boolean isFirst = true;
        while (!closed) {
            try (RevisionTopics topics = topics();
                    KafkaConsumer<byte[], byte[]> consumer = topics.consumer(FETCHES)) {
                EventPosition end = end(topics, consumer);
                recent.restart(end);
                if (!isFirst) {
                    recent.add(List.of(Event.reset(Event.Gone.INTERRUPTED, null, -1, -1)));
                }
                isFirst = false;
                begun.complete(null);
                follow(new RevisionFeed(topics, consumer, revisions(end)));
            } catch (KafkaException | KafkaUnavailableException | MisconfiguredException e) {
                if (begun.isDone()) { // threads may already wait for an incomplete one
                    begun = new CompletableFuture<>();
                }
                LOG.warn(
                        "Events cannot be read ({}: {}) and are tried again",
                        e.getClass().getSimpleName(),
                        e.getMessage());
                pause();
            }
        }
    }

    private void pause() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /*
     * Returns the ends of both topics. Reads the ends of the outcomes first, and includes uncommitted rendered
     * documents, so that no later rendered document has an earlier outcome.
     */
    private EventPosition end(RevisionTopics topics, KafkaConsumer<byte[], byte[]> consumer) {
        EventPosition end = new EventPosition(topics.id(), new long[partitions], new long[partitions]);
        List<TopicPartition> outcomes =
                IntStream.range(0, partitions).mapToObj(topics::outcomes).toList();
        List<TopicPartition> rendered =
                IntStream.range(0, partitions).mapToObj(topics::rendered).toList();
        consumer.endOffsets(outcomes).forEach((each, offset) -> end.outcomes()[each.partition()] = offset);
        topics.ends(rendered).forEach((each, offset) -> end.rendered()[each.partition()] = offset);
        return end;
    }

    private List<RevisionMerger> revisions(EventPosition from) {
        return IntStream.range(0, partitions)
                .mapToObj(each -> RevisionMerger.ofAll(each, true, from.outcomes()[each], from.rendered()[each]))
                .toList();
    }

    private void follow(RevisionFeed reader) {
        while (!closed) {
            List<Event> events = new ArrayList<>();
            for (RevisionPart part : reader.read(POLL)) {
                add(part, events);
            }
            recent.add(events);
        }
    }

    private void add(RevisionPart part, List<Event> to) {
        Event event = Event.of(part);
        if (!(part instanceof RevisionPart.End end)) {
            to.add(event);
            return;
        }
        if (!end.isWhole()) {
            to.add(Event.reset(Event.Gone.COMPACTED, event.workspace(), event.partition(), event.outcome()));
        }
        Event timed = event.withLatency(latency(end.outcome()));
        to.add(timed);
        listeners.forEach(each -> each.accept(timed.json()));
    }

    /* Returns the latency measured at the commit if this instance made the revision; otherwise the time until now. */
    private long latency(Outcome outcome) {
        OptionalLong measured = outcome.status().isOfRevision()
                ? latencies.of(outcome.workspace(), outcome.revision())
                : OptionalLong.empty();
        return measured.orElseGet(
                () -> Math.max(0, System.currentTimeMillis() - outcome.time().toEpochMilli()));
    }

    /** Also ends all event streams. */
    @Override
    public void close() {
        closed = true;
        Thread running;
        synchronized (this) {
            running = thread;
        }
        past.close();
        if (running != null) {
            try {
                running.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
