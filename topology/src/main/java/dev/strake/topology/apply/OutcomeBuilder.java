package dev.strake.topology.apply;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.Outcome.Documents;
import dev.strake.serdes.outcome.Outcome.Work;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.PreviewJson;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Builds the answer to a change: the outcome to publish, and the record of the revision to store.
 *
 * @param head the workspace before the change
 * @param now when the change was processed, in milliseconds
 * @param read the warnings found while reading the change
 */
record OutcomeBuilder(ChangeEnvelope envelope, Workspace head, long now, List<Problem> read) {

    /**
     * The size limit of the problems of an outcome, and of its warnings. One of them may have 400 KB: names are long.
     */
    private static final long MOST_BYTES = 1 << 20;

    OutcomeBuilder(ChangeEnvelope envelope, Workspace head, long now) {
        this(envelope, head, now, List.of());
    }

    /** Adds warnings found while reading the change. */
    OutcomeBuilder warning(List<Problem> warnings) {
        return new OutcomeBuilder(envelope, head, now, List.copyOf(warnings));
    }

    /** The outcome of a change that was not applied. */
    Outcome rejected(List<Problem> problems) {
        return withoutRevision(OutcomeStatus.REJECTED, problems, List.of());
    }

    /** The outcome of a change that was rejected by a task that does not have the state of its workspace. */
    static Outcome rejectedUnseen(ChangeEnvelope envelope, long now, Problem problem) {
        return new Outcome(
                envelope.workspace(),
                change(envelope),
                status(envelope, OutcomeStatus.REJECTED),
                new Outcome.Result(null, Documents.NONE, Work.NONE, new Outcome.Published(null, 0, null)),
                new Outcome.Findings(List.of(problem), List.of()),
                Instant.ofEpochMilli(now),
                dryRun(envelope, OutcomeStatus.REJECTED, null));
    }

    /** The outcome of a change that left the documents as they were. Their problems remain. */
    Outcome unchanged(List<Problem> warnings) {
        Outcome outcome = withoutRevision(OutcomeStatus.UNCHANGED, head.problems(Outcome.MOST_PROBLEMS), warnings);
        return envelope.terms().dryRun() && head.isInTrouble()
                ? outcome.with(PreviewJson.unchanged(head.problems(Integer.MAX_VALUE)))
                : outcome;
    }

    /** The outcome of a change applied before. For a change of documents, it lists the problems of the head. */
    Outcome duplicate() {
        boolean isOfDocuments = envelope.type().isOfBucket() || envelope.type() == ChangeType.ROLLBACK;
        List<Problem> problems = isOfDocuments ? head.problems(Outcome.MOST_PROBLEMS) : List.of();
        return withoutRevision(OutcomeStatus.DUPLICATE, problems, List.of());
    }

    /** The outcome of a change that made no revision; it lists no problems of documents. */
    Outcome of(OutcomeStatus status, List<Problem> warnings) {
        return withoutRevision(status, List.of(), warnings);
    }

    private Outcome withoutRevision(OutcomeStatus status, List<Problem> problems, List<Problem> warnings) {
        Documents documents = new Documents(head.graph().size(), 0, 0, 0);
        return outcome(head, status, documents, Work.NONE, problems, warnings);
    }

    /** The outcome of a dry run whose change would make a revision. */
    Outcome of(Update update, Revision revision, Preview preview) {
        return of(update, revision).with(PreviewJson.inOutcome(preview));
    }

    /** The outcome of a change that made a revision. */
    Outcome of(Update update, Revision revision) {
        return outcome(
                update.next(),
                revision.status(),
                revision.documents(),
                revision.work(),
                update.next().problems(Outcome.MOST_PROBLEMS),
                update.warnings());
    }

