package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.Outcome.Documents;
import dev.strake.serdes.outcome.Outcome.Work;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Builds the answer to a change: the outcome, which is published, and the record of the revision, which is stored.
 *
 * @param head the workspace before the change
 * @param now when the change was processed, in milliseconds
 */
record Answer(ChangeEnvelope envelope, Workspace head, long now) {

    /** The most problems, and the most warnings, that an outcome lists. The topic of problems has all problems. */
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
        Documents documents = new Documents(head.graph().size(), 0, 0, 0);
        return outcome(head, status, documents, Work.NONE, problems, warnings);
    }

    /** The outcome of a change that made a revision. */
    Outcome of(Update update, Revision revision) {
        return outcome(
                update.next(),
                revision.status(),
                revision.documents(),
                revision.work(),
                update.next().problems(MOST_PROBLEMS),
                update.warnings());
    }

    private Outcome outcome(
            Workspace after,
            OutcomeStatus status,
            Documents documents,
            Work work,
            List<Problem> problems,
            List<Problem> warnings) {
        Long whole = after.renderedRevision() == 0 ? null : Long.valueOf(after.renderedRevision());
        return new Outcome(
                envelope.workspace(),
                new Outcome.Change(
                        envelope.changeId(), envelope.typeText(), bucket(), envelope.input(), envelope.carried()),
                status,
                after.revision(),
                documents,
                work,
                new Outcome.Published(whole, after.published(), after.digest().toString()),
                problems.subList(0, Math.min(MOST_PROBLEMS, problems.size())),
                warnings.subList(0, Math.min(MOST_PROBLEMS, warnings.size())),
                Instant.ofEpochMilli(now));
    }

    /** The record of the revision that a change made. The touched documents are added when the record is written. */
    Revision revision(Update update) {
        Workspace next = update.next();
        int removed = update.removed();
        return new Revision(
                now,
                new Revision.Change(envelope.changeId(), envelope.typeText(), bucket()),
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
                        removed),
                new Revision.Published(next.renderedRevision(), next.published(), next.digest()),
                new TreeMap<>(),
                List.of(),
                next.limits());
    }

    private String bucket() {
        return envelope.type() != null && envelope.type().isOfBucket() ? envelope.bucket() : null;
    }
}
