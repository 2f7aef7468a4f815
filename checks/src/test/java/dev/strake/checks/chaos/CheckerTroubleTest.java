package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.Planted.assertBroken;
import static dev.strake.checks.chaos.Planted.assertBrokenAlone;
import static dev.strake.checks.chaos.Planted.assertFine;
import static dev.strake.checks.chaos.Planted.believed;
import static dev.strake.checks.chaos.Planted.find;
import static dev.strake.checks.chaos.Planted.ofRevision;
import static dev.strake.checks.chaos.Planted.outcome;
import static dev.strake.checks.chaos.Planted.withValue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the checker with planted faults in records that documents in trouble hold back, and in reports about them. */
class CheckerTroubleTest {

    private static final long SEED = Long.getLong("strake.seed", 7);
    private static final History REVISIONS_HELD = Recorded.of(SEED, 250);
    private static final History DOCUMENTS_HELD = Recorded.of(SEED, 250, 1, true);

    /* A revision of TroubleStory. */
    private static final int PARENT_BROKEN = 2;
    private static final int STILL_BROKEN = 3;
    private static final int MENDED = 4;

    @Test
    void shouldAcceptSoundHistoriesOfBothSettings() {
        assertFine(REVISIONS_HELD);
        assertFine(DOCUMENTS_HELD);
        assertThat(statuses(REVISIONS_HELD)).containsAll(told(OutcomeStatus.PARTIAL));
        // Without a layering policy nothing renders, so there may be failed revisions as well.
        assertThat(statuses(DOCUMENTS_HELD)).containsAll(told(OutcomeStatus.FAILED));
    }

    /* Dry runs are tested in other stories: they leave no documents in trouble. */
    private static Set<OutcomeStatus> told(OutcomeStatus butFor) {
        return EnumSet.complementOf(EnumSet.of(butFor, OutcomeStatus.PLANNED));
    }

    @Test
    void shouldFindADocumentThatAFailedRevisionPublished() {
        History planted = Planted.in(REVISIONS_HELD, TopicNames.RENDERED, records -> {
            int tooEarly = find(REVISIONS_HELD, TopicNames.RENDERED, document("other", MENDED), 0);
            // In the order of revisions, as in the topic.
            records.add(
                    find(REVISIONS_HELD, TopicNames.RENDERED, isOfRevision(MENDED), 0),
                    ofRevision(records.remove(tooEarly), STILL_BROKEN));
        });
        assertBrokenAlone(believed(planted), Promise.HELD);
    }

    @Test
    void shouldFindAFailedDocumentThatAPartialRevisionPublished() {
        History planted = Planted.in(DOCUMENTS_HELD, TopicNames.RENDERED, records -> {
            int tooEarly = find(DOCUMENTS_HELD, TopicNames.RENDERED, document("child", MENDED), 0);
            records.add(
                    find(DOCUMENTS_HELD, TopicNames.RENDERED, isOfRevision(MENDED), 0),
                    ofRevision(records.remove(tooEarly), STILL_BROKEN));
        });
        assertBrokenAlone(believed(planted), Promise.HELD);
    }

    @Test
    void shouldFindASoundDocumentThatAPartialRevisionHeldBack() {
        int other = find(DOCUMENTS_HELD, TopicNames.RENDERED, document("other", STILL_BROKEN), 0);
        History planted = Planted.in(DOCUMENTS_HELD, TopicNames.RENDERED, records -> records.remove(other));
        assertBrokenAlone(believed(planted), Promise.EQUAL);
    }

