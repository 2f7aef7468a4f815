package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.JsonValues;
import dev.strake.topology.RenderTopology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker against planted faults: each has to be found, under its right name, and a sound history has to pass. */
class CheckerTest {

    private static final long SEED = Long.getLong("strake.seed", 7);
    private static final int KEPT = 1_000;
    private static final int CHANGES = 500;
    private static final History SOUND = Recorded.of(SEED, CHANGES);

    @Test
    void shouldPassASoundHistoryThatHasEverythingInIt() {
        Verdict verdict = Checker.check(SOUND, 1, KEPT);
        assertThat(verdict.lines()).allMatch(line -> line.contains(" ok "));
        for (Promise promise : Promise.values()) {
            assertThat(verdict.looked(promise)).as(promise.toString()).isPositive();
        }
        Set<OutcomeStatus> statuses = EnumSet.noneOf(OutcomeStatus.class);
        SOUND.topic(RenderTopology.OUTCOMES)
                .forEach(record -> statuses.add(OutcomeJson.read(record.value()).status()));
        assertThat(statuses)
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(OutcomeStatus.PARTIAL)));
        assertThat(SOUND.topic(RenderTopology.DEAD_LETTERS)).isNotEmpty();
    }

    @Test
    void shouldComeToTheSameFingerprintForTheSameChanges() {
        assertThat(Checker.check(Recorded.of(SEED, CHANGES), 1, KEPT).fingerprint())
                .isEqualTo(Checker.check(SOUND, 50, KEPT).fingerprint())
                .isNotEqualTo(
                        Checker.check(Recorded.of(SEED + 1, CHANGES), 1, KEPT).fingerprint());
    }

    @Test
    void shouldJudgeASavedHistoryAsTheOneThatWasSaved(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("runs").resolve("history.gz");
        SOUND.save(file);
        assertThat(Checker.check(History.load(file), 1, KEPT).lines())
                .isEqualTo(Checker.check(SOUND, 1, KEPT).lines());
    }

    @Test
    void shouldFindADroppedRecord() {
        int dropped = find(RenderTopology.RENDERED, record -> record.value() != null, 100);
        assertBroken(plant(RenderTopology.RENDERED, records -> records.remove(dropped)), Promise.WHOLE, Promise.EQUAL);
    }

    @Test
    void shouldFindADoubledRecord() {
        int doubled = find(RenderTopology.RENDERED, record -> record.value() != null, 100);
        History planted = plant(RenderTopology.RENDERED, records -> records.add(doubled, records.get(doubled)));
        assertBroken(planted, Promise.WHOLE, Promise.MINIMAL);
    }

    @Test
    void shouldFindARecordThatHasItsKeysInAnotherOrderAndNothingElse() {
        int repeated = find(RenderTopology.RENDERED, record -> record.value() != null, 100);
        History planted = plant(RenderTopology.RENDERED, records -> {
            MapValue document = (MapValue) JsonValues.read(records.get(repeated).value());
            MapValue.Builder reversed = MapValue.builder();
            for (int i = document.size() - 1; i >= 0; i--) {
                reversed.put(document.keyAt(i), document.valueAt(i));
            }
            records.add(repeated + 1, withValue(records.get(repeated), JsonValues.write(reversed.build())));
        });
        assertBroken(planted, Promise.MINIMAL);
    }

    @Test
    void shouldFindARevisionWhoseRecordsCameWithoutTheirOutcome() {
        int last = lastRevision();
        History planted = plant(
                RenderTopology.OUTCOMES,
                records -> records.subList(last, records.size()).clear());
        assertBroken(planted, Promise.WHOLE, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindAnOutcomeThatCameWithoutItsRecords() {
        int outcome = lastRevision();
        Outcome told = OutcomeJson.read(
                SOUND.topic(RenderTopology.OUTCOMES).get(outcome).value());
        History planted = plant(RenderTopology.RENDERED, records -> records.removeIf(record -> isOf(told, record)));
        assertBroken(planted, Promise.WHOLE);
    }

    @Test
    void shouldFindRecordsOfARevisionThatCameAfterThoseOfTheNext() {
        int later = find(RenderTopology.RENDERED, this::beginsARevision, 100);
        History planted = plant(RenderTopology.RENDERED, records -> {
            ConsumerRecord<byte[], byte[]> before = records.remove(later - 1);
            records.add(later, before);
        });
        assertBroken(planted, Promise.WHOLE);
    }

    @Test
    void shouldFindOutcomesInAnotherOrderThanTheirChanges() {
        int second = find(RenderTopology.OUTCOMES, this::followsOneOfItsWorkspace, 100);
        History planted = plant(RenderTopology.OUTCOMES, records -> records.add(second - 1, records.remove(second)));
        assertBroken(planted, Promise.ORDERED);
    }

    @Test
    void shouldFindARevisionThatIsThereTwice() {
        int outcome = find(RenderTopology.OUTCOMES, CheckerTest::isRevision, 100);
        History planted = plant(RenderTopology.OUTCOMES, records -> records.add(outcome, records.get(outcome)));
        assertBroken(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindARevisionNumberThatIsMissing() {
        int outcome = find(RenderTopology.OUTCOMES, CheckerTest::isRevision, 100);
        History planted = plant(RenderTopology.OUTCOMES, records -> {
            String json = new String(records.get(outcome).value(), StandardCharsets.UTF_8);
            String next = json.replaceFirst("\"revision\":[0-9]+", "\"revision\":4711");
            records.set(outcome, withValue(records.get(outcome), next.getBytes(StandardCharsets.UTF_8)));
        });
        assertBroken(planted, Promise.ORDERED);
    }

    @Test
    void shouldFindAMissingTombstone() {
        int tombstone = find(RenderTopology.RENDERED, record -> record.value() == null, 0);
        History planted = plant(RenderTopology.RENDERED, records -> records.remove(tombstone));
        assertBroken(planted, Promise.WHOLE, Promise.REMOVED);
    }

    @Test
    void shouldFindAProblemThatNeverCleared() {
        int tombstone = find(RenderTopology.PROBLEMS, record -> record.value() == null, 0);
        History planted = plant(RenderTopology.PROBLEMS, records -> records.remove(tombstone));
        assertBroken(planted, Promise.REMOVED);
    }

    @Test
    void shouldFindAChangeWithoutAnOutcome() {
        int outcome = find(RenderTopology.OUTCOMES, record -> !isRevision(record), 100);
        History planted = plant(RenderTopology.OUTCOMES, records -> records.remove(outcome));
        assertBroken(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindPoisonWithoutADeadLetter() {
        History planted = plant(RenderTopology.DEAD_LETTERS, records -> records.remove(0));
        assertBroken(planted, Promise.ACCOUNTED);
    }

    @Test
    void shouldFindARenderingThatIsNotWhatTheDocumentsGive() {
        int record = find(RenderTopology.RENDERED, each -> each.value() != null, 100);
        History planted = plant(RenderTopology.RENDERED, records -> {
            String json = new String(records.get(record).value(), StandardCharsets.UTF_8);
            String other = json.replaceFirst("\"data\":\\{", "\"data\":{\"planted\":1,");
            records.set(record, withValue(records.get(record), other.getBytes(StandardCharsets.UTF_8)));
        });
        assertBroken(planted, Promise.EQUAL, Promise.WHOLE);
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
            assertThat(run.history().topic(RenderTopology.OUTCOMES)).hasSize(3);
            assertThat(Checker.check(run.history(), 1, KEPT).lines()).allMatch(line -> line.contains(" ok "));
        }
    }

    private static void assertBroken(History planted, Promise... promises) {
        Verdict verdict = Checker.check(planted, 1, KEPT);
        assertThat(verdict.broken()).as(verdict.toString()).contains(promises);
    }

    /* A copy of the sound history in which one topic is another one. */
    private static History plant(String topic, Consumer<List<ConsumerRecord<byte[], byte[]>>> fault) {
        Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>(SOUND.records());
        List<ConsumerRecord<byte[], byte[]>> changed = new ArrayList<>(SOUND.topic(topic));
        fault.accept(changed);
        assertThat(changed).isNotEqualTo(SOUND.topic(topic));
        records.put(topic, changed);
        return new History(SOUND.prefix(), SOUND.partitions(), records);
    }

    private static int find(String topic, Predicate<ConsumerRecord<byte[], byte[]>> wanted, int from) {
        List<ConsumerRecord<byte[], byte[]>> records = SOUND.topic(topic);
        for (int i = from; i < records.size(); i++) {
            if (wanted.test(records.get(i))) {
                return i;
            }
        }
        throw new AssertionError("no record of " + topic + " is fit for this fault; take another seed than " + SEED);
    }

    private int lastRevision() {
        List<ConsumerRecord<byte[], byte[]>> records = SOUND.topic(RenderTopology.OUTCOMES);
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
        List<ConsumerRecord<byte[], byte[]>> records = SOUND.topic(RenderTopology.RENDERED);
        ConsumerRecord<byte[], byte[]> before = records.get((int) record.offset() - 1);
        return workspace(record).equals(workspace(before))
                && !History.header(record, HeaderNames.REVISION).equals(History.header(before, HeaderNames.REVISION));
    }

    private boolean followsOneOfItsWorkspace(ConsumerRecord<byte[], byte[]> record) {
        ConsumerRecord<byte[], byte[]> before =
                SOUND.topic(RenderTopology.OUTCOMES).get((int) record.offset() - 1);
        return workspace(record).equals(workspace(before)) && isRevision(record) && isRevision(before);
    }

    private static String workspace(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8).split("\\|", 2)[0];
    }

    private static ConsumerRecord<byte[], byte[]> withValue(ConsumerRecord<byte[], byte[]> record, byte[] value) {
        return History.record(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                value,
                record.headers());
    }
}
