package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.Planted.assertBroken;
import static dev.strake.checks.chaos.Planted.assertBrokenAlone;
import static dev.strake.checks.chaos.Planted.assertFine;
import static dev.strake.checks.chaos.Planted.find;
import static dev.strake.checks.chaos.Planted.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Tests the checker with planted faults in several partitions, and with publishers that use the wrong partition. */
class CheckerPartitionsTest {

    private static final long SEED = Long.getLong("strake.seed", 7);
    private static final int PARTITIONS = 3;
    private static final String WORKSPACE = "kcat";
    private static final int HOME = WorkspaceKey.partition(WORKSPACE, PARTITIONS);
    private static final int FOREIGN = (HOME + 1) % PARTITIONS;
    private static final History SOUND = sound();

    /** In addition to the publisher's records, some consecutive records, and one with only a key. */
    private static History sound() {
        try (Recorded run = new Recorded(PARTITIONS, false)) {
            Load load = new Load(SEED, "p", "strake.", 6, 12, PARTITIONS);
            load.beginning().forEach(run::send);
            for (int i = 0; i < 300; i++) {
                run.send(load.next());
                if (i % 50 == 0) {
                    run.send(misplaced("one-" + i, "{}"));
                    run.send(misplaced("two-" + i, "[]"));
                }
            }
            run.send(misplaced(null, "[]"));
            return run.history();
        }
    }