    @ParameterizedTest
    @EnumSource(value = OutcomeStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "PLANNED")
    void shouldFindAWrongRenderedRevision(OutcomeStatus status) {
        History sound = status == OutcomeStatus.PARTIAL ? DOCUMENTS_HELD : REVISIONS_HELD;
        int place = find(sound, TopicNames.OUTCOMES, isOfStory().and(is(status)), 0);
        long right =
                outcome(sound.topic(TopicNames.OUTCOMES).get(place)).published().revision();
        for (History planted : List.of(
                Planted.in(
                        sound,
                        TopicNames.OUTCOMES,
                        outcomes -> outcomes.set(
                                place, Planted.withMember(outcomes.get(place), "renderedRevision", Num.of(right + 1)))),
                Planted.in(
                        sound,
                        TopicNames.OUTCOMES,
                        outcomes -> outcomes.set(
                                place, Planted.withMember(outcomes.get(place), "renderedRevision", Null.NULL))))) {
            assertBrokenAlone(planted, Promise.HELD);
        }
    }

    @Test
    void shouldFindRenderedRevisionsThatCountTheFailedOnes() {
        History planted = Planted.in(
                REVISIONS_HELD,
                TopicNames.OUTCOMES,
                outcomes -> outcomes.replaceAll(each -> is(OutcomeStatus.FAILED).test(each)
                        ? Planted.withMember(
                                each, "renderedRevision", Num.of(outcome(each).revision()))
                        : each));
        assertBrokenAlone(planted, Promise.HELD);
    }

    @ParameterizedTest
    @EnumSource(value = OutcomeStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "PLANNED")
    void shouldFindAWrongContentHash(OutcomeStatus status) {
        History sound = status == OutcomeStatus.PARTIAL ? DOCUMENTS_HELD : REVISIONS_HELD;
        int place = find(sound, TopicNames.OUTCOMES, is(status), 0);
        String right =
                outcome(sound.topic(TopicNames.OUTCOMES).get(place)).published().contentHash();
        History planted =
                edited(sound, TopicNames.OUTCOMES, place, right, "0".repeat(63) + (right.endsWith("1") ? "2" : "1"));
        assertBrokenAlone(planted, Promise.WHOLE);
    }

    @Test
    void shouldFindAFailureReportedAsASuccess() {
        int place = find(REVISIONS_HELD, TopicNames.OUTCOMES, is(OutcomeStatus.FAILED), 0);
        assertBroken(
                edited(REVISIONS_HELD, TopicNames.OUTCOMES, place, "\"failed\"", "\"rendered\""),
                Promise.EQUAL,
                Promise.REPORTED);
    }

    @Test
    void shouldFindAProblemThatNeverCleared() {
        int tombstone = problem("child", MENDED);
        assertThat(REVISIONS_HELD.topic(TopicNames.PROBLEMS).get(tombstone).value())
                .isNull();
        History planted = Planted.in(REVISIONS_HELD, TopicNames.PROBLEMS, records -> records.remove(tombstone));
        assertBrokenAlone(planted, Promise.REPORTED);
    }

    @Test
    void shouldFindAMissingProblem() {
        int begin = problem("child", PARENT_BROKEN);
        int end = problem("child", MENDED);
        History planted = Planted.in(REVISIONS_HELD, TopicNames.PROBLEMS, records -> {
            records.remove(end);
            records.remove(begin);
        });
        assertBrokenAlone(planted, Promise.REPORTED);
    }

    @Test
    void shouldFindAProblemMissingInItsOutcome() {
        int place = find(REVISIONS_HELD, TopicNames.OUTCOMES, isOfStory().and(is(OutcomeStatus.FAILED)), 0);
        String listed = "\"name\":\"parent\"}]";
        assertBrokenAlone(
                edited(REVISIONS_HELD, TopicNames.OUTCOMES, place, listed, "\"name\":\"rival\"}]"), Promise.REPORTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"code\":\"SubstitutionSourceNotFound\" ~ \"code\":\"SubstitutionSourceDataNotFound\"",
                "\"path\":\".metadata.substitutions[0].src\" ~ \"path\":\".metadata.labels\"",
                "\"related\":[{\"schema\":\"chaos/Thing/v1\",\"layer\":\"global\",\"name\":\"parent\"}] ~ \"related\":[]",
                "\"layer\":\"site\",\"name\":\"child\" ~ \"layer\":\"site\",\"name\":\"other\"",
                "\"name\":\"rival\"}] ~ \"name\":\"other\"}]"
            })
    void shouldFindAWrongProblemInTopicAndOutcome(String right, String wrong) {
        History planted = everywhere(
                everywhere(REVISIONS_HELD, TopicNames.PROBLEMS, right, wrong), TopicNames.OUTCOMES, right, wrong);
        assertBrokenAlone(planted, Promise.REPORTED);
    }

