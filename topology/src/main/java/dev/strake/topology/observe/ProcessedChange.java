package dev.strake.topology.observe;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.outcome.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * A processed change: its outcome, what it made of the workspace, and its times.
 *
 * @param status of the workspace after the revision that the change made; empty if it made none
 * @param work what the engine did for that revision
 * @param costliest the documents that were most work, at most {@link Costliest#KEPT}
 */
public record ProcessedChange(
        int partition,
        Outcome outcome,
        Optional<WorkspaceStatus> status,
        Update.Work work,
        Times times,
        List<Costly> costliest) {

    /**
     * How much work a document was.
     *
     * @param steps of {@link dev.strake.engine.limit.ChangeEffort}
     */
    public record Costly(DocumentId document, long steps) {}

    /**
     * The times of a change.
     *
     * <pre>
     *  record time ──► begun ─── decode ─── commit-revision ─── render ──► done ──► committed
     *        queue           ·        each nanosecond is in one stage       ·   commit
     * </pre>
     *
     * @param record timestamp of the change's (last) record, in milliseconds since 1970 by the clock of its publisher; 0 if that
     *     is not known, or if the change is rejected because parts of it are missing
     * @param begun when work on the change began, in milliseconds since 1970
     * @param done when the change had its outcome, in nanoseconds of {@link System#nanoTime}
     * @param decodeNanos time until the documents of the change were read, including opening the workspace and checking whether
     *     the change was applied before
     * @param revisionNanos time for comparing the change with the head and for writing the revision into the stores; 0 if the
     *     change did not get that far
     * @param renderNanos time for rendering the affected documents and for publishing them with the outcome; 0 if the change did
     *     not get that far
     */
    public record Times(long record, long begun, long done, long decodeNanos, long revisionNanos, long renderNanos) {

        /** How long the change itself was worked on: without its queue, and without the commit that it shares with others. */
        public long workNanos() {
            return decodeNanos + revisionNanos + renderNanos;
        }

        /**
         * Since when the change has waited, in milliseconds since 1970: its record time, unless that is not known or lies in the
         * future, because the clock of its publisher is ahead of ours.
         */
        public long waitingSince() {
            return waitingSince(record, begun);
        }

        /** The same for a change that work has just begun on. */
        public static long waitingSince(long record, long begun) {
            return record > 0 ? Math.min(record, begun) : begun;
        }
    }

    public boolean madeRevision() {
        return outcome.status().isOfRevision();
    }
}
