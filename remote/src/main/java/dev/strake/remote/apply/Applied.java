package dev.strake.remote.apply;

import dev.strake.client.RenderedUpdate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The result of applying one step to a target.
 *
 * @param revision the revision of the workspace; 0 if it is unknown
 * @param status the status of the target after the step
 * @param changes changes that were made to files or objects, or that a dry run would make
 * @param unchanged the number of files that were checked and needed no change
 * @param remark a note for the operator of the applier; empty if there is none
 */
public record Applied(long revision, Status status, List<TargetChange> changes, int unchanged, String remark) {

    /** The reason why a document has no file. */
    static final String OMITTED = "it has secrets, which are not written here";

    private static final Map<TargetChange.Kind, String> LABELS = new EnumMap<>(Map.of(
            TargetChange.Kind.RESTORE, "restored",
            TargetChange.Kind.FOREIGN, "not ours",
            TargetChange.Kind.DRIFTED, "drifted",
            TargetChange.Kind.HELD, "held",
            TargetChange.Kind.FAILED, "failed",
            TargetChange.Kind.OMITTED, "omitted"));

    /** The status of a target after a step. */
    public enum Status {
        /** The target has the documents of the revision, except where a file of somebody else is in the way. */
        APPLIED,
        /** The target would have the documents; a dry run changed nothing. */
        PLANNED,
        /** The target was left unchanged, because the step would have removed too much. */
        HELD
    }

    static Applied of(RenderedUpdate update, RemovalRule.Judged judged, boolean dryRun) {
        Status status = judged.isHeld() ? Status.HELD : dryRun ? Status.PLANNED : Status.APPLIED;
        FilePlan plan = judged.plan();
        List<TargetChange> changes = new ArrayList<>(plan.changes());
        plan.omitted().forEach(path -> changes.add(TargetChange.nothing(path, TargetChange.Kind.OMITTED, OMITTED)));
        return new Applied(update.published(), status, changes, plan.unchanged(), judged.remark());
    }

    public Applied {
        changes = List.copyOf(changes);
    }

    /** Joins this step with the step that continued it, which decides {@code FAILED} and {@code HELD} changes again. */
    Applied then(Applied next) {
        List<TargetChange> all = new ArrayList<>(changes);
        all.removeIf(change -> change.kind() == TargetChange.Kind.FAILED || change.kind() == TargetChange.Kind.HELD);
        all.addAll(next.changes);
        return new Applied(next.revision, next.status, all, unchanged + next.unchanged, next.remark);
    }

    public long count(TargetChange.Kind kind) {
        return changes.stream().filter(change -> change.kind() == kind).count();
    }

    /** Returns a summary in one line. */
    public String summary() {
        String counts = "%d created, %d replaced, %d removed, %d unchanged"
                .formatted(
                        count(TargetChange.Kind.CREATE),
                        count(TargetChange.Kind.REPLACE),
                        count(TargetChange.Kind.REMOVE),
                        unchanged);
        StringBuilder others = new StringBuilder();
        LABELS.forEach((kind, label) -> others.append(count(kind) == 0 ? "" : ", " + count(kind) + " " + label));
        return (revision == 0 ? "no revision" : "revision " + revision)
                + switch (status) {
                    case APPLIED -> ": ";
                    case PLANNED -> " would be: ";
                    case HELD -> " held: ";
                }
                + counts
                + others;
    }
}
