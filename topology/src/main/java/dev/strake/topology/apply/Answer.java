package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * What there is to say about a change, in the forms in which it is said: the outcome that is published and the revision
 * that is kept.
 *
 * @param head the workspace before the change
 * @param now when the change was processed, in milliseconds
 */
record Answer(ChangeEnvelope envelope, Workspace head, long now) {

    /** An outcome lists so many problems at the most; the topic of problems has them all. */
    private static final int MOST_PROBLEMS = 100;

    /** The outcome of a change that was not applied. */
    Outcome rejected(List<Problem> problems) {
        return withoutRevision(OutcomeStatus.REJECTED, problems, List.of());
    }

    /** The outcome of a change that made no revision. */
    Outcome of(OutcomeStatus status, List<Problem> warnings) {
        return withoutRevision(status, List.of(), warnings);
    }

    private Outcome withoutRevision(OutcomeStatus status, List<Problem> problems, List<Problem> warnings) {
        Outcome.Documents documents = new Outcome.Documents(head.graph().size(), 0, 0, 0);
        return outcome(head, status, documents, 0, 0, 0, 0, problems, warnings);
    }

    /** The outcome of a change that made a revision. */
    Outcome of(Update update, Revision revision) {
        return outcome(
                update.next(),
                revision.status(),
                new Outcome.Documents(revision.documents(), revision.added(), revision.changed(), revision.removed()),
                revision.affected(),
                revision.evaluated(),
                revision.emitted(),
                revision.withdrawn(),
                update.next().problems(MOST_PROBLEMS),
                update.warnings());
    }

    /** The revision that a change made; what it touched is left to whoever writes it. */
    Revision revision(Update update) {
        Workspace next = update.next();
        int removed = update.removed();
        return new Revision(
                now,
                envelope.changeId(),
                envelope.typeText(),
                bucket(),
                OutcomeStatus.of(update.status().name().toLowerCase(Locale.ROOT)),
                next.graph().size(),
                update.count(Edit.Kind.ADDED),
                update.count(Edit.Kind.CHANGED),
                update.count(Edit.Kind.REMOVED),
                update.affected(),
                update.evaluated(),
                update.emissions().size() - removed,
                removed,
                next.renderedRevision(),
                next.published(),
                next.digest(),
                new TreeMap<>(),
                List.of());
    }

    private Outcome outcome(
            Workspace workspace,
            OutcomeStatus status,
            Outcome.Documents documents,
            int affected,
            int evaluated,
            int emitted,
            int removed,
            List<Problem> problems,
            List<Problem> warnings) {
        return new Outcome(
                envelope.workspace(),
                envelope.changeId(),
                envelope.typeText(),
                bucket(),
                status,
                workspace.revision(),
                workspace.renderedRevision() == 0 ? null : Long.valueOf(workspace.renderedRevision()),
                documents,
                affected,
                evaluated,
                emitted,
                removed,
                workspace.published(),
                workspace.digest().toString(),
                problems.subList(0, Math.min(MOST_PROBLEMS, problems.size())),
                warnings.subList(0, Math.min(MOST_PROBLEMS, warnings.size())),
                envelope.input(),
                Instant.ofEpochMilli(now),
                envelope.source(),
                envelope.time(),
                envelope.traceparent());
    }

    private String bucket() {
        return envelope.type() != null && envelope.type().isOfBucket() ? envelope.bucket() : null;
    }
}