    @Test
    void shouldFindAnUnreportedMissingPolicy() {
        try (Recorded run = new Recorded()) {
            run.send(TroubleStory.withoutPolicy());
            assertFine(run.history());
            History planted = Planted.in(
                    Planted.in(run.history(), TopicNames.PROBLEMS, List::clear),
                    TopicNames.OUTCOMES,
                    outcomes -> outcomes.set(0, Planted.withMember(outcomes.get(0), "problems", ListValue.EMPTY)));
            assertBrokenAlone(planted, Promise.REPORTED);
        }
    }

    @Test
    void shouldFindADuplicateProblem() {
        int place = problem("child", PARENT_BROKEN);
        History planted =
                Planted.in(REVISIONS_HELD, TopicNames.PROBLEMS, records -> records.add(place, records.get(place)));
        assertBrokenAlone(planted, Promise.MINIMAL);
    }

    @Test
    void shouldFindProblemsWithoutAnOutcome() {
        int last = problem("child", MENDED);
        History late = Planted.in(
                REVISIONS_HELD,
                TopicNames.PROBLEMS,
                records -> records.add(ofRevision(records.get(last), STILL_BROKEN)));
        assertBroken(late, Promise.WHOLE);
        History never = Planted.in(
                REVISIONS_HELD, TopicNames.PROBLEMS, records -> records.add(ofRevision(records.get(last), 99)));
        assertBrokenAlone(never, Promise.WHOLE);
    }

    private static Set<OutcomeStatus> statuses(History history) {
        Set<OutcomeStatus> result = EnumSet.noneOf(OutcomeStatus.class);
        history.topic(TopicNames.OUTCOMES)
                .forEach(record -> result.add(outcome(record).status()));
        return result;
    }

    private static Predicate<ConsumerRecord<byte[], byte[]>> is(OutcomeStatus status) {
        return record -> outcome(record).status() == status
                && outcome(record).published().revision() != null;
    }

    private static Predicate<ConsumerRecord<byte[], byte[]>> isOfStory() {
        return record -> Planted.workspace(record).equals(TroubleStory.WORKSPACE);
    }

    private static Predicate<ConsumerRecord<byte[], byte[]>> isOfRevision(long revision) {
        return isOfStory().and(record -> DocumentsCheck.revision(record) == revision);
    }

    private static Predicate<ConsumerRecord<byte[], byte[]>> document(String name, long revision) {
        return isOfRevision(revision)
                .and(record -> new String(record.key(), StandardCharsets.UTF_8).endsWith("|" + name));
    }

    private static int problem(String name, long revision) {
        return find(REVISIONS_HELD, TopicNames.PROBLEMS, document(name, revision), 0);
    }

    private static History edited(History sound, String topic, int place, String from, String to) {
        return Planted.in(
                sound,
                topic,
                records -> records.set(place, withValue(records.get(place), replaced(records.get(place), from, to))));
    }

    private static History everywhere(History sound, String topic, String from, String to) {
        return Planted.in(
                sound,
                topic,
                records -> records.replaceAll(
                        record -> record.value() == null ? record : withValue(record, replaced(record, from, to))));
    }

    private static byte[] replaced(ConsumerRecord<byte[], byte[]> record, String from, String to) {
        return new String(record.value(), StandardCharsets.UTF_8)
                .replace(from, to)
                .getBytes(StandardCharsets.UTF_8);
    }
}
