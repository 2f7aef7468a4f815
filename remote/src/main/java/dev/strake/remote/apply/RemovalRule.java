package dev.strake.remote.apply;

import dev.strake.client.RenderedUpdate;
import dev.strake.serdes.change.RemovalLimit;
import java.util.Optional;

/**
 * Limits how many files a step may remove. Without a configured limit, a step may remove any number of files except all
 * of them: an empty set is most often read from the wrong place.
 */
public record RemovalRule(Optional<RemovalLimit> limit) {

    /** The reason why nothing is removed if there is no outcome. */
    public static final String UNCHECKED =
            "nothing is removed, because the workspace has no outcome left to check its documents against";

    /** A plan, whether it is held, and a remark for the operator. */
    record Judged(FilePlan plan, boolean isHeld, String remark) {}

    Judged judge(RenderedUpdate update, FilePlan plan, Manifest before) {
        long removals = plan.removals();
        if (removals == 0) {
            return new Judged(plan, false, "");
        }
        if (update.outcome().isEmpty()) {
            return new Judged(plan.withoutRemovals(before), false, UNCHECKED);
        }
        boolean areAll = plan.after().files().isEmpty();
        return objection(removals, before.files().size(), areAll, "files")
                .map(objection -> new Judged(plan, true, objection))
                .orElse(new Judged(plan, false, ""));
    }

    /** Returns the reason to hold this many removals; empty if they are allowed. */
    public Optional<String> objection(long removals, int held, boolean areAll, String what) {
        boolean isTooMuch = limit.map(most -> removals > most.of(held)).orElse(areAll);
        return isTooMuch
                ? Optional.of("%d of %d %s would be removed; if this is intended, start again with --max-removals 100%%"
                        .formatted(removals, held, what))
                : Optional.empty();
    }
}
