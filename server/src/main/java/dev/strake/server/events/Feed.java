package dev.strake.server.events;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads outcomes and rendered documents once for all clients of an instance, while there are any.
 *
 * <pre>
 *  topics ──► one thread ──► {@link Recent} ◄── each client, at its own pace
 *         ──► {@link Past}, chunk by chunk ◄── a client that comes back, until it has caught up
 * </pre>
 */
public final class Feed implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

    /** How far a client may be behind, in bytes of events. */
    private static final long MOST_BEHIND = 16L << 20;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long KEEP_READING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Cluster cluster;
    private final String prefix;
    private final int partitions;
    private final Recent recent;
    private final Set<EventStream> clients = ConcurrentHashMap.newKeySet();
    private final Past past;
    private Thread thread;
    private volatile boolean closed;
    private final Set<Consumer<byte[]>> hearers = ConcurrentHashMap.newKeySet();
    private volatile CompletableFuture<Void> begun = new CompletableFuture<>();
    private volatile int topicsId;

    /**
     * @param prefix of the topics' names
     * @param partitions of each of them
     */
    public Feed(Cluster cluster, String prefix, int partitions) {
        this(cluster, prefix, partitions, MOST_BEHIND);
    }

    Feed(Cluster cluster, String prefix, int partitions, long mostBehind) {
        this.cluster = cluster;
        this.prefix = prefix;
        this.partitions = partitions;
        this.recent = new Recent(mostBehind);
        this.past = new Past(() -> new Topics(cluster, prefix, partitions), recent);
    }

    int partitions() {
        return partitions;
    }

    Recent recent() {
        return recent;
    }

    Past past() {
        return past;
    }

    /** Whether events come. Until then a client waits. */
    boolean isReady() {
        return begun.isDone();
    }

    /** Done as long as events come; from then on none is missed. */
    public CompletableFuture<Void> begun() {
        return begun;
    }

    /**
     * Tells of every outcome, until the end.
     *
     * @param hearer gets its JSON, on the thread that reads; must not wait
     */
    public synchronized void hear(Consumer<byte[]> hearer) {
        hearers.add(hearer);
        startIfNeeded();
    }

    /** What tells the topics from others of the same names; known when it is ready. */
    int topicsId() {
        return topicsId;
    }

    /** Takes in a client. */
    synchronized void join(EventStream client) {
        clients.add(client);
        startIfNeeded();
    }

    private void startIfNeeded() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, "events");
            thread.setDaemon(true);
            thread.start();
        }
    }

    void leave(EventStream client) {
        clients.remove(client);
    }

    private void run() {
        boolean first = true;
        while (!closed) {
            try (Topics topics = new Topics(cluster, prefix, partitions);
                    KafkaConsumer<byte[], byte[]> consumer = topics.consumer()) {
                begin(topics.end(consumer), first);
                first = false;
                if (follow(new Reader(topics, consumer, merges(), true))) {
                    return;
                }
            } catch (KafkaException | KafkaUnavailableException | MisconfiguredException e) {
                unready();
                LOG.warn(
                        "Events cannot be read ({}: {}) and are tried again",
                        e.getClass().getSimpleName(),
                        e.getMessage());
                rest();
            }
        }
    }

    /* Clients are kept awake meanwhile. */
    private void rest() {
        for (int i = 0; i < 10 && !closed; i++) {
            wake();
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                closed = true;
            }
        }
    }

    private void begin(Place end, boolean first) {
        topicsId = end.topics();
        recent.restart(end);
        if (!first) {
            recent.add(List.of(Event.reset(Event.Gone.INTERRUPTED, null, -1, -1)));
        }
        begun.complete(null);
    }

    private List<Merge> merges() {
        Place from = recent.now().place();
        List<Merge> merges = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            merges.add(new Merge(i, true, from.outcomes()[i], from.rendered()[i]));
        }
        return merges;
    }

    /* Until nobody has listened for a while, or the end. Returns whether the thread has to end. */
    private boolean follow(Reader reader) {
        long lastClient = System.nanoTime();
        long woken = System.nanoTime();
        while (!closed) {
            List<Event> events = reader.read(POLL);
            recent.add(events);
            events.stream()
                    .filter(event -> event.kind() == Event.Kind.OUTCOME)
                    .forEach(event -> hearers.forEach(each -> each.accept(event.json())));
            long now = System.nanoTime();
            if (events.isEmpty() || now - woken > POLL.toNanos()) {
                wake();
                woken = now;
            }
            if (!clients.isEmpty() || !hearers.isEmpty()) {
                lastClient = now;
            } else if (now - lastClient > KEEP_READING_NANOS && end()) {
                return true;
            }
        }
        return true;
    }

    private void wake() {
        clients.forEach(EventStream::wakeIfDue);
    }

    private void unready() {
        if (begun.isDone()) { // whoever waits for the next one waits for this one
            begun = new CompletableFuture<>();
        }
    }

    private synchronized boolean end() {
        if (!clients.isEmpty() || !hearers.isEmpty()) {
            return false;
        }
        unready();
        thread = null;
        past.rest();
        return true;
    }

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
