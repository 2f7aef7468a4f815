package dev.strake.apply;

import dev.strake.client.RenderedUpdate;
import java.util.List;

/**
 * What came of a step.
 *
 * @param revision of the workspace; 0 if no outcome tells it
 * @param status what became of the target
 * @param changes what happened, or would have happened, to files
 * @param unchanged how many files needed no change, of those that were looked at
 * @param remark what whoever runs the applier has to know; empty if nothing
 */
public record Applied(long revision, Status status, List<FileChange> changes, int unchanged, String remark) {

    /** What became of the target. */
    public enum Status {
        /** It has the documents of the revision, but where somebody else's files are in the way. */
        APPLIED,
        /** It would have them; nothing was changed. */
        PLANNED,
        /** It is as it was: too much would have been removed. */
        HELD
    }

    static Applied of(RenderedUpdate update, RemovalRule.Judged judged, boolean dryRun) {
        Status status = judged.isHeld() ? Status.HELD : dryRun ? Status.PLANNED : Status.APPLIED;
        FilePlan plan = judged.plan();
        return new Applied(update.revision(), status, plan.changes(), plan.unchanged(), judged.remark());
    }

    public Applied {
        changes = List.copyOf(changes);
    }

    /** How many changes are of a kind. */
    public long count(FileChange.Kind kind) {
        return changes.stream().filter(change -> change.kind() == kind).count();
    }

    /** The step in one line. */
    public String summary() {
        String counts = "%d created, %d replaced, %d removed, %d unchanged"
                .formatted(
                        count(FileChange.Kind.CREATE),
                        count(FileChange.Kind.REPLACE),
                        count(FileChange.Kind.REMOVE),
                        unchanged);
        long restored = count(FileChange.Kind.RESTORE);
        long foreign = count(FileChange.Kind.FOREIGN);
        return (revision == 0 ? "no revision" : "revision " + revision)
                + switch (status) {
                    case APPLIED -> ": ";
                    case PLANNED -> " would be: ";
                    case HELD -> " held: ";
                }
                + counts
                + (restored == 0 ? "" : ", " + restored + " restored")
                + (foreign == 0 ? "" : ", " + foreign + " not ours");
    }
}
