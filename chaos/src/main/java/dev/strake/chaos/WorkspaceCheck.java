package dev.strake.chaos;

import dev.strake.chaos.Books.Answer;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.ProblemKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.text.JsonValues;
import dev.strake.serdes.text.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Walks through the outcomes of one workspace, with its changes in one hand and what was published in the other. */
final class WorkspaceCheck {

    private final String workspace;
    private final int every;
    private final Verdict verdict;
    private final Deque<ConsumerRecord<byte[], byte[]>> changes;
    private final Deque<Told> outcomes = new ArrayDeque<>();
    private final Deque<ConsumerRecord<byte[], byte[]>> rendered;
    private final Deque<ConsumerRecord<byte[], byte[]>> problems;

    private final Books books;
    private final View view = new View();
    private final Set<DocumentId> troubled = new TreeSet<>();
    private final Set<String> inputs = new HashSet<>();
    private final Map<String, OutcomeStatus> answered = new HashMap<>();
    private boolean problemOfAll;
    private int revisionsToCome;

    /** An outcome and where it stands. */
    private record Told(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {}

    /**
     * @param every how many revisions to go on before one is rendered from nothing again; the last one always is
     */
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
            inputs.add(outcome.input());
            revisionsToCome += answer(outcome.status()) == Answer.REVISION ? 1 : 0;
        }
        this.rendered = new ArrayDeque<>(rendered);
        this.problems = new ArrayDeque<>(problems);
    }

    void run() {
        while (!outcomes.isEmpty()) {
            Told told = outcomes.removeFirst();
            revisionsToCome -= answer(told.outcome().status()) == Answer.REVISION ? 1 : 0;
            if (answered.containsKey(told.outcome().input())) {
                again(told.outcome(), told.record());
            } else {
                first(told.outcome(), told.record());
            }
        }
        for (ConsumerRecord<byte[], byte[]> change : changes) {
            verdict.broke(Promise.ACCOUNTED, "%s: the change at %s has no outcome".formatted(workspace, place(change)));
        }
        for (ConsumerRecord<byte[], byte[]> record : rendered) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s: no outcome belongs to the record of revision %s at %s"
                            .formatted(workspace, History.header(record, HeaderNames.REVISION), place(record)));
        }
    }

    /* Only a change that waited for its parts too long is answered twice. */
    private void again(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        boolean givenUp = answered.get(outcome.input()) == OutcomeStatus.PENDING
                && outcome.status() == OutcomeStatus.REJECTED
                && books.giveUp(outcome.changeId());
        if (!givenUp) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the change at %s has a second outcome at %s (%s)"
                            .formatted(
                                    workspace,
                                    outcome.input(),
                                    place(record),
                                    outcome.status().text()));
        }
    }

    private void first(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        answered.put(outcome.input(), outcome.status());
        ConsumerRecord<byte[], byte[]> change = take(outcome, record);
        if (change == null) {
            return;
        }
        verdict.looked(Promise.ACCOUNTED, "changes");
        Answer expected = books.enter(reading(change), change.value(), answer(outcome.status()));
        if (expected != answer(outcome.status())) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the change at %s should be answered %s, and is %s at %s"
                            .formatted(
                                    workspace,
                                    outcome.input(),
                                    expected,
                                    outcome.status().text(),
                                    place(record)));
        }
        if (outcome.revision() == null || outcome.revision() != books.revision()) {
            verdict.broke(
                    Promise.ORDERED,
                    "%s: the outcome at %s has revision %s, and %d comes here"
                            .formatted(workspace, place(record), outcome.revision(), books.revision()));
        }
        if (expected == Answer.REVISION) {
            verdict.looked(Promise.ORDERED, "revisions");
        }
        publish(outcome, record, expected == Answer.REVISION);
        if (expected == Answer.REVISION && (books.revision() % every == 0 || revisionsToCome == 0)) {
            render(outcome, record);
        }
    }

    /* The change that an outcome answers: the next one, if all is well. */
    private ConsumerRecord<byte[], byte[]> take(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        ConsumerRecord<byte[], byte[]> change = changes.stream()
                .filter(each -> place(each).equals(outcome.input()))
                .findFirst()
                .orElse(null);
        if (change == null) {
            verdict.broke(
                    Promise.ACCOUNTED,
                    "%s: the outcome at %s answers %s, where no change of this workspace is"
                            .formatted(workspace, place(record), outcome.input()));
            return null;
        }
        if (change != changes.getFirst()) {
            if (inputs.contains(place(changes.getFirst()))) {
                verdict.broke(
                        Promise.ORDERED,
                        "%s: the outcome at %s answers %s before %s"
                                .formatted(workspace, place(record), outcome.input(), place(changes.getFirst())));
            } else {
                skipUnanswered(change);
            }
        }
        changes.remove(change);
        return change;
    }

    /* Entered all the same, so that one missing outcome is told as one, and not as a fault of everything after it. */
    private void skipUnanswered(ConsumerRecord<byte[], byte[]> next) {
        while (changes.getFirst() != next && !inputs.contains(place(changes.getFirst()))) {
            ConsumerRecord<byte[], byte[]> change = changes.removeFirst();
            verdict.broke(Promise.ACCOUNTED, "%s: the change at %s has no outcome".formatted(workspace, place(change)));
            books.enter(reading(change), change.value(), null);
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

    private void publish(Outcome outcome, ConsumerRecord<byte[], byte[]> record, boolean isRevision) {
        int emitted = 0;
        int removed = 0;
        while (!rendered.isEmpty() && revision(rendered.getFirst()) <= books.revision()) {
            ConsumerRecord<byte[], byte[]> each = rendered.removeFirst();
            if (revision(each) < books.revision() || !isRevision) {
                verdict.broke(
                        Promise.WHOLE,
                        "%s: the record at %s is of revision %d, whose outcome came before"
                                .formatted(workspace, place(each), revision(each)));
            }
            if (each.value() == null) {
                removed++;
            } else {
                emitted++;
                checkHash(each);
            }
            view.take(RenderedKey.of(each.key()).document(), each.value());
        }
        takeProblems();
        if (emitted != outcome.emitted() || removed != outcome.removed()) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s revision %d: the outcome at %s says %d emitted and %d removed, %d and %d records seen"
                            .formatted(
                                    workspace,
                                    books.revision(),
                                    place(record),
                                    outcome.emitted(),
                                    outcome.removed(),
                                    emitted,
                                    removed));
        }
        if (view.size() != outcome.rendered() || !view.hash().equals(outcome.contentHash())) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s revision %d: the outcome at %s says %d documents with hash %s, a consumer holds %d with %s"
                            .formatted(
                                    workspace,
                                    books.revision(),
                                    place(record),
                                    outcome.rendered(),
                                    outcome.contentHash(),
                                    view.size(),
                                    view.hash()));
        }
        verdict.looked(Promise.WHOLE, "outcomes");
    }

    private void checkHash(ConsumerRecord<byte[], byte[]> record) {
        if (!RenderedHeaders.contentHash(record.value()).equals(History.header(record, HeaderNames.CONTENT_HASH))) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s: the record at %s is not what its hash stands for".formatted(workspace, place(record)));
        }
    }

    private void takeProblems() {
        while (!problems.isEmpty() && revision(problems.getFirst()) <= books.revision()) {
            ConsumerRecord<byte[], byte[]> each = problems.removeFirst();
            DocumentId id = ProblemKey.of(each.key()).document();
            if (id == null) {
                problemOfAll = each.value() != null;
            } else if (each.value() == null) {
                troubled.remove(id);
            } else {
                troubled.add(id);
            }
        }
    }

    private void render(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        NaiveRenderer naive = new NaiveRenderer(
                books.documents().stream().map(Document::tree).toList(), dev.strake.engine.oracle.Limits.DEFAULT);
        boolean isFine = naive.troubles().isEmpty() && !naive.lacksPolicy();
        if (isFine != (outcome.status() == OutcomeStatus.RENDERED)) {
            verdict.broke(
                    Promise.EQUAL,
                    "%s revision %d: the outcome at %s says %s; in trouble are %s%s"
                            .formatted(
                                    workspace,
                                    books.revision(),
                                    place(record),
                                    outcome.status().text(),
                                    naive.troubles(),
                                    naive.lacksPolicy() ? ", and there is no policy" : ""));
        }
        if (!troubled.equals(naive.troubles().keySet()) || problemOfAll != naive.lacksPolicy()) {
            verdict.broke(
                    troubled.containsAll(naive.troubles().keySet()) ? Promise.REMOVED : Promise.EQUAL,
                    "%s revision %d: the problems at %s are of %s, and should be of %s"
                            .formatted(
                                    workspace,
                                    books.revision(),
                                    place(record),
                                    troubled,
                                    naive.troubles().keySet()));
        }
        if (outcome.status() != OutcomeStatus.FAILED) {
            compare(naive, outcome, record);
        }
        verdict.looked(Promise.EQUAL, every == 1 ? "revisions" : "revisions, every " + every + "th and the last");
    }

    private void compare(NaiveRenderer naive, Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
        Map<DocumentKey, MapValue> expected = naive.rendered();
        Set<DocumentKey> heldBack = outcome.status() == OutcomeStatus.PARTIAL ? naive.troubledKeys() : Set.of();
        for (Map.Entry<DocumentKey, byte[]> each : view.documents().entrySet()) {
            if (!expected.containsKey(each.getKey()) && !heldBack.contains(each.getKey())) {
                verdict.broke(
                        Promise.REMOVED,
                        "%s revision %d: %s has left the rendered set, and no tombstone came before the outcome at %s"
                                .formatted(workspace, books.revision(), each.getKey(), place(record)));
            }
            verdict.looked(Promise.REMOVED, "documents");
        }
        expected.forEach((key, tree) -> {
            byte[] value = view.documents().get(key);
            if (value == null || !JsonValues.read(value).equals(tree)) {
                verdict.broke(
                        Promise.EQUAL,
                        "%s revision %d: %s %s at the outcome at %s"
                                .formatted(
                                        workspace,
                                        books.revision(),
                                        key,
                                        value == null ? "is not published" : "is published as something else",
                                        place(record)));
            }
        });
    }

    private static Answer answer(OutcomeStatus status) {
        return switch (status) {
            case RENDERED, FAILED, PARTIAL -> Answer.REVISION;
            case UNCHANGED -> Answer.UNCHANGED;
            case DUPLICATE -> Answer.DUPLICATE;
            case PENDING -> Answer.PENDING;
            case REJECTED -> Answer.REJECTED;
        };
    }

    private static long revision(ConsumerRecord<byte[], byte[]> record) {
        String text = History.header(record, HeaderNames.REVISION);
        return text == null ? 0 : Long.parseLong(text);
    }

    /* As outcomes name their input. */
    static String place(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }
}
