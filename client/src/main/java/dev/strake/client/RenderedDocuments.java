package dev.strake.client;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.rendered.RenderedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Follows the rendered documents of one workspace. Not for use by several threads. */
public final class RenderedDocuments implements AutoCloseable {

    private final PartitionReader reader;
    private final byte[] prefix;

    /** One record: what it says, its own bytes and its place. */
    public record Received(RenderedRecord message, long offset, long timestamp, int bytes) {}

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
                RenderedRecord read = RenderedRecord.read(message.key(), message.value(), message.headers());
                int bytes = message.value() == null ? 0 : message.value().length;
                received.add(new Received(read, message.offset(), message.timestamp(), bytes));
            }
        }
        return received;
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
