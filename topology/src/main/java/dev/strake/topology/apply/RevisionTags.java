package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.store.RevisionHistory;
import dev.strake.topology.store.StateWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tags of revisions. A tag protects its revision from pruning. Nothing else of a revision ever changes. */
final class RevisionTags {

    private final RevisionHistory history;
    private final StateWriter writer;
    private final Pruning pruning;
    private final Intake.Tags room;

    RevisionTags(RevisionHistory history, StateWriter writer, Pruning pruning, Intake intake) {
        this.history = history;
        this.writer = writer;
        this.pruning = pruning;
        this.room = intake.tags();
    }

    /**
     * Puts a tag on a revision, replacing a tag of the same name.
     *
     * @param dryRun whether to write nothing
     * @throws RejectedChangeException if the revision does not exist, or its tags would exceed a limit
     */
    void put(String workspace, Change.Tag tag, boolean dryRun) throws RejectedChangeException {
        Revision revision = history.required(workspace, tag.revision());
        // A lowered limit applies only to added tags.
        if (revision.tags().size() >= room.count() && !revision.tags().containsKey(tag.tag())) {
            throw tooMany("more than " + room.count() + " tags");
        }
        TreeMap<String, MapValue> tags = new TreeMap<>(revision.tags());
        tags.put(tag.tag(), tag.data());
        if (bytes(tags) > room.bytes() && bytes(tags) > bytes(revision.tags())) {
            throw tooMany("tags with more than " + room.bytes() + " bytes in all");
        }
        if (!dryRun) {
            writer.writeTags(workspace, tag.revision(), revision.withTags(tags));
        }
    }

    private static RejectedChangeException tooMany(String what) {
        return new RejectedChangeException(List.of(Problem.of(
                ProblemCode.LIMIT_EXCEEDED,
                "the revision would have " + what,
                "remove tags that are not needed, or give them less data")));
    }

    private static long bytes(Map<String, MapValue> tags) {
        long sum = 0;
        for (Map.Entry<String, MapValue> tag : tags.entrySet()) {
            sum += tag.getKey().length() + tag.getValue().weight();
        }
        return sum;
    }

    /**
     * Removes a tag from a revision. A revision without tags may be pruned.
     *
     * @param dryRun whether to write nothing
     * @return a warning if the revision did not have the tag
     * @throws RejectedChangeException if the revision does not exist
     */
    List<Problem> remove(String workspace, Change.Untag untag, boolean dryRun) throws RejectedChangeException {
        Revision revision = history.required(workspace, untag.revision());
        TreeMap<String, MapValue> tags = new TreeMap<>(revision.tags());
        if (tags.remove(untag.tag()) == null) {
            return List.of(Problem.of(
                    ProblemCode.REVISION_TAG_NOT_FOUND,
                    "revision " + untag.revision() + " has no tag " + untag.tag() + "; nothing was removed",
                    null));
        }
        if (!dryRun) {
            writer.writeTags(workspace, untag.revision(), revision.withTags(tags));
            if (tags.isEmpty()) {
                pruning.untagged(workspace, untag.revision());
            }
        }
        return List.of();
    }
}
