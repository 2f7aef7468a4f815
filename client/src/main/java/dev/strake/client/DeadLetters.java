package dev.strake.client;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Reads the records that belong to no workspace, as far back as their topic goes. */
public final class DeadLetters {

    /** Transactions take offsets, too, so more is read than is wanted. */
    private static final long FIRST_LOOK = 100;

    private static final int DEEPER = 16;

    private final Cluster cluster;
    private final String topic;
    private final Duration timeout;

    /**
     * A dead letter without its value.
     *
     * @param topic of the record that it was, with its partition and offset
     * @param time of the record, in milliseconds
     * @param reason why it belongs to no workspace; quotes nothing of the record
     * @param bytes of the value as it is kept; -1 for none
     * @param sealedWith the id of the key that encrypted the value; empty if it is as it came
     */
    public record Letter(
            String topic,
            int partition,
            long offset,
            long time,
            String reason,
            int bytes,
            Optional<String> sealedWith) {

        /** The place of the record, {@code topic-partition@offset}. */
        public String place() {
            return topic + "-" + partition + "@" + offset;
        }
    }

    /** A dead letter with its value as it is kept; null for none. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Whole(Letter letter, byte[] value) {}

    /**
     * @param topicPrefix of the topics' names
     * @param timeout for all of an answer
     */
    public DeadLetters(Cluster cluster, String topicPrefix, Duration timeout) {
        this.cluster = cluster;
        this.topic = topicPrefix + TopicNames.DEAD_LETTERS;
        this.timeout = timeout;
    }

    /**
     * The last ones, the oldest first.
     *
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topic
     */
    public List<Letter> last(int most) {
        Comparator<Letter> byTime = Comparator.comparingLong(Letter::time)
                .thenComparing(Letter::topic)
                .thenComparingInt(Letter::partition)
                .thenComparingLong(Letter::offset);
        for (long offsets = FIRST_LOOK; ; offsets *= DEEPER) {
            PriorityQueue<Letter> newest = new PriorityQueue<>(byTime);
            boolean isAll = read(offsets, message -> {
                newest.add(letter(message));
                if (newest.size() > most) {
                    newest.remove();
                }
            });
            if (isAll || newest.size() == most) {
                return newest.stream().sorted(byTime).toList();
            }
        }
    }

    /**
     * The one at a place, {@code topic-partition@offset}; empty if there is none, or none any more.
     *
     * @throws KafkaUnavailableException if the cluster does not answer in time or has no such topic
     */
    public Optional<Whole> at(String place) {
        Whole[] found = new Whole[1];
        try (PartitionReader reader = PartitionReader.ofAll(cluster, topic, timeout)) {
            reader.goBack(Long.MAX_VALUE);
            boolean isSettled = !reader.readUntil(System.nanoTime() + timeout.toNanos(), message -> {
                Letter letter = letter(message);
                if (letter.place().equals(place)) {
                    found[0] = new Whole(letter, message.value());
                }
                return found[0] != null;
            });
            if (found[0] == null && !isSettled) {
                throw new KafkaUnavailableException(topic + " could not be read to its end in time. Allow more time.");
            }
        }
        return Optional.ofNullable(found[0]);
    }

    /* The last offsets of each partition; whether that is all of the topic. */
    private boolean read(long offsets, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try (PartitionReader reader = PartitionReader.ofAll(cluster, topic, timeout)) {
            boolean isAll = reader.goBack(offsets);
            reader.readToEnd(System.nanoTime() + timeout.toNanos(), each);
            return isAll;
        }
    }

    private static Letter letter(ConsumerRecord<byte[], byte[]> message) {
        String partition = header(message, "__streams.errors.partition").orElse("");
        String offset = header(message, "__streams.errors.offset").orElse("");
        boolean isPlaced = partition.matches("\\d{1,9}") && offset.matches("\\d{1,18}");
        return new Letter(
                header(message, "__streams.errors.topic").orElse("?"),
                isPlaced ? Integer.parseInt(partition) : -1,
                isPlaced ? Long.parseLong(offset) : -1,
                message.timestamp(),
                header(message, "__streams.errors.message").orElse(""),
                message.value() == null ? -1 : message.value().length,
                header(message, HeaderNames.SEALED_WITH));
    }

    private static Optional<String> header(ConsumerRecord<byte[], byte[]> message, String name) {
        Header header = message.headers().lastHeader(name);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }
}
