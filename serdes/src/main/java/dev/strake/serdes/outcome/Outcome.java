package dev.strake.serdes.outcome;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.Note;
import java.time.Instant;
import java.util.List;

/**
 * The answer to one change.
 *
 * @param change the change that is answered
 * @param wouldBe of a dry run, the status that the change would have had; everything else is what would be. Null for all
 *     other changes
 * @param revision the head after the change; null if it was not looked up
 * @param documents how many documents the head holds, and how many the change touched
 * @param work the work that the change caused
 * @param published what consumers hold after the change
 * @param time when the change was processed
 * @param preview of a dry run, what would differ: members of {@link PreviewJson} without values. Null for all other changes
 */
public record Outcome(
        String workspace,
        Change change,
        OutcomeStatus status,
        OutcomeStatus wouldBe,
        Long revision,
        Documents documents,
        Work work,
        Published published,
        List<Problem> problems,
        List<Problem> warnings,
        Instant time,
        MapValue preview) {

    /**
     * The change that is answered, as far as it is known.
     *
     * @param type the type as the author wrote it, even if unknown
     * @param bucket null for changes that do not concern a bucket
     * @param input position of the change's record, {@code topic-partition@offset}
     * @param note who made it, and why
     */
    public record Change(String id, String type, String bucket, String input, Carried carried, Note note) {}

    /** Number of documents in the head revision, and of documents that the change touched. */
    public record Documents(int total, int added, int changed, int removed) {

        public static final Documents NONE = new Documents(0, 0, 0, 0);
    }

    /**
     * The work that a change caused.
     *
     * @param affected number of documents whose rendering may differ
     * @param evaluated number of documents rendered again
     * @param emitted number of records published because they differ
     * @param removed number of tombstones published
     */
    public record Work(int affected, int evaluated, int emitted, int removed) {

        public static final Work NONE = new Work(0, 0, 0, 0);
    }

    /**
     * What consumers hold.
     *
     * @param revision the last revision that was published as a whole; null if none was
     * @param records size of the rendered set
     * @param contentHash hash of the rendered set, see {@link dev.strake.engine.render.Digest}; null if it was not
     *     looked up
     */
    public record Published(Long revision, int records, String contentHash) {}

    public Outcome {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    public Outcome with(MapValue newPreview) {
        return new Outcome(
                workspace,
                change,
                status,
                wouldBe,
                revision,
                documents,
                work,
                published,
                problems,
                warnings,
                time,
                newPreview);
    }
}
