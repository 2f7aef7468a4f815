package dev.strake.server.events;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.RevisionFeed;
import dev.strake.client.RevisionMerger;
import dev.strake.client.RevisionPart;
import dev.strake.client.RevisionTopics;
import dev.strake.server.events.Event.Gone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays missed events to reconnecting clients, in chunks, round robin, with one consumer. A client requests the next
 * chunk after it has sent the previous one, so it holds at most one chunk.
 */
final class MissedEvents implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MissedEvents.class);

    /** A chunk ends with the event that exceeds this size. */
    private static final long CHUNK_BYTES = 256 << 10;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Supplier<RevisionTopics> open;
    private final RecentEvents recent;
    private final ReentrantLock turn = new ReentrantLock(true);
    private RevisionTopics topics;
    private KafkaConsumer<byte[], byte[]> consumer;
    private boolean isClosed;

    MissedEvents(Supplier<RevisionTopics> open, RecentEvents recent) {
        this.open = open;
        this.recent = recent;
    }

    /**
     * The result of a read.
     *
     * @param continueAt the number of the recent event to continue with, if the client has caught up
     * @param gone why events are missing, or null
     */
    record Batch(List<Event> events, OptionalLong continueAt, Gone gone) {

        static Batch of(List<Event> events) {
            return new Batch(events, OptionalLong.empty(), null);
        }

        static Batch gone(Gone why) {
            return new Batch(List.of(), OptionalLong.empty(), why);
        }
    }

    /**
     * Reads the next chunk for a client.
     *
     * @param from the client's position, which is advanced
     * @param workspace the client's workspace; null for the outcomes of all
     * @param longest how long to wait for the client's turn
     * @return empty if other clients used the consumer all that time
     */
    Optional<Batch> read(List<RevisionMerger> from, String workspace, Duration longest) throws InterruptedException {
        if (!turn.tryLock(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.empty();
        }
        try {
            return isClosed ? Optional.empty() : Optional.of(chunk(from, workspace));
        } finally {
            turn.unlock();
        }
    }

    private Batch chunk(List<RevisionMerger> from, String workspace) {
        try {
            if (consumer == null) {
                topics = open.get();
                consumer = topics.consumer(Feed.FETCHES);
            }
            return readOn(from, workspace);
        } catch (OffsetOutOfRangeException e) {
            return Batch.gone(Gone.OLD);
        } catch (KafkaException | KafkaUnavailableException | MisconfiguredException e) {
            LOG.warn("Earlier events cannot be read ({}: {})", e.getClass().getSimpleName(), e.getMessage());
            closeClients();
            return Batch.gone(Gone.INTERRUPTED);
        }
    }

    private Batch readOn(List<RevisionMerger> from, String workspace) {
        RevisionFeed reader = new RevisionFeed(topics, consumer, from);
        List<Event> events = new ArrayList<>();
        long bytes = 0;
        long since = System.nanoTime();
        while (bytes < CHUNK_BYTES && System.nanoTime() - since < LONGEST_NANOS) {
            OptionalLong continueAt = recent.covers(from);
            if (continueAt.isPresent()) {
                return new Batch(events, continueAt, null);
            }
            for (RevisionPart part : reader.read(POLL)) {
                Event event = Event.of(part);
                if (part instanceof RevisionPart.End end
                        && !end.isWhole()
                        && event.workspace().equals(workspace)) {
                    return Batch.gone(Gone.COMPACTED);
                }
                events.add(event);
                bytes += event.weight();
            }
        }
        return Batch.of(events);
    }

    private void closeClients() {
        if (consumer != null) {
            consumer.close();
            consumer = null;
        }
        if (topics != null) {
            topics.close();
            topics = null;
        }
    }

    @Override
    public void close() {
        turn.lock();
        try {
            isClosed = true;
            closeClients();
        } finally {
            turn.unlock();
        }
    }
}
