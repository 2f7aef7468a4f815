package dev.strake.serdes.outcome;

import dev.strake.engine.problem.Problem;
import dev.strake.serdes.change.Carried;
import java.time.Instant;
import java.util.List;

/**
 * The answer to one change.
 *
 * @param change what is answered
 * @param revision the head after the change; null if it was not looked up
 * @param documents what the head holds and what the change did to it
 * @param work what the change set going
 * @param published what consumers hold after the change
 * @param time when the change was processed
 */
public record Outcome(
        String workspace,
        Change change,
        OutcomeStatus status,
        Long revision,
        Documents documents,
        Work work,
        Published published,
        List<Problem> problems,
        List<Problem> warnings,
        Instant time) {

    /**
     * The change that is answered, as far as it is known.
     *
     * @param type as the author wrote it, known or not
     * @param bucket null for changes that are not of a bucket
     * @param input where the change lies, {@code topic-partition@offset}
     */
    public record Change(String id, String type, String bucket, String input, Carried carried) {}

    /** Documents of the head revision, and of them those that the change touched. */
    public record Documents(int total, int added, int changed, int removed) {

        public static final Documents NONE = new Documents(0, 0, 0, 0);
    }

    /**
     * What a change set going.
     *
     * @param affected documents whose rendering may differ
     * @param evaluated documents rendered again
     * @param emitted records published because they differ
     * @param removed tombstones published
     */
    public record Work(int affected, int evaluated, int emitted, int removed) {

        public static final Work NONE = new Work(0, 0, 0, 0);
    }

    /**
     * What consumers hold.
     *
     * @param revision the last revision that was published as a whole; null if none was
     * @param records size of the rendered set
     * @param contentHash of the rendered set, see {@link dev.strake.engine.render.Digest}; null where it was not looked
     *     up
     */
    public record Published(Long revision, int records, String contentHash) {}

    public Outcome {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }
}
