package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.WorkspaceCheck.place;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Compares two runs over the same changes. Their output has to be equal, record by record in each partition, with keys,
 * values, headers and timestamps. It ignores what the changes do not determine:
 *
 * <ul>
 *   <li>the time of an outcome and the timestamp of its record, which are the time of processing,
 *   <li>the prefix of topics, in positions and in ids derived from positions,
 *   <li>output offsets, because transactions take offsets, aborted ones included,
 *   <li>order and partition of dead letters, random for records without a key, and the text of the error.
 * </ul>
 */
final class Comparison {

    /** The number of characters to show before and after a difference. */
    private static final int TOLD = 100;

    private static final String DEAD_LETTER = "__streams.errors.";

    private final History one;
    private final History other;

    private Comparison(History one, History other) {
        this.one = one;
        this.other = other;
    }

    /** A record and its parts to compare. */
    private record Said(ConsumerRecord<byte[], byte[]> record, String what) {}

    /** Whether two runs have the same changes at the same offsets; otherwise they are not comparable. */
    static boolean isOfSameChanges(History one, History other) {
        return one.partitions() == other.partitions()
                && places(one).equals(places(other))
                && new Comparison(one, other).differences(TopicNames.CHANGES).isEmpty();
    }

    private static List<String> places(History history) {
        return history.topic(TopicNames.CHANGES).stream()
                .map(record -> record.partition() + "@" + record.offset())
                .toList();
    }

    /** Returns the first difference in each partition of each topic; empty if the runs are equal. */
    static List<String> differences(History one, History other) {
        Comparison comparison = new Comparison(one, other);
        return Stream.of(TopicNames.RENDERED, TopicNames.PROBLEMS, TopicNames.OUTCOMES, TopicNames.DEAD_LETTERS)
                .flatMap(topic -> comparison.differences(topic).stream())
                .toList();
    }

    private List<String> differences(String topic) {
        SortedMap<Integer, List<Said>> left = said(one, topic);
        SortedMap<Integer, List<Said>> right = said(other, topic);
        List<String> result = new ArrayList<>();
        for (int partition = 0; partition < one.partitions(); partition++) {
            firstDifference(
                    topic + "-" + partition,
                    left.getOrDefault(partition, List.of()),
                    right.getOrDefault(partition, List.of()),
                    result);
        }
        return result;
    }

    private static void firstDifference(String where, List<Said> left, List<Said> right, List<String> result) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            Said one = i < left.size() ? left.get(i) : null;
            Said other = i < right.size() ? right.get(i) : null;
            if (one == null || other == null || !one.what().equals(other.what())) {
                int from = one == null || other == null ? 0 : firstDifference(one.what(), other.what());
                result.add("record %d of %s is %s, in the other run %s"
                        .formatted(i, where, told(one, from), told(other, from)));
                return;
            }
        }
    }

    private static int firstDifference(String one, String other) {
        int at = 0;
        while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }

    private static String told(Said said, int difference) {
        if (said == null) {
            return "not there";
        }
        String what = said.what();
        int from = Math.max(0, difference - TOLD);
        return place(said.record())
                + (from > 0 ? " …" : " ")
                + what.substring(from, Math.min(what.length(), difference + TOLD));
    }

    private static SortedMap<Integer, List<Said>> said(History history, String topic) {
        SortedMap<Integer, List<Said>> result = new TreeMap<>();
        boolean isDeadLetter = topic.equals(TopicNames.DEAD_LETTERS);
        for (ConsumerRecord<byte[], byte[]> record : history.topic(topic)) {
            String what = isDeadLetter ? deadLetter(record) : what(history, topic, record);
            result.computeIfAbsent(isDeadLetter ? 0 : record.partition(), partition -> new ArrayList<>())
                    .add(new Said(record, what));
        }
        if (isDeadLetter) {
            result.values().forEach(all -> all.sort(Comparator.comparing(Said::what)));
        }
        return result;
    }

    private static String what(History history, String topic, ConsumerRecord<byte[], byte[]> record) {
        boolean isOutcome = topic.equals(TopicNames.OUTCOMES);
        byte[] value =
                isOutcome ? JsonBytes.of(((MapValue) JsonReader.read(record.value())).without("time")) : record.value();
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
