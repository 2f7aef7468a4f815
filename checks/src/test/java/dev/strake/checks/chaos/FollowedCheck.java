package dev.strake.checks.chaos;

import dev.strake.checks.chaos.Followed.What;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Judges what a {@link dev.strake.client.Subscription} delivered of one workspace: every update leads to the set whose hash the
 * outcome of its revision tells, none is left out, and none comes again to somebody who has it. The set comes as a whole only at
 * the beginning, or where topics were compacted.
 */
final class FollowedCheck {

    /** Before the first update. */
    private static final long NOTHING = -1;

    private final String workspace;
    private final boolean isCompacted;
    private final Judgement verdict;
    private final NavigableMap<Long, String> hashes = new TreeMap<>();

    private FollowedCheck(String workspace, History history, boolean isCompacted, Judgement verdict) {
        this.workspace = workspace;
        this.isCompacted = isCompacted;
        this.verdict = verdict;
        history.topic(TopicNames.OUTCOMES).stream()
                .map(record -> OutcomeJson.read(record.value()))
                .filter(this::isTold)
                .forEach(outcome ->
                        hashes.put(outcome.revision(), outcome.published().contentHash()));
    }

    private boolean isTold(Outcome outcome) {
        return outcome.workspace().equals(workspace)
                && outcome.status() != OutcomeStatus.PLANNED
                && outcome.revision() != null
                && outcome.published().contentHash() != null;
    }

    /**
     * Judges one follower of one workspace, from the beginning until it had all of it.
     *
     * @param isCompacted whether topics were compacted while the follower was away
     */
    static void check(String workspace, List<Followed> story, History history, boolean isCompacted, Judgement verdict) {
        FollowedCheck check = new FollowedCheck(workspace, history, isCompacted, verdict);
        long revision = check.run(story);
        if (revision < check.lastChange()) {
            check.broke("the follower came to revision %d, and %d was published", revision, check.lastChange());
        }
    }

    /** Whether a follower has everything that was published of a workspace, also where it went on from a checkpoint. */
    static boolean isAtEnd(String workspace, List<Followed> story, History history) {
        FollowedCheck check = new FollowedCheck(workspace, history, true, new Judgement());
        return check.run(story) >= check.lastChange();
    }

    /* The last revision that published something. */
    private long lastChange() {
        long last = 0;
        String before = null;
        for (Map.Entry<Long, String> each : hashes.entrySet()) {
            last = each.getValue().equals(before) ? last : each.getKey();
            before = each.getValue();
        }
        return last;
    }

    /* Returns the revision that the follower has in the end. */
    private long run(List<Followed> story) {
        Map<Long, Long> kept = new HashMap<>();
        long revision = NOTHING;
        for (Followed each : story) {
            switch (each.what()) {
                case OPENED -> revision = NOTHING;
                case RESUMED -> revision = kept.get(each.number());
                case KEPT -> kept.put(each.number(), revision);
                case FAILED -> broke("the subscription ended: %s", each.text());
                case SNAPSHOT, REVISION, COMPACTED -> {
                    check(revision, each);
                    revision = each.number();
                    verdict.looked(Promise.FOLLOWED, "updates");
                }
            }
        }
        return revision;
    }

    private void check(long before, Followed update) {
        boolean isNew = before == NOTHING;
        if (update.what() == (isNew ? What.REVISION : What.SNAPSHOT)) {
            broke("%s came %s", update, isNew ? "first" : "to somebody who had the set already");
        }
        if (update.what() == What.COMPACTED && !isCompacted) {
            broke("%s, and nothing was compacted", update);
        }
        if (update.number() < before || (update.number() == before && update.what() == What.REVISION)) {
            broke("%s came after revision %d", update, before);
        }
        if (update.what() == What.REVISION && !isCompacted && hashes.containsKey(before)) {
            hashes.subMap(before, false, Math.max(before, update.number()), before > update.number())
                    .forEach((revision, hash) -> {
                        if (!hash.equals(hashes.get(before))) {
                            broke("%s came after revision %d, and left %d out", update, before, revision);
                        }
                    });
        }
        boolean isWithoutOutcome = isNew && update.number() == 0;
        if (!isWithoutOutcome && !update.text().equals(hashes.get(update.number()))) {
            broke("%s leads to another set than was published: %s", update, hashes.get(update.number()));
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // that annotation would be one more library
    private void broke(String how, Object... arguments) {
        verdict.broke(Promise.FOLLOWED, "%s: %s", workspace, how.formatted(arguments));
    }
}
