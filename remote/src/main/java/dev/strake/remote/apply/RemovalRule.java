package dev.strake.remote.apply;

import dev.strake.client.RenderedUpdate;
import dev.strake.serdes.change.RemovalLimit;
import java.util.Optional;

/**
 * What a step may remove. Without a limit, any number of files but all of them: a set that is empty is mostly one that came
 * from the wrong place.
 */
public record RemovalRule(Optional<RemovalLimit> limit) {

    /** Why nothing is removed where there is no outcome. */
    public static final String UNCHECKED =
            "no outcome of the workspace is left to check its documents against, so nothing is removed";

    /** A plan that may be carried out or not, and what is to be said about it. */
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

    /** What speaks against so many removals; empty if nothing does. */
    public Optional<String> objection(long removals, int held, boolean areAll, String what) {
        boolean isTooMuch = limit.map(most -> removals > most.of(held)).orElse(areAll);
        return isTooMuch
                ? Optional.of("%d of %d %s would be removed; if that is meant, start it again with --max-removals 100%%"
                        .formatted(removals, held, what))
                : Optional.empty();
    }
}
