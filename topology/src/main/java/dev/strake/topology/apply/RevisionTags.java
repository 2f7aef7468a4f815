package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.RevisionsLayout.Revision.TagChange;
import dev.strake.serdes.store.TagData;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.store.RevisionReader;
import dev.strake.topology.store.StateWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The tags of revisions. A tag protects its revision from pruning. Nothing else of a revision ever changes but the list of
 * the changes that set and removed its tags.
 */
final class RevisionTags {

    /** So many changes of its tags are kept with a revision, each with an id of up to a kilobyte. */
    private static final int MOST_CHANGES = 100;

    private final RevisionReader history;
    private final StateWriter writer;
    private final Pruning pruning;
    private final Intake.Tags room;
    private final long forgetAfter;

    RevisionTags(RevisionReader history, StateWriter writer, Pruning pruning, Intake intake) {
        this.history = history;
        this.writer = writer;
        this.pruning = pruning;
        this.room = intake.tags();
        this.forgetAfter = intake.forgetChangesAfter().toMillis();
    }

    /**
     * Puts a tag on a revision. It replaces a tag of the same name.
     *
     * @param by what asks for it
     * @param dryRun whether nothing is to be written
     * @throws RejectedChangeException if there is no such revision, or its tags would become too large
     */
    void put(String workspace, Change.Tag tag, TagChange by, boolean dryRun) throws RejectedChangeException {
        Revision revision = history.required(workspace, tag.revision());
        // An earlier build accepted more of them. These may be changed as long as they do not become more.
        if (revision.tags().size() >= room.count() && !revision.tags().containsKey(tag.tag())) {
            throw tooMany(tag.revision(), "be more than " + room.count());
        }
        TreeMap<String, TagData> tags = new TreeMap<>(revision.tags());
        tags.put(tag.tag(), TagData.of(tag.data()));
        if (bytes(tags) > room.bytes() && bytes(tags) > bytes(revision.tags())) {
            throw tooMany(tag.revision(), "take more than " + room.bytes() + " bytes together");
        }
        if (!dryRun) {
            writer.writeTags(workspace, tag.revision(), revision.withTags(tags, changes(revision, by)));
        }
    }

    /* Those whose ids are remembered. They make no revisions of their own, by which they could be known again. */
    private List<TagChange> changes(Revision revision, TagChange by) {
        List<TagChange> before = revision.ids().ofTags();
        return Stream.concat(before.stream().skip(Math.max(0, before.size() + 1 - MOST_CHANGES)), Stream.of(by))
                .filter(each -> each.time() >= by.time() - forgetAfter)
                .toList();
    }

    private static RejectedChangeException tooMany(long revision, String what) {
        return new RejectedChangeException(List.of(Problem.of(
                ProblemCode.LIMIT_EXCEEDED,
                "the tags of revision " + revision + " would " + what,
                "remove tags that nobody needs, or give them less data")));
    }

    private static long bytes(Map<String, TagData> tags) {
        long sum = 0;
        for (Map.Entry<String, TagData> tag : tags.entrySet()) {
            sum += tag.getKey().length() + tag.getValue().bytes();
        }
        return sum;
    }

    /**
     * Removes a tag from a revision. A revision without tags may be pruned.
     *
     * @param by what asks for it
     * @param dryRun whether nothing is to be written
     * @return a warning if the revision had no such tag
     * @throws RejectedChangeException if there is no such revision
     */
    List<Problem> remove(String workspace, Change.Untag untag, TagChange by, boolean dryRun)
            throws RejectedChangeException {
        Revision revision = history.required(workspace, untag.revision());
        TreeMap<String, TagData> tags = new TreeMap<>(revision.tags());
        if (tags.remove(untag.tag()) == null) {
            return List.of(Problem.of(
                    ProblemCode.REVISION_TAG_NOT_FOUND,
                    "revision " + untag.revision() + " has no tag " + untag.tag() + ", nothing was removed",
                    null));
        }
        if (!dryRun) {
            writer.writeTags(workspace, untag.revision(), revision.withTags(tags, changes(revision, by)));
            if (tags.isEmpty()) {
                pruning.untagged(workspace, untag.revision());
            }
        }
        return List.of();
    }
}
