package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.WorkspaceCheck.place;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Checks that each input record reached its destination. Records without a workspace go to the dead letters. Records in
 * a wrong partition are forwarded unchanged to the home partition of their workspace, where they are ordinary changes
 * with an outcome each. Records that are too large decompressed cannot be forwarded, and are rejected in place.
 */
final class AttributionCheck {

    private static final String DEAD_LETTER = "__streams.errors.";

    private final History history;
    private final Verdict verdict;
    private final Map<Sent, List<ConsumerRecord<byte[], byte[]>>> atHome = new HashMap<>();
    private final Map<String, List<Outcome>> tooLarge = new HashMap<>();

    /** The parts of a record that forwarding does not change. */
    private record Sent(ByteBuffer key, ByteBuffer value, long timestamp, List<String> headers) {

        /** @param id the id that the record has, or gets; null for none */
        static Sent of(ConsumerRecord<byte[], byte[]> record, String id) {
            List<String> headers = new ArrayList<>();
            for (Header header : record.headers()) {
                if (!header.key().equals(HeaderNames.CE_ID) && !header.key().equals(HeaderNames.ID_TOPIC)) {
                    headers.add(header.key() + "=" + text(header.value()));
                }
            }
            headers.add(id);
            return new Sent(wrap(record.key()), wrap(record.value()), Math.max(0, record.timestamp()), headers);
        }

        private static String text(byte[] bytes) {
            return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
        }

        private static ByteBuffer wrap(byte[] bytes) {
            return bytes == null ? null : ByteBuffer.wrap(bytes);
        }
    }

    AttributionCheck(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    /** Returns the workspace of a record; null if its key neither is nor begins with the name of one. */
    static String workspace(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            return null;
        }
        String key = new String(record.key(), StandardCharsets.ISO_8859_1);
        boolean isOfWorkspace =
                record.topic().endsWith(TopicNames.CHANGES) || record.topic().endsWith(TopicNames.OUTCOMES);
        String name = isOfWorkspace ? key : key.split("\\|", 2)[0];
        return WorkspaceKey.isName(name) ? name : null;
    }

    /** Whether a record is in the home partition of its workspace. */
    static boolean isAtHome(ConsumerRecord<byte[], byte[]> record, int partitions) {
        return WorkspaceKey.partition(workspace(record), partitions) == record.partition();
    }

    void run() {
        Map<String, Integer> dead = deadLetters();
        Set<String> ids = idsOfMisplaced();
        List<ConsumerRecord<byte[], byte[]>> misplaced = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> change : history.topic(TopicNames.CHANGES)) {
            int letters = Objects.requireNonNullElse(dead.remove(place(change)), 0);
            if (letters != (workspace(change) == null ? 1 : 0)) {
                verdict.broke(
                        Promise.ACCOUNTED, "the record at %s has %d dead letters".formatted(place(change), letters));
            }
            if (workspace(change) == null) {
                verdict.looked(Promise.ACCOUNTED, "changes");
            } else if (isAtHome(change, history.partitions())) {
                String id = History.header(change, HeaderNames.CE_ID);
                if (ids.contains(id)) {
                    atHome.computeIfAbsent(Sent.of(change, id), sent -> new ArrayList<>())
                            .add(change);
                }
            } else if (RecordSize.of(change.key(), change.value(), change.headers()) > RecordSize.MOST) {
                tooLarge.put(place(change), new ArrayList<>());
            } else {
                misplaced.add(change);
            }
        }
        dead.keySet()
                .forEach(place ->
                        verdict.broke(Promise.ACCOUNTED, "a dead letter is of %s, where nothing is".formatted(place)));
        sentHome(misplaced);
        rejectedElsewhere();
    }

    /* Collects ids, so that only records that may have been forwarded are compared by value. */
    private Set<String> idsOfMisplaced() {
        Set<String> ids = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> change : history.topic(TopicNames.CHANGES)) {
            if (workspace(change) != null && !isAtHome(change, history.partitions())) {
                ids.add(idAtHome(change));
            }
        }
        return ids;
    }

    /** Whether a record is the outcome of a change that is in a wrong partition and too large to forward. */
    boolean isOutcomeOfElsewhere(ConsumerRecord<byte[], byte[]> record) {
        return !tooLarge.isEmpty()
                && tooLarge.containsKey(
                        OutcomeJson.read(record.value()).change().input());
    }

    private void rejectedElsewhere() {
        if (tooLarge.isEmpty()) {
            return;
        }
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            tooLarge.getOrDefault(outcome.change().input(), new ArrayList<>()).add(outcome);
        }
        tooLarge.forEach((place, outcomes) -> {
            verdict.looked(Promise.ACCOUNTED, "changes");
            boolean isRejected = outcomes.size() == 1
                    && outcomes.get(0).status() == OutcomeStatus.REJECTED
                    && outcomes.get(0).revision() == null;
            if (!isRejected) {
                verdict.broke(
                        Promise.ACCOUNTED,
                        "the change at %s is too large to come home, and has %d outcomes, of which one that rejects it was due"
                                .formatted(place, outcomes.size()));
            }
        });
    }

    private Map<String, Integer> deadLetters() {
        Map<String, Integer> result = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> letter : history.topic(TopicNames.DEAD_LETTERS)) {
            String from = History.header(letter, DEAD_LETTER + "topic") + "-"
                    + History.header(letter, DEAD_LETTER + "partition") + "@"
                    + History.header(letter, DEAD_LETTER + "offset");
            result.merge(from, 1, Integer::sum);
        }
        return result;
    }

    /*
     * A record without an id is forwarded with an id derived from its position, so exactly one record has it. If it had
     * an id, a publisher may have sent the same record to both partitions; then the forwarded one cannot be identified.
     */
    private void sentHome(List<ConsumerRecord<byte[], byte[]>> misplaced) {
        Map<Sent, Integer> counts = new HashMap<>();
        misplaced.forEach(change -> counts.merge(sent(change), 1, Integer::sum));
        counts.forEach((sent, count) -> {
            int came = atHome.getOrDefault(sent, List.of()).size();
            String id = sent.headers().get(sent.headers().size() - 1);
            boolean isOnce = misplaced.stream().anyMatch(change -> ownId(change).equals(id));
            if (came < count || (isOnce && came > count)) {
                verdict.broke(
                        Promise.ACCOUNTED,
                        "the change %s was sent to another partition %d times, and came home %d times"
                                .formatted(id, count, came));
            }
        });
        Map<String, Long> last = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> change : misplaced) {
            verdict.looked(Promise.ACCOUNTED, "changes");
            List<ConsumerRecord<byte[], byte[]>> copies = atHome.getOrDefault(sent(change), List.of());
            if (copies.size() == 1 && counts.get(sent(change)) == 1) {
                long offset = copies.get(0).offset();
                Long before = last.put(workspace(change) + " " + change.partition(), offset);
                if (before != null && before > offset) {
                    verdict.broke(
                            Promise.ORDERED,
                            "the change at %s came home before one that it lies behind".formatted(place(change)));
                }
            }
        }
    }

    private static Sent sent(ConsumerRecord<byte[], byte[]> change) {
        return Sent.of(change, idAtHome(change));
    }

    private static String idAtHome(ConsumerRecord<byte[], byte[]> change) {
        String id = History.header(change, HeaderNames.CE_ID);
        return id == null ? ownId(change) : id;
    }

    private static String ownId(ConsumerRecord<byte[], byte[]> change) {
        return change.topic() + "-" + change.partition() + "-" + change.offset();
    }
}
