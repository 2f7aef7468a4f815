package dev.strake.server.events;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.RevisionFeed;
import dev.strake.client.RevisionPart;
import dev.strake.client.RevisionTopics;
import dev.strake.client.Revisions;
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
 * Replays missed events to reconnecting clients, in chunks, by turns, with one consumer. A client asks for a chunk when
 * it has taken the one before, so none of them holds more than one.
 */
final class MissedEvents implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MissedEvents.class);

    /** A chunk ends with the event that makes it larger. */
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
     * What a client gets.
     *
     * @param goOn number of the recent event to go on with, if it has caught up with these
     * @param gone why there is nothing, null if there is
     */
    record Batch(List<Event> events, OptionalLong goOn, Gone gone) {

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
     * @param from where it is; this moves on
     * @param workspace that it listens to; null for the outcomes of all
     * @param longest to wait for its turn
     * @return empty if others had their turns all that time
     */
    Optional<Batch> read(List<Revisions> from, String workspace, Duration longest) throws InterruptedException {
        if (!turn.tryLock(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.empty();
        }
        try {
            return isClosed ? Optional.empty() : Optional.of(chunk(from, workspace));
        } finally {
            turn.unlock();
        }
    }

    private Batch chunk(List<Revisions> from, String workspace) {
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

    private Batch readOn(List<Revisions> from, String workspace) {
        RevisionFeed reader = new RevisionFeed(topics, consumer, from);
        List<Event> events = new ArrayList<>();
        long bytes = 0;
        long since = System.nanoTime();
        while (bytes < CHUNK_BYTES && System.nanoTime() - since < LONGEST_NANOS) {
            OptionalLong goOn = recent.covers(from);
            if (goOn.isPresent()) {
                return new Batch(events, goOn, null);
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
