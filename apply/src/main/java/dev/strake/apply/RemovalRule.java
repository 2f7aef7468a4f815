package dev.strake.apply;

import dev.strake.client.RenderedUpdate;
import dev.strake.serdes.change.RemovalLimit;
import java.util.Optional;

/**
 * What a step may remove. Without a limit, any number of files but all of them: a set that is empty is mostly one that came
 * from the wrong place.
 */
public record RemovalRule(Optional<RemovalLimit> limit) {

    /** A plan that may be carried out or not, and what is to be said about it. */
    record Judged(FilePlan plan, boolean isHeld, String remark) {}

    Judged judge(RenderedUpdate update, FilePlan plan, Manifest before) {
        long removals = plan.removals();
        if (removals == 0) {
            return new Judged(plan, false, "");
        }
        if (update.outcome().isEmpty()) {
            String remark = "no outcome of the workspace is left to check its documents against, so nothing is removed";
            return new Judged(plan.withoutRemovals(before), false, remark);
        }
        int held = before.files().size();
        boolean isTooMuch = limit.map(most -> removals > most.of(held))
                .orElse(plan.after().files().isEmpty());
        String objection = "%d of %d files would be removed; if that is meant, start it again with --max-removals 100%%"
                .formatted(removals, held);
        return new Judged(plan, isTooMuch, isTooMuch ? objection : "");
    }
}
