package dev.strake.checks.chaos;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Two runs over the very same records: what they published has to be equal, record by record in each partition, with
 * keys, values, headers and timestamps. Left out is what the changes do not decide:
 *
 * <ul>
 *   <li>the time of an outcome and the timestamp of its record, which say when the change was processed,
 *   <li>the prefix of the topics, in places and in ids made of places,
 *   <li>offsets of what was published, as transactions take some of them, those that were given up as well,
 *   <li>of dead letters, their order and partition, which a record without a key has by chance, and the words of the error.
 * </ul>
 */
final class RunComparison {

    /** Characters before and behind a difference. */
    private static final int TOLD = 100;

    private static final String DEAD_LETTER = "__streams.errors.";

    private RunComparison() {}

    /** Whether the changes of two runs were the same records at the same offsets; otherwise nothing can be compared. */
    static boolean isOfSameChanges(History one, History other) {
        return one.partitions() == other.partitions()
                && places(one).equals(places(other))
                && differences(TopicNames.CHANGES, one, other).findAny().isEmpty();
    }

    private static List<String> places(History history) {
        return history.topic(TopicNames.CHANGES).stream()
                .map(record -> record.partition() + "@" + record.offset())
                .toList();
    }

    /** The first difference of each partition of each topic; nothing if the two are equal. */
    static List<String> differences(History one, History other) {
        return Stream.of(TopicNames.RENDERED, TopicNames.PROBLEMS, TopicNames.OUTCOMES, TopicNames.DEAD_LETTERS)
                .flatMap(topic -> differences(topic, one, other))
                .toList();
    }

    private static Stream<String> differences(String topic, History one, History other) {
        return IntStream.range(0, one.partitions())
                .mapToObj(partition -> firstDifference(
                        topic + "-" + partition, said(one, topic, partition), said(other, topic, partition)))
                .flatMap(Optional::stream);
    }

    private static Optional<String> firstDifference(String where, List<String> one, List<String> other) {
        int number = Arrays.mismatch(one.toArray(), other.toArray());
        if (number < 0) {
            return Optional.empty();
        }
        String left = number < one.size() ? one.get(number) : "not there";
        String right = number < other.size() ? other.get(number) : "not there";
        int at = Arrays.mismatch(left.toCharArray(), right.toCharArray());
        return Optional.of("record %d of %s is %s, in the other run %s"
                .formatted(number, where, around(left, at), around(right, at)));
    }

    private static String around(String said, int difference) {
        int from = Math.max(0, difference - TOLD);
        return said.substring(from, Math.min(said.length(), difference + TOLD));
    }

    /* What of each record of a partition has to be equal. */
    private static List<String> said(History history, String topic, int partition) {
        Stream<ConsumerRecord<byte[], byte[]>> records = history.topic(topic).stream();
        return topic.equals(TopicNames.DEAD_LETTERS)
                ? (partition > 0
                        ? List.of()
                        : records.map(RunComparison::deadLetter).sorted().toList())
                : records.filter(record -> record.partition() == partition)
                        .map(record -> what(history, topic, record))
                        .toList();
    }

    private static String what(History history, String topic, ConsumerRecord<byte[], byte[]> record) {
        boolean isOutcome = topic.equals(TopicNames.OUTCOMES);
        byte[] value = isOutcome
                ? JsonValues.write(((MapValue) JsonValues.read(record.value())).without("time"))
                : record.value();
        StringBuilder what = new StringBuilder(text(record.key())).append(' ').append(text(value));
        for (Header header : record.headers()) {
            what.append(' ').append(header.key()).append('=').append(text(header.value()));
        }
        what.append(' ').append(isOutcome ? "" : record.timestamp());
        String changes = TopicNames.CHANGES + "-";
        return what.toString().replace(history.prefix() + changes, changes);
    }

    private static String deadLetter(ConsumerRecord<byte[], byte[]> record) {
        return History.header(record, DEAD_LETTER + "partition") + "@"
                + History.header(record, DEAD_LETTER + "offset") + " "
                + History.header(record, DEAD_LETTER + "exception") + " "
                + text(record.key()) + " " + text(record.value());
    }

    private static String text(byte[] bytes) {
        return Objects.toString(bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1));
    }
}