    private static ProducerRecord<byte[], byte[]> misplaced(String id, String text) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                "strake." + TopicNames.CHANGES,
                FOREIGN,
                WORKSPACE.getBytes(StandardCharsets.UTF_8),
                text.getBytes(StandardCharsets.UTF_8));
        if (id != null) {
            record.headers().add(HeaderNames.CE_ID, id.getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    @Test
    void shouldAcceptASoundHistoryWithMisplacedRecords() {
        assertFine(SOUND);
        List<ConsumerRecord<byte[], byte[]>> misplaced = SOUND.topic(TopicNames.CHANGES).stream()
                .filter(CheckerPartitionsTest::isMisplaced)
                .toList();
        assertThat(misplaced.stream().map(Planted::workspace).distinct()).hasSizeGreaterThan(2);
        assertThat(misplaced.stream().map(ConsumerRecord::partition).distinct()).hasSizeGreaterThan(1);
        assertThat(SOUND.topic(TopicNames.OUTCOMES).stream()
                        .map(ConsumerRecord::partition)
                        .distinct())
                .hasSizeGreaterThan(1);
    }

    @Test
    void shouldFindAnOutcomeInAnotherPartition() {
        int place = find(
                SOUND, TopicNames.OUTCOMES, record -> Planted.workspace(record).equals(WORKSPACE), 0);
        History planted =
                Planted.in(SOUND, TopicNames.OUTCOMES, outcomes -> outcomes.set(place, moved(outcomes.get(place))));
        assertBroken(planted, Promise.ORDERED, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindADocumentAndAProblemInAnotherPartition() {
        for (String topic : List.of(TopicNames.RENDERED, TopicNames.PROBLEMS)) {
            History planted = Planted.in(SOUND, topic, records -> records.set(0, moved(records.get(0))));
            assertBroken(planted, Promise.ORDERED);
        }
    }

    @Test
    void shouldFindAnExtraOutcomeForTheOriginOfAMisplacedChange() {
        int home = outcomeOf(copyOf("one-50"));
        String foreign = WorkspaceCheck.place(SOUND.topic(TopicNames.CHANGES).get(change("one-50", FOREIGN)));
        History planted = Planted.in(
                SOUND,
                TopicNames.OUTCOMES,
                outcomes -> outcomes.add(home, Planted.withMember(outcomes.get(home), "input", new Text(foreign))));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindTwoOutcomesOfAMisplacedChange() {
        int home = outcomeOf(copyOf("one-50"));
        History planted = Planted.in(SOUND, TopicNames.OUTCOMES, outcomes -> outcomes.add(home, outcomes.get(home)));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAMisplacedChangeWithoutAnOutcome() {
        int home = outcomeOf(copyOf("one-50"));
        History planted = Planted.in(SOUND, TopicNames.OUTCOMES, outcomes -> outcomes.remove(home));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAMisplacedChangeThatWasNotForwarded() {
        int home = outcomeOf(copyOf("one-50"));
        int copy = change("one-50", HOME);
        History planted = Planted.in(
                Planted.in(SOUND, TopicNames.OUTCOMES, outcomes -> outcomes.remove(home)),
                TopicNames.CHANGES,
                changes -> changes.remove(copy));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAChangeWithoutAnIdThatWasForwardedTwice() {
        int copy = find(SOUND, TopicNames.CHANGES, CheckerPartitionsTest::hasIdOfItsFormerPlace, 0);
        ConsumerRecord<byte[], byte[]> change = SOUND.topic(TopicNames.CHANGES).get(copy);
        ConsumerRecord<byte[], byte[]> again = History.record(
                change.topic(),
                change.partition(),
                change.offset() + 1,
                change.timestamp(),
                change.key(),
                change.value(),
                change.headers());
        ConsumerRecord<byte[], byte[]> answer = SOUND.topic(TopicNames.OUTCOMES).get(outcomeOf(change));
        History planted = Planted.in(
                Planted.in(SOUND, TopicNames.CHANGES, changes -> changes.add(copy + 1, again)),
                TopicNames.OUTCOMES,
                outcomes -> outcomes.add(
                        outcomeOf(change) + 1,
                        Planted.withMember(
                                Planted.withMember(answer, "status", new Text(OutcomeStatus.DUPLICATE.text())),
                                "input",
                                new Text(WorkspaceCheck.place(again)))));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAChangeThatWasAlteredWhenForwarded() {
        int copy = change("one-50", HOME);
        Headers headers =
                new RecordHeaders(SOUND.topic(TopicNames.CHANGES).get(copy).headers());
        headers.add("traceparent", "planted".getBytes(StandardCharsets.UTF_8));
        History planted = Planted.in(
                SOUND,
                TopicNames.CHANGES,
                changes -> changes.set(
                        copy,
                        Planted.with(changes.get(copy), HOME, changes.get(copy).value(), headers)));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindChangesThatWereForwardedOutOfOrder() {
        int one = change("one-50", FOREIGN);
        int two = change("two-50", FOREIGN);
        History planted = Planted.in(SOUND, TopicNames.CHANGES, changes -> {
            ConsumerRecord<byte[], byte[]> first = changes.get(one);
            changes.set(one, changes.get(two));
            changes.set(two, first);
        });
        assertBrokenAlone(planted, Promise.ORDERED);
    }

    private static boolean isMisplaced(ConsumerRecord<byte[], byte[]> change) {
        return AttributionCheck.workspace(change) != null && !AttributionCheck.isAtHome(change, PARTITIONS);
    }

    private static boolean hasIdOfItsFormerPlace(ConsumerRecord<byte[], byte[]> record) {
        return Objects.toString(History.header(record, HeaderNames.CE_ID))
                .startsWith("strake." + TopicNames.CHANGES + "-" + FOREIGN + "-");
    }

    private static int change(String id, int partition) {
        return find(
                SOUND,
                TopicNames.CHANGES,
                record -> record.partition() == partition && id.equals(History.header(record, HeaderNames.CE_ID)),
                0);
    }

    private static ConsumerRecord<byte[], byte[]> copyOf(String id) {
        return SOUND.topic(TopicNames.CHANGES).get(change(id, HOME));
    }

    private static int outcomeOf(ConsumerRecord<byte[], byte[]> change) {
        return find(
                SOUND,
                TopicNames.OUTCOMES,
                record -> outcome(record).change().input().equals(WorkspaceCheck.place(change)),
                0);
    }

    private static ConsumerRecord<byte[], byte[]> moved(ConsumerRecord<byte[], byte[]> record) {
        return Planted.with(record, (record.partition() + 1) % PARTITIONS, record.value(), record.headers());
    }

    @Test
    void shouldRequireOneRejectionOfAMisplacedRecordThatIsTooLarge() {
        assertFine(withTooLarge(1, OutcomeStatus.REJECTED));
        assertBrokenAlone(withTooLarge(0, OutcomeStatus.REJECTED), Promise.ACCOUNTED);
        assertBrokenAlone(withTooLarge(2, OutcomeStatus.REJECTED), Promise.ACCOUNTED);
        assertBrokenAlone(withTooLarge(1, OutcomeStatus.UNCHANGED), Promise.ACCOUNTED);
    }

    /* The last record of its partition is larger than a topic accepts; it gets the given number of outcomes. */
    private static History withTooLarge(int outcomes, OutcomeStatus status) {
        History with = Planted.in(SOUND, TopicNames.CHANGES, records -> {
            int next = (int) records.stream()
                    .filter(record -> record.partition() == FOREIGN)
                    .count();
            ProducerRecord<byte[], byte[]> large = misplaced("large", " ".repeat(RecordSize.MOST));
            records.add(History.record(large.topic(), FOREIGN, next, 0, large.key(), large.value(), large.headers()));
        });
        if (outcomes == 0) {
            return with;
        }
        List<ConsumerRecord<byte[], byte[]>> changes = with.topic(TopicNames.CHANGES);
        String place = WorkspaceCheck.place(changes.get(changes.size() - 1));
        return Planted.in(with, TopicNames.OUTCOMES, records -> {
            int rejected = find(
                    with,
                    TopicNames.OUTCOMES,
                    record -> Planted.workspace(record).equals(WORKSPACE)
                            && outcome(record).status() == OutcomeStatus.REJECTED,
                    0);
            MapValue json = ((MapValue) JsonReader.read(records.get(rejected).value()))
                    .with("input", new Text(place))
                    .with("status", new Text(status.text()))
                    .with("revision", Null.NULL);
            for (int i = 0; i < outcomes; i++) {
                records.add(Planted.withValue(records.get(rejected), JsonBytes.of(json)));
            }
        });
    }
}