    private Outcome outcome(
            Workspace after,
            OutcomeStatus status,
            Documents documents,
            Work work,
            List<Problem> problems,
            List<Problem> warnings) {
        Long whole = after.holdings().revision() == 0
                ? null
                : Long.valueOf(after.holdings().revision());
        return new Outcome(
                envelope.workspace(),
                change(envelope),
                status(envelope, status),
                new Outcome.Result(
                        after.revision(),
                        documents,
                        work,
                        new Outcome.Published(
                                whole,
                                after.holdings().records(),
                                after.holdings().digest().toString())),
                new Outcome.Findings(listed(problems, "problems"), listed(withRead(warnings), "warnings")),
                Instant.ofEpochMilli(now),
                dryRun(envelope, status, PreviewJson.NOTHING));
    }

    private List<Problem> withRead(List<Problem> warnings) {
        List<Problem> all = new ArrayList<>(read);
        all.addAll(warnings);
        return all;
    }

    /* A part that waits for other parts is stored even in a dry run, so its status stays pending. */
    private static OutcomeStatus status(ChangeEnvelope envelope, OutcomeStatus status) {
        return envelope.terms().dryRun() && status != OutcomeStatus.PENDING ? OutcomeStatus.PLANNED : status;
    }

    private static Outcome.Planned dryRun(ChangeEnvelope envelope, OutcomeStatus status, MapValue preview) {
        return status(envelope, status) == OutcomeStatus.PLANNED ? new Outcome.Planned(status, preview) : null;
    }

    /* Limits the number of problems, which nearly always suffices. If they are too large, a note replaces the rest. */
    private static List<Problem> listed(List<Problem> all, String what) {
        List<Problem> some = all.subList(0, Math.min(Outcome.MOST_PROBLEMS, all.size()));
        long bytes = 0;
        for (int i = 0; i < some.size(); i++) {
            bytes += ProblemJson.write(some.get(i)).weight();
            if (bytes > MOST_BYTES) {
                List<Problem> cut = new ArrayList<>(some.subList(0, i));
                cut.add(Problem.of(
                        ProblemCode.LIMIT_EXCEEDED,
                        "further " + what + " are not listed, because the outcome would be too large",
                        "correct these first"));
                return cut;
            }
        }
        return some;
    }

    /** The record of the revision that a change made. The touched documents are added when the record is written. */
    Revision revision(Change change, Update update) {
        Workspace next = update.next();
        int removed = update.removed();
        return new Revision(
                now,
                new Revision.Change(
                        envelope.changeId(),
                        envelope.typeText(),
                        buckets(update),
                        change instanceof Change.Rollback rollback ? rollback.revision() : null,
                        envelope.note()),
                new Revision.Result(
                        OutcomeStatus.of(update.status().name().toLowerCase(Locale.ROOT)),
                        new Documents(
                                next.graph().size(),
                                update.count(Edit.Kind.ADDED),
                                update.count(Edit.Kind.CHANGED),
                                update.count(Edit.Kind.REMOVED)),
                        new Work(
                                update.work().affected(),
                                update.work().evaluated(),
                                update.emissions().size() - removed,
                                removed)),
                new Revision.Published(
                        next.holdings().revision(),
                        next.holdings().records(),
                        next.holdings().digest(),
                        next.form()),
                new TreeMap<>(),
                List.of(),
                next.limits());
    }

    /* A document that a rollback moves to another bucket counts for both buckets. */
    private List<String> buckets(Update update) {
        if (bucket(envelope) != null) {
            return List.of(envelope.bucket());
        }
        return update.edits().keySet().stream()
                .flatMap(id -> Stream.of(head.graph(), update.next().graph()).map(graph -> graph.facts(id)))
                .filter(Objects::nonNull)
                .map(Facts::bucket)
                .distinct()
                .sorted()
                .limit(Revision.Change.MOST_BUCKETS)
                .toList();
    }

    private static Outcome.Change change(ChangeEnvelope envelope) {
        return new Outcome.Change(
                envelope.changeId(),
                envelope.typeText(),
                bucket(envelope),
                envelope.input(),
                envelope.carried(),
                envelope.note());
    }

    private static String bucket(ChangeEnvelope envelope) {
        return envelope.type() != null && envelope.type().isOfBucket() ? envelope.bucket() : null;
    }
}
