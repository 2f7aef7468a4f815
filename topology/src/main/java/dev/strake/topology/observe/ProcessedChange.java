package dev.strake.topology.observe;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.outcome.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * A processed change: its outcome, the resulting status of the workspace, and its times.
 *
 * @param status the status of the workspace after the revision that the change made; empty if it made none
 * @param work the work of the engine for that revision
 * @param costliest the documents that took the most work, at most {@link Costliest#KEPT}
 */
public record ProcessedChange(
        int partition,
        Outcome outcome,
        Optional<WorkspaceStatus> status,
        Update.Work work,
        Times times,
        List<Costly> costliest) {

    /**
     * The work for one document.
     *
     * @param steps counted by {@link dev.strake.engine.limit.ChangeEffort}
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
     * @param record timestamp of the change's (last) record, in milliseconds since 1970 by the clock of its publisher;
     *     0 if unknown, or if the change is rejected because parts of it are missing
     * @param begun when work on the change began, in milliseconds since 1970
     * @param done when the change had its outcome, in nanoseconds of {@link System#nanoTime}
     * @param decodeNanos time until the documents of the change were read, including opening the workspace and checking
     *     whether the change was applied before
     * @param revisionNanos time for comparing the change with the head and for writing the revision into the stores; 0
     *     if the change did not get that far
     * @param renderNanos time for rendering the affected documents and for publishing them with the outcome; 0 if the
     *     change did not get that far
     */
    public record Times(long record, long begun, long done, long decodeNanos, long revisionNanos, long renderNanos) {

        /** The processing time of the change, without its queue, and without the commit that it shares with others. */
        public long workNanos() {
            return decodeNanos + revisionNanos + renderNanos;
        }

        /**
         * Since when the change has waited, in milliseconds since 1970: its record time. If that is unknown, or in the
         * future because the clock of the publisher is ahead, the time when work began.
         */
        public long waitingSince() {
            return waitingSince(record, begun);
        }

        /** As {@link #waitingSince()}, for a change on which work has just begun. */
        public static long waitingSince(long record, long begun) {
            return record > 0 ? Math.min(record, begun) : begun;
        }
    }

    public boolean madeRevision() {
        return outcome.status().isOfRevision();
    }
}
