package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.Planted.assertBroken;
import static dev.strake.checks.chaos.Planted.assertBrokenAlone;
import static dev.strake.checks.chaos.Planted.assertFine;
import static dev.strake.checks.chaos.Planted.believed;
import static dev.strake.checks.chaos.Planted.ofRevision;
import static dev.strake.checks.chaos.Planted.reversed;
import static dev.strake.checks.chaos.Planted.withDocument;
import static dev.strake.checks.chaos.Planted.withHeader;
import static dev.strake.checks.chaos.Planted.withMember;
import static dev.strake.checks.chaos.Planted.withValue;
import static dev.strake.checks.chaos.Planted.workspace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the checker with planted faults: it must report each of them by the right name, and pass a sound history. */
class CheckerTest {

    private static final long SEED = Long.getLong("strake.seed", 7);
    private static final int KEPT = 1_000;
    private static final int CHANGES = 300;
    private static final History SOUND = Recorded.of(SEED, CHANGES);

    @Test
    void shouldAcceptACompleteSoundHistory() {
        Verdict verdict = Checker.check(SOUND, 1, KEPT);
        assertThat(verdict.lines()).allMatch(line -> line.contains(" ok "));
        for (Promise promise : EnumSet.complementOf(EnumSet.of(Promise.FOLLOWED))) {
            assertThat(verdict.looked(promise)).as(promise.toString()).isPositive();
        }
        Set<OutcomeStatus> statuses = EnumSet.noneOf(OutcomeStatus.class);
        SOUND.topic(TopicNames.OUTCOMES)
                .forEach(record -> statuses.add(OutcomeJson.read(record.value()).status()));
        assertThat(statuses)
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(OutcomeStatus.PARTIAL)));
        assertThat(SOUND.topic(TopicNames.DEAD_LETTERS)).isNotEmpty();
    }

    @Test
    void shouldJudgeASavedHistoryLikeTheOriginal(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("runs").resolve("history.gz");
        SOUND.save(file);
        assertThat(Checker.check(History.load(file), 1, KEPT).lines())
                .isEqualTo(Checker.check(SOUND, 1, KEPT).lines());
    }

    @Test
    void shouldFindADroppedRecord() {
        int dropped = find(TopicNames.RENDERED, record -> record.value() != null, 100);
        assertBroken(plant(TopicNames.RENDERED, records -> records.remove(dropped)), Promise.WHOLE, Promise.EQUAL);
    }

    @Test
    void shouldFindADuplicateRecord() {
        int doubled = find(TopicNames.RENDERED, record -> record.value() != null, 100);
        History planted = plant(TopicNames.RENDERED, records -> records.add(doubled, records.get(doubled)));
        assertBroken(planted, Promise.WHOLE, Promise.MINIMAL);
    }

    @Test
    void shouldFindARecordThatDiffersOnlyInTheOrderOfKeys() {
        int repeated = find(TopicNames.RENDERED, record -> record.value() != null, 100);
        History planted = plant(TopicNames.RENDERED, records -> {
            records.add(
                    repeated + 1,
                    withValue(records.get(repeated), JsonBytes.of(reversed(tree(records.get(repeated))))));
        });
        assertBroken(planted, Promise.MINIMAL);
    }

    @Test
    void shouldFindRecordsWithoutTheirOutcome() {
        int last = lastRevision();
        History planted = plant(
                TopicNames.OUTCOMES,
                records -> records.subList(last, records.size()).clear());
        assertBroken(planted, Promise.WHOLE, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAnOutcomeWithoutItsRecords() {
        int outcome = lastRevision();
        Outcome told =
                OutcomeJson.read(SOUND.topic(TopicNames.OUTCOMES).get(outcome).value());
        History planted = plant(TopicNames.RENDERED, records -> records.removeIf(record -> isOf(told, record)));
        assertBroken(planted, Promise.WHOLE);
    }

    @Test
    void shouldFindARecordAfterThoseOfTheNextRevision() {
        int later = find(TopicNames.RENDERED, this::beginsARevision, 100);
        History planted = plant(TopicNames.RENDERED, records -> {
            ConsumerRecord<byte[], byte[]> before = records.remove(later - 1);
            records.add(later, before);
        });
        assertBroken(planted, Promise.WHOLE);
    }

    @Test
    void shouldFindOutcomesOutOfOrder() {
        int second = find(TopicNames.OUTCOMES, this::followsOneOfItsWorkspace, 100);
        History planted = plant(TopicNames.OUTCOMES, records -> records.add(second - 1, records.remove(second)));
        assertBroken(planted, Promise.ORDERED);
    }

    @Test
    void shouldFindADuplicateRevision() {
        int outcome = find(TopicNames.OUTCOMES, CheckerTest::isRevision, 100);
        History planted = plant(TopicNames.OUTCOMES, records -> records.add(outcome, records.get(outcome)));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAMissingRevisionNumber() {
        int outcome = find(TopicNames.OUTCOMES, CheckerTest::isRevision, 100);
        History planted = edit(
                TopicNames.OUTCOMES, outcome, record -> replaced(record, "\"revision\":[0-9]+", "\"revision\":4711"));
        assertBrokenAlone(planted, Promise.ORDERED);
    }

    @Test
    void shouldFindAMissingTombstone() {
        int tombstone = find(TopicNames.RENDERED, record -> record.value() == null, 0);
        History planted = plant(TopicNames.RENDERED, records -> records.remove(tombstone));
        assertBroken(planted, Promise.WHOLE, Promise.REMOVED);
    }

    @Test
    void shouldFindAChangeWithoutAnOutcome() {
        int outcome = find(TopicNames.OUTCOMES, record -> !isRevision(record), 100);
        History planted = plant(TopicNames.OUTCOMES, records -> records.remove(outcome));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindPoisonWithoutADeadLetter() {
        History planted = plant(TopicNames.DEAD_LETTERS, records -> records.remove(0));
        assertBrokenAlone(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAWrongRendering() {
        int record = find(TopicNames.RENDERED, each -> each.value() != null, 100);
        History planted =
                edit(TopicNames.RENDERED, record, each -> replaced(each, "\"data\":\\{", "\"data\":{\"planted\":1,"));
        assertBroken(planted, Promise.EQUAL, Promise.WHOLE);
    }

    @Test
    void shouldFindAWrongRenderingWithConsistentHashes() {
        int place = find(TopicNames.RENDERED, record -> record.value() != null, 100);
        History planted =
                edit(TopicNames.RENDERED, place, record -> withDocument(record, withData(record, new Text("planted"))));
        assertBrokenAlone(believed(planted), Promise.EQUAL);
    }

    @Test
    void shouldFindARenderingOfOtherBytesWithConsistentHashes() {
        int place = find(TopicNames.RENDERED, record -> record.value() != null, 100);
        History planted = edit(
                TopicNames.RENDERED,
                place,
                record -> withDocument(record, withData(record, reversed((MapValue)
                        tree(record).get("data")))));
        assertBrokenAlone(believed(planted), Promise.EQUAL);
    }

    @Test
    void shouldFindAMissingTombstoneWithAConsistentOutcome() {
        int tombstone = find(TopicNames.RENDERED, record -> record.value() == null, 0);
        History planted = plant(TopicNames.RENDERED, records -> records.remove(tombstone));
        assertBrokenAlone(believed(planted), Promise.REMOVED);
    }

    @Test
    void shouldFindARecordThatALaterRevisionRepeats() {
        int later = find(TopicNames.RENDERED, this::beginsARevision, 100);
        History planted = plant(
                TopicNames.RENDERED,
                records -> records.add(
                        later, ofRevision(records.get(later - 1), DocumentsCheck.revision(records.get(later)))));
        assertBrokenAlone(believed(planted), Promise.MINIMAL);
    }

    @Test
    void shouldFindAnOutcomeWithWrongCounts() {
        int outcome = find(TopicNames.OUTCOMES, CheckerTest::isRevision, 100);
        History planted = edit(TopicNames.OUTCOMES, outcome, record -> withMember(record, "emitted", Num.of(4711)));
        assertBrokenAlone(planted, Promise.WHOLE);
    }

    @Test
    void shouldFindAnOutcomeOfAnotherChange() {
        int outcome = find(TopicNames.OUTCOMES, CheckerTest::isRevision, 100);
        for (String member : List.of("changeId", "type", "bucket")) {
            History planted =
                    edit(TopicNames.OUTCOMES, outcome, record -> withMember(record, member, new Text("planted")));
            assertBrokenAlone(planted, Promise.ACCOUNTED);
        }
    }

    @Test
    void shouldFindARecordWithADuplicateId() {
        int place = find(TopicNames.RENDERED, this::beginsARevision, 100);
        String before = History.header(SOUND.topic(TopicNames.RENDERED).get(place - 1), HeaderNames.CE_ID);
        History planted = edit(TopicNames.RENDERED, place, record -> withHeader(record, HeaderNames.CE_ID, before));
        assertBrokenAlone(planted, Promise.RESUMABLE);
    }

    @Test
    void shouldFindAKeyPublishedTwiceInARevision() {
        int place = find(TopicNames.RENDERED, record -> record.value() != null, 100);
        History planted = plant(TopicNames.RENDERED, records -> {
            ConsumerRecord<byte[], byte[]> last = records.get(place);
            ConsumerRecord<byte[], byte[]> first =
                    withHeader(withDocument(last, withData(last, new Text("first"))), HeaderNames.CE_ID, "planted");
            records.add(place, first);
        });
        assertBroken(believed(planted), Promise.RESUMABLE, Promise.EQUAL);
    }

    @Test
    void shouldAcceptASecondOutcomeForAChangeThatWaitedForItsPartsTooLong() {
        try (Recorded run = new Recorded()) {
            Load load = new Load(SEED, "p", "strake.", 1, 3, 1);
            load.beginning().forEach(run::send);
            ProducerRecord<byte[], byte[]> part =
                    new Load(SEED, "q", "strake.", 1, 3, 1).beginning().get(0);
            part.headers().add(HeaderNames.PART, "1/2".getBytes(StandardCharsets.UTF_8));
            run.send(part);
            run.advance(Duration.ofMinutes(11));
            assertThat(run.history().topic(TopicNames.OUTCOMES)).hasSize(3);
            assertFine(run.history());
            assertBrokenAlone(
                    Planted.in(
                            run.history(),
                            TopicNames.OUTCOMES,
                            outcomes -> outcomes.set(2, withMember(outcomes.get(2), "rendered", Num.of(4711)))),
                    Promise.WHOLE);
        }
    }

    private static History plant(String topic, Consumer<List<ConsumerRecord<byte[], byte[]>>> fault) {
        return Planted.in(SOUND, topic, fault);
    }

    /* Copies a history with one record of a topic replaced. */
    private static History edit(String topic, int place, UnaryOperator<ConsumerRecord<byte[], byte[]>> fault) {
        return plant(topic, records -> records.set(place, fault.apply(records.get(place))));
    }

    private static int find(String topic, Predicate<ConsumerRecord<byte[], byte[]>> wanted, int from) {
        return Planted.find(SOUND, topic, wanted, from);
    }

    private int lastRevision() {
        List<ConsumerRecord<byte[], byte[]>> records = SOUND.topic(TopicNames.OUTCOMES);
        for (int i = records.size() - 1; i >= 0; i--) {
            Outcome outcome = OutcomeJson.read(records.get(i).value());
            if (isRevision(records.get(i)) && outcome.work().emitted() > 1) {
                return i;
            }
        }
        throw new AssertionError("no revision");
    }

    private static boolean isRevision(ConsumerRecord<byte[], byte[]> record) {
        return OutcomeJson.read(record.value()).status() == OutcomeStatus.RENDERED;
    }

    private static boolean isOf(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8).startsWith(outcome.workspace() + "|")
                && History.header(record, HeaderNames.REVISION).equals(String.valueOf(outcome.revision()));
    }

    private boolean beginsARevision(ConsumerRecord<byte[], byte[]> record) {
        List<ConsumerRecord<byte[], byte[]>> records = SOUND.topic(TopicNames.RENDERED);
        ConsumerRecord<byte[], byte[]> before = records.get((int) record.offset() - 1);
        return workspace(record).equals(workspace(before))
                && !History.header(record, HeaderNames.REVISION).equals(History.header(before, HeaderNames.REVISION));
    }

    private boolean followsOneOfItsWorkspace(ConsumerRecord<byte[], byte[]> record) {
        ConsumerRecord<byte[], byte[]> before = SOUND.topic(TopicNames.OUTCOMES).get((int) record.offset() - 1);
        return workspace(record).equals(workspace(before)) && isRevision(record) && isRevision(before);
    }

    private static ConsumerRecord<byte[], byte[]> replaced(
            ConsumerRecord<byte[], byte[]> record, String pattern, String replacement) {
        String json = new String(record.value(), StandardCharsets.UTF_8).replaceFirst(pattern, replacement);
        return withValue(record, json.getBytes(StandardCharsets.UTF_8));
    }

    private static MapValue tree(ConsumerRecord<byte[], byte[]> record) {
        return (MapValue) JsonReader.read(record.value());
    }

    private static MapValue withData(ConsumerRecord<byte[], byte[]> record, Value data) {
        return tree(record).with("data", data);
    }
}
