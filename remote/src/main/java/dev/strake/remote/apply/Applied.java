package dev.strake.remote.apply;

import dev.strake.client.RenderedUpdate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a step.
 *
 * @param revision of the workspace; 0 if no outcome tells it
 * @param status what became of the target
 * @param changes what happened, or would have happened, to files
 * @param unchanged how many files needed no change, of those that were looked at
 * @param remark what whoever runs the applier has to know; empty if nothing
 */
public record Applied(long revision, Status status, List<TargetChange> changes, int unchanged, String remark) {

    /** Why a document has no file. */
    static final String OMITTED = "it has secrets, which are not written here";

    private static final Map<TargetChange.Kind, String> LABELS = new EnumMap<>(Map.of(
            TargetChange.Kind.RESTORE, "restored",
            TargetChange.Kind.FOREIGN, "not ours",
            TargetChange.Kind.DRIFTED, "drifted",
            TargetChange.Kind.HELD, "held",
            TargetChange.Kind.FAILED, "failed",
            TargetChange.Kind.OMITTED, "omitted"));

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
        List<TargetChange> changes = new ArrayList<>(plan.changes());
        plan.omitted().forEach(path -> changes.add(TargetChange.nothing(path, TargetChange.Kind.OMITTED, OMITTED)));
        return new Applied(update.published(), status, changes, plan.unchanged(), judged.remark());
    }

    public Applied {
        changes = List.copyOf(changes);
    }

    /** This step and the one that went on with it: what failed in this one and not in the next counts as it came out. */
    Applied then(Applied next) {
        List<TargetChange> all = new ArrayList<>(changes);
        all.removeIf(change -> change.kind() == TargetChange.Kind.FAILED || change.kind() == TargetChange.Kind.HELD);
        all.addAll(next.changes);
        return new Applied(next.revision, next.status, all, unchanged + next.unchanged, next.remark);
    }

    public long count(TargetChange.Kind kind) {
        return changes.stream().filter(change -> change.kind() == kind).count();
    }

    /** The step in one line. */
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
