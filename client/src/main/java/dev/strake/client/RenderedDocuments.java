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

/** Follows the rendered documents of one workspace. Not for use by several threads. */
public final class RenderedDocuments implements AutoCloseable {

    /** Records that others may have published since. */
    private static final long SINCE = 1_000;

    /** Topics of one transaction need not show it at the same moment. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(100);

    private final PartitionReader reader;
    private final byte[] prefix;

    /** A record, and when it was written. */
    public record Received(RenderedRecord message, long timestamp) {}

    /**
     * Starts to follow.
     *
     * @param topicPrefix of the topics' names
     * @param fromBeginning with all that consumers hold now; otherwise only with what changes from now on
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topic
     */
    public RenderedDocuments(
            Cluster cluster, String topicPrefix, String workspace, boolean fromBeginning, Duration timeout) {
        String topic = topicPrefix + TopicNames.RENDERED;
        this.reader = PartitionReader.open(cluster, topic, workspace, fromBeginning, timeout);
        this.prefix = (workspace + "|").getBytes(StandardCharsets.UTF_8);
    }

    /** What came next; nothing if nothing came in time. */
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
     * Reads on to where the topic ends now.
     *
     * @throws KafkaUnavailableException if that takes longer than it may
     */
    public void readToEnd(Duration within, Consumer<Received> each) {
        reader.readToEnd(System.nanoTime() + within.toNanos(), message -> {
            if (isOurs(message.key())) {
                each.accept(received(message));
            }
        });
    }

    /**
     * Whether a workspace has, or had not long ago, a rendered document.
     *
     * @param timeout after which it is taken for known
     * @throws KafkaUnavailableException if the cluster does not answer or has no such topic
     */
    public static boolean isKnown(Cluster cluster, String topicPrefix, String workspace, Duration timeout) {
        try (RenderedDocuments all = new RenderedDocuments(cluster, topicPrefix, workspace, true, timeout)) {
            return all.reader.readUntil(System.nanoTime() + timeout.toNanos(), message -> all.isOurs(message.key()));
        }
    }

    /**
     * What a change published, right after its outcome was heard.
     *
     * @param most how many of its records at the most
     * @return fewer than there are if other changes have published many since, or the cluster is slow
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

    /** Whether the cluster answers within some time. Following goes on by itself once it does again. */
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
