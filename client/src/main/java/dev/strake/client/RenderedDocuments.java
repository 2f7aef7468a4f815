package dev.strake.client;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.rendered.RenderedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the rendered documents of one workspace record by record, for display. Programs that act on them need whole
 * revisions: {@link Subscription}. Not thread-safe.
 */
public final class RenderedDocuments implements AutoCloseable {

    /** Allows for records that other changes have published since. */
    private static final long SINCE = 1_000;

    /** Topics of one transaction do not become visible at the same moment. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(100);

    private final PartitionReader reader;
    private final byte[] prefix;

    /** A record and its timestamp. */
    public record Received(RenderedRecord message, long timestamp) {}

    /**
     * Opens a reader.
     *
     * @param topicPrefix the prefix of topic names
     * @param fromBeginning whether to start with all current documents rather than with the next change
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topic
     */
    public RenderedDocuments(
            Cluster cluster, String topicPrefix, String workspace, boolean fromBeginning, Duration timeout) {
        String topic = topicPrefix + TopicNames.RENDERED;
        this.reader = PartitionReader.open(cluster, topic, workspace, fromBeginning, timeout);
        this.prefix = (workspace + "|").getBytes(StandardCharsets.UTF_8);
    }

    /** Polls the next records of the workspace. Empty if none arrived in time. */
    public List<Received> poll(Duration wait) {
        List<Received> received = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> message : reader.poll(wait)) {
            if (isOurs(message.key())) {
                received.add(received(message));
            }
        }
        return received;
    }

    /**
     * Reads to the current end of the topic.
     *
     * @throws KafkaUnavailableException if the end is not reached in time
     */
    public void readToEnd(Duration within, Consumer<Received> each) {
        reader.readToEnd(System.nanoTime() + within.toNanos(), message -> {
            if (isOurs(message.key())) {
                each.accept(received(message));
            }
        });
    }

    /**
     * Whether the topic holds a rendered document of a workspace, or a tombstone of one.
     *
     * @param timeout after which the result is true
     * @throws KafkaUnavailableException if the cluster does not answer or has no such topic
     */
    public static boolean isKnown(Cluster cluster, String topicPrefix, String workspace, Duration timeout) {
        try (RenderedDocuments all = new RenderedDocuments(cluster, topicPrefix, workspace, true, timeout)) {
            return all.reader.readUntil(System.nanoTime() + timeout.toNanos(), message -> all.isOurs(message.key()));
        }
    }

    /**
     * Returns the records that a change published, for use right after its outcome was received.
     *
     * @param most the maximum number of records
     * @return fewer records if other changes have published many since, or the cluster is slow
     * @throws KafkaUnavailableException if the cluster does not answer or has no such topic
     */
    public static List<Received> of(Cluster cluster, String topicPrefix, Outcome outcome, int most, Duration timeout) {
        int all = outcome.work().emitted() + outcome.work().removed();
        int wanted = Math.min(most, all);
        List<Received> found = new ArrayList<>();
        try (RenderedDocuments rendered =
                new RenderedDocuments(cluster, topicPrefix, outcome.workspace(), false, timeout)) {
            rendered.reader.goBack(SINCE + 2L * all);
            long deadline = System.nanoTime() + MOMENT.toNanos();
            while (found.size() < wanted && System.nanoTime() < deadline) {
                rendered.poll(POLL).stream()
                        .filter(each -> outcome.change()
                                .id()
                                .equals(each.message().headers().cause().changeId()))
                        .limit(wanted - found.size())
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** Whether the cluster answers in time. Polling resumes by itself once the cluster answers again. */
    public boolean isAnswered(Duration within) {
        return reader.isAnswered(within);
    }

    private static Received received(ConsumerRecord<byte[], byte[]> message) {
        RenderedRecord read = RenderedRecord.read(message.key(), message.value(), message.headers());
        return new Received(read, message.timestamp());
    }

    private boolean isOurs(byte[] key) {
        if (key == null || key.length < prefix.length) {
            return false;
        }
        return java.util.Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    @Override
    public void close() {
        reader.close();
    }
}
