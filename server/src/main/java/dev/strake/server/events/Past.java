package dev.strake.server.events;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.events.Event.Gone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for clients that come back what they missed, one chunk at a time in turns, with one consumer for all of them. A
 * client asks for a chunk when it has taken the one before, so none of them holds more than one.
 */
final class Past implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Past.class);

    /** Events of a chunk, beside the last one. */
    private static final long CHUNK_BYTES = 256 << 10;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Supplier<Topics> open;
    private final Recent recent;
    private final ExecutorService thread;
    private Topics topics;
    private KafkaConsumer<byte[], byte[]> consumer;

    Past(Supplier<Topics> open, Recent recent) {
        this.open = open;
        this.recent = recent;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "events-past");
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * What a client gets.
     *
     * @param goOn number of the recent event to go on with, if it has caught up with these
     * @param gone why there is nothing, null if there is
     */
    record Chunk(List<Event> events, OptionalLong goOn, Gone gone) {}

    /**
     * Reads the next chunk for a client, on another thread.
     *
     * @param workspace that it listens to, with its rendered documents; null for the outcomes of all
     */
    void read(List<Merge> merges, String workspace, Consumer<Chunk> to) {
        try {
            thread.execute(() -> to.accept(chunk(merges, workspace)));
        } catch (RejectedExecutionException e) {
            LOG.debug("Not read: this instance is stopping", e);
        }
    }

    private Chunk chunk(List<Merge> merges, String workspace) {
        try {
            if (consumer == null) {
                topics = open.get();
                consumer = topics.consumer();
            }
            return read(merges, workspace);
        } catch (OffsetOutOfRangeException e) {
            return new Chunk(List.of(), OptionalLong.empty(), Gone.OLD);
        } catch (KafkaException | KafkaUnavailableException | MisconfiguredException e) {
            LOG.warn("Earlier events cannot be read ({}: {})", e.getClass().getSimpleName(), e.getMessage());
            closeClients();
            return new Chunk(List.of(), OptionalLong.empty(), Gone.INTERRUPTED);
        }
    }

    private Chunk read(List<Merge> merges, String workspace) {
        if (isGone(merges)) {
            return new Chunk(List.of(), OptionalLong.empty(), Gone.OLD);
        }
        Reader reader = new Reader(topics, consumer, merges, workspace != null);
        List<Event> events = new ArrayList<>();
        long bytes = 0;
        long since = System.nanoTime();
        while (bytes < CHUNK_BYTES && System.nanoTime() - since < LONGEST_NANOS) {
            OptionalLong goOn = recent.covers(merges);
            if (goOn.isPresent()) {
                return new Chunk(events, goOn, null);
            }
            for (Event event : reader.read(POLL)) {
                if (event.kind() == Event.Kind.RESET && event.workspace().equals(workspace)) {
                    return new Chunk(List.of(), OptionalLong.empty(), Gone.COMPACTED);
                }
                if (event.kind() != Event.Kind.RESET) {
                    events.add(event);
                }
                bytes += event.weight();
            }
        }
        return new Chunk(events, OptionalLong.empty(), null);
    }

    private boolean isGone(List<Merge> merges) {
        List<TopicPartition> outcomes =
                merges.stream().map(each -> topics.outcomes(each.partition())).toList();
        var first = consumer.beginningOffsets(outcomes);
        var last = consumer.endOffsets(outcomes);
        return merges.stream().anyMatch(each -> {
            TopicPartition partition = topics.outcomes(each.partition());
            return each.outcomesRead() < first.get(partition) || each.outcomesRead() > last.get(partition);
        });
    }

    /** Lets go of the connections while nobody needs them. */
    void rest() {
        try {
            thread.execute(this::closeClients);
        } catch (RejectedExecutionException e) {
            LOG.debug("Closed already", e);
        }
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
        rest();
        thread.shutdown();
    }
}
