package dev.strake.topology.observe;

import dev.strake.serdes.outcome.Outcome;

/**
 * A change with its outcome, and the times that it took.
 *
 * <pre>
 *  record time ──► taken up ─── decode ─── commit-revision ─── render ──► processed ──► committed
 *        queue              ·        every nanosecond is of one stage       ·      commit
 * </pre>
 *
 * @param recordTime of the change (of its last part), in milliseconds since 1970 by the clock of whoever published it; 0
 *     if that is not known, or if it is answered for what did not come
 * @param takenUp when, in milliseconds since 1970
 * @param processed when it had its outcome, in nanoseconds of {@link System#nanoTime}
 * @param decodeNanos from taking it up until its documents are read; opening its workspace is in this, and asking
 *     whether the change was applied before
 * @param revisionNanos for comparing it with the head, and for writing the revision into the stores; 0 if it did not
 *     come to that, as for the next one
 * @param renderNanos for rendering what it affects, and for publishing that with the outcome
 */
public record ProcessedChange(
        int partition,
        Outcome outcome,
        long recordTime,
        long takenUp,
        long processed,
        long decodeNanos,
        long revisionNanos,
        long renderNanos) {

    public boolean madeRevision() {
        return switch (outcome.status()) {
            case RENDERED, FAILED, PARTIAL -> true;
            case UNCHANGED, DUPLICATE, PENDING, REJECTED -> false;
        };
    }
}
