package dev.strake.checks.chaos;

import dev.strake.checks.chaos.Books.Answer;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Checks the outcomes of one workspace against its changes and its published records. */
final class WorkspaceCheck {

    private final String workspace;
    private final int every;
    private final Verdict verdict;
    private final Deque<ConsumerRecord<byte[], byte[]>> changes;
    private final Deque<Told> outcomes = new ArrayDeque<>();
    private final DocumentsCheck documents;
    private final ProblemsCheck problems;

    private final Books books;
    private final Set<String> inputs = new HashSet<>();
    private final Map<String, OutcomeStatus> answered = new HashMap<>();
    private int revisionsToCome;

    /** An outcome and its record. */
    private record Told(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {}

    /** @param every render every Nth revision from scratch, and always the last one */
    WorkspaceCheck(
            String workspace,
            int every,
            int kept,
            Verdict verdict,
            List<ConsumerRecord<byte[], byte[]>> changes,
            List<ConsumerRecord<byte[], byte[]>> outcomes,
            List<ConsumerRecord<byte[], byte[]>> rendered,
            List<ConsumerRecord<byte[], byte[]>> problems) {
        this.workspace = workspace;
        this.every = every;
        this.verdict = verdict;
        this.books = new Books(kept);
        this.changes = new ArrayDeque<>(changes);
        for (ConsumerRecord<byte[], byte[]> each : outcomes) {
            Outcome outcome = OutcomeJson.read(each.value());
            this.outcomes.add(new Told(outcome, each));
            inputs.add(outcome.change().input());
            revisionsToCome += outcome.status().isOfRevision() ? 1 : 0;
        }
        this.documents = new DocumentsCheck(verdict, rendered);
        this.problems = new ProblemsCheck(verdict, problems);
    }

    void run() {
        while (!outcomes.isEmpty()) {
            Told told = outcomes.removeFirst();
            revisionsToCome -= told.outcome().status().isOfRevision() ? 1 : 0;
            if (answered.containsKey(told.outcome().change().input())) {
                again(told);
            } else {
                first(told);
            }
        }
        for (ConsumerRecord<byte[], byte[]> change : changes) {
            verdict.broke(Promise.ACCOUNTED, "%s: the change at %s has no outcome".formatted(workspace, place(change)));
        }
        documents.end();
        problems.end();
    }

    /* Only a change whose parts timed out has two outcomes. */
    private void again(Told told) {
        Outcome outcome = told.outcome();
        boolean givenUp = answered.get(outcome.change().input()) == OutcomeStatus.PENDING
                && said(outcome) == OutcomeStatus.REJECTED
                && books.giveUp(outcome.change().id());
        if (givenUp && outcome.status() != OutcomeStatus.PLANNED) {
            look(told, false);
        } else if (!givenUp) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the change at %s has a second outcome at %s (%s)"
                            .formatted(
                                    workspace,
                                    outcome.change().input(),
                                    place(told.record()),
                                    outcome.status().text()));
        }
    }

    private void first(Told told) {
        Outcome outcome = told.outcome();
        answered.put(outcome.change().input(), outcome.status());
        ConsumerRecord<byte[], byte[]> change = take(outcome, told.record());
        if (change == null) {
            return;
        }
        verdict.looked(Promise.ACCOUNTED, "changes");
        ChangeEnvelope.Reading reading = reading(change);
        checkEnvelope(told, reading.envelope());
        Answer expected = books.enter(reading, change.value(), answer(said(outcome)), lacksRoom(outcome));
        boolean isPlanned = reading.envelope().terms().dryRun() && expected != Answer.PENDING;
        if (expected != answer(said(outcome)) || isPlanned != (outcome.status() == OutcomeStatus.PLANNED)) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the change at %s should be answered %s, and is %s at %s"
                            .formatted(
                                    workspace,
                                    outcome.change().input(),
                                    expected,
                                    outcome.status().text(),
                                    place(told.record())));
        }
        if (isPlanned) {
            checkPlanned(told, expected);
            return;
        }
        Moment moment = look(told, expected == Answer.REVISION);
        if (moment.isRevision()) {
            verdict.looked(Promise.ORDERED, "revisions");
        }
        if (moment.isRevision() && (moment.revision() % every == 0 || revisionsToCome == 0)) {
            render(moment);
        }
    }

    /* Does not advance the state: records of a dry run must not exist, and the next outcome would reveal them. */
    private void checkPlanned(Told told, Answer expected) {
        verdict.looked(Promise.ACCOUNTED, "dry runs");
        long revision = books.revision() + (expected == Answer.REVISION ? 1 : 0);
        if (!Objects.equals(told.outcome().revision(), revision)) {
            verdict.broke(
                    Promise.ORDERED,
                    "%s: the dry run at %s says revision %s, and %d would come"
                            .formatted(
                                    workspace,
                                    told.outcome().change().input(),
                                    told.outcome().revision(),
                                    revision));
        }
    }

    /* The status of the change; of a dry run, the status that it would have. */
    private static OutcomeStatus said(Outcome outcome) {
        return outcome.status() == OutcomeStatus.PLANNED ? outcome.planned().wouldBe() : outcome.status();
    }

    private static boolean lacksRoom(Outcome outcome) {
        return said(outcome) == OutcomeStatus.REJECTED
                && outcome.problems().stream().anyMatch(each -> each.code() == ProblemCode.LIMIT_EXCEEDED);
    }

    private void checkEnvelope(Told told, ChangeEnvelope envelope) {
        Outcome outcome = told.outcome();
        boolean hasBucket = envelope.type() != null && envelope.type().isOfBucket();
        if (!outcome.workspace().equals(workspace)
                || !outcome.change().id().equals(envelope.changeId())
                || !outcome.change().type().equals(envelope.typeText())
                || !Objects.equals(outcome.change().bucket(), hasBucket ? envelope.bucket() : null)) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the outcome at %s has the workspace, id, type or bucket of another change than that at %s"
                            .formatted(
                                    workspace,
                                    place(told.record()),
                                    outcome.change().input()));
        }
    }

    /* Finds the change of an outcome; it should be the next one. */
    private ConsumerRecord<byte[], byte[]> take(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        ConsumerRecord<byte[], byte[]> change = changes.stream()
                .filter(each -> place(each).equals(outcome.change().input()))
                .findFirst()
                .orElse(null);
        if (change == null) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the outcome at %s answers %s, where no change of this workspace is"
                            .formatted(
                                    workspace, place(record), outcome.change().input()));
            return null;
        }
        if (change != changes.getFirst()) {
            if (inputs.contains(place(changes.getFirst()))) {
                verdict.broke(
                        Promise.ORDERED,
                        "%s: the outcome at %s answers %s before %s"
                                .formatted(
                                        workspace,
                                        place(record),
                                        outcome.change().input(),
                                        place(changes.getFirst())));
            } else {
                skipUnanswered(change);
            }
        }
        changes.remove(change);
        return change;
    }

    /* Enters the changes nevertheless, so that a missing outcome is reported once, not for all later ones. */
    private void skipUnanswered(ConsumerRecord<byte[], byte[]> next) {
        while (changes.getFirst() != next && !inputs.contains(place(changes.getFirst()))) {
            ConsumerRecord<byte[], byte[]> change = changes.removeFirst();
            verdict.broke(Promise.ACCOUNTED, "%s: the change at %s has no outcome".formatted(workspace, place(change)));
            books.enter(reading(change), change.value(), null, false);
        }
    }

    private ChangeEnvelope.Reading reading(ConsumerRecord<byte[], byte[]> change) {
        return ChangeEnvelope.read(
                workspace,
                change.headers(),
                change.topic(),
                change.partition(),
                change.offset(),
                change.timestamp(),
                Limits.DEFAULT);
    }

    /* Checks that the published records match the outcome, whatever the change was. */
    private Moment look(Told told, boolean isRevision) {
        Moment moment = new Moment(books.revision(), isRevision, told.outcome(), place(told.record()));
        if (!Objects.equals(told.outcome().revision(), moment.revision())) {
            verdict.broke(
                    Promise.ORDERED,
                    "%s has revision %s, and %d comes here"
                            .formatted(moment, told.outcome().revision(), moment.revision()));
        }
        documents.take(moment);
        problems.take(moment);
        return moment;
    }

    private void render(Moment moment) {
        FullRendering full = FullRendering.of(books.documents());
        OutcomeStatus status = moment.outcome().status();
        boolean isPossible = full.isFine()
                ? status == OutcomeStatus.RENDERED
                : status == OutcomeStatus.FAILED || (status == OutcomeStatus.PARTIAL && !full.lacksPolicy());
        if (!isPossible) {
            verdict.broke(
                    Promise.EQUAL,
                    "%s says %s; in trouble are %s%s"
                            .formatted(
                                    moment,
                                    status.text(),
                                    full.troubles(),
                                    full.lacksPolicy() ? ", and there is no policy" : ""));
        }
        problems.compare(full, moment);
        if (status != OutcomeStatus.FAILED) {
            documents.compare(full, moment);
        }
        verdict.looked(Promise.EQUAL, every == 1 ? "revisions" : "revisions, every " + every + "th and the last");
    }

    private static Answer answer(OutcomeStatus status) {
        return switch (status) {
            case RENDERED, FAILED, PARTIAL -> Answer.REVISION;
            case UNCHANGED -> Answer.UNCHANGED;
            case DUPLICATE -> Answer.DUPLICATE;
            case PENDING -> Answer.PENDING;
            case REJECTED -> Answer.REJECTED;
            case PLANNED -> throw new IllegalArgumentException("a dry run says what it would be");
        };
    }

    /* Formats a position as outcomes name their input. */
    static String place(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }
}
