package dev.strake.serdes.outcome;

import dev.strake.engine.problem.Problem;
import java.time.Instant;
import java.util.List;

/**
 * The answer to one change.
 *
 * @param type the type as the author wrote it, known or not
 * @param bucket null for changes that are not of a bucket
 * @param revision the head after the change; null if nobody looked, because the change could not be read
 * @param renderedRevision the last revision that was published as a whole; null if none was
 * @param documents what the head holds and what the change did to it
 * @param affected documents whose rendering may differ
 * @param evaluated documents rendered again
 * @param emitted records published because they differ
 * @param removed tombstones published
 * @param rendered size of the rendered set
 * @param contentHash of the rendered set, see {@link dev.strake.engine.render.Digest}; null where it was not
 *     looked up
 * @param input where the change lies, {@code topic-partition@offset}
 * @param source the change's {@code ce_source}, null if it had none
 * @param changeTime the change's {@code ce_time}, null if it had none
 * @param traceparent as the change had it, null if it had none
 */
public record Outcome(
        String workspace,
        String changeId,
        String type,
        String bucket,
        OutcomeStatus status,
        Long revision,
        Long renderedRevision,
        Documents documents,
        int affected,
        int evaluated,
        int emitted,
        int removed,
        int rendered,
        String contentHash,
        List<Problem> problems,
        List<Problem> warnings,
        String input,
        Instant time,
        String source,
        String changeTime,
        String traceparent) {

    /** Documents of the head revision, and of them those that the change touched. */
    public record Documents(int total, int added, int changed, int removed) {

        public static final Documents NONE = new Documents(0, 0, 0, 0);
    }

    public Outcome {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }
}
