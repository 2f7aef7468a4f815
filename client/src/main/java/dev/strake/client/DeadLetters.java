package dev.strake.client;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the records that belong to no workspace, as far back as their topic reaches. */
public final class DeadLetters {

    /** Transaction markers occupy offsets, too, so more offsets are read than records are wanted. */
    private static final long FIRST_LOOK = 100;

    private static final int DEEPER = 16;

    private final Cluster cluster;
    private final String topic;
    private final Duration timeout;

    /**
     * A dead letter without its value.
     *
     * @param topic the topic of the original record; partition and offset are those of the original, too
     * @param time timestamp in milliseconds
     * @param reason why the record belongs to no workspace; quotes nothing of the record
     * @param bytes size of the stored value; -1 if there is none
     * @param sealedWith id of the key that encrypted the value; empty if the value is not encrypted
     */
    public record Letter(
            String topic,
            int partition,
            long offset,
            long time,
            String reason,
            int bytes,
            Optional<String> sealedWith) {

        /** The position of the original record, {@code topic-partition@offset}. */
        public String place() {
            return topic + "-" + partition + "@" + offset;
        }
    }

    /** A dead letter with its stored value; null if there is none. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Whole(Letter letter, byte[] value) {}

    /**
     * @param topicPrefix the prefix of topic names
     * @param timeout for each call as a whole
     */
    public DeadLetters(Cluster cluster, String topicPrefix, Duration timeout) {
        this.cluster = cluster;
        this.topic = topicPrefix + TopicNames.DEAD_LETTERS;
        this.timeout = timeout;
    }

    /**
     * Returns the most recent dead letters, oldest first.
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
     * Returns the dead letter of the record at {@code topic-partition@offset}. Empty if the topic does not hold it.
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

    /* Reads the last offsets of each partition. Returns whether these are the whole topic. */
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
        return Optional.ofNullable(HeaderNames.text(message.headers(), name));
    }
}
