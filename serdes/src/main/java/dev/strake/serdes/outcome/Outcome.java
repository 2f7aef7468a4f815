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
 * @param result the state of the workspace after the change
 * @param findings the problems and warnings
 * @param time when the change was processed
 * @param planned what a dry run would do; null for all other changes
 */
public record Outcome(
        String workspace,
        Change change,
        OutcomeStatus status,
        Result result,
        Findings findings,
        Instant time,
        Planned planned) {

    /** The most problems, and the most warnings, that an outcome lists. The topic of problems has all problems. */
    public static final int MOST_PROBLEMS = 100;

    /**
     * The state after a change, and the work that led to it.
     *
     * @param revision the head after the change; null if it was not looked up
     * @param documents how many documents the head holds, and how many the change touched
     * @param work the work that the change caused
     * @param published what consumers hold after the change
     */
    public record Result(Long revision, Documents documents, Work work, Published published) {}

    /** Problems hold renderings back from consumers, warnings do not. */
    public record Findings(List<Problem> problems, List<Problem> warnings) {
        public Findings {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * What a dry run would do. All other members of the outcome are hypothetical, too.
     *
     * @param wouldBe the status that the change would have had
     * @param preview the differences: members of {@link PreviewJson} without values. Null if the state was not examined
     */
    public record Planned(OutcomeStatus wouldBe, MapValue preview) {}

    /**
     * The answered change, as far as it is known.
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
     * The work caused by a change.
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
     * The state that consumers see.
     *
     * @param revision the last revision that was published as a whole; null if there is none
     * @param records size of the rendered set
     * @param contentHash hash of the rendered set, see {@link dev.strake.engine.identity.Digest}; null if it was not
     *     looked up
     */
    public record Published(Long revision, int records, String contentHash) {}

    public Long revision() {
        return result.revision();
    }

    public Documents documents() {
        return result.documents();
    }

    public Work work() {
        return result.work();
    }

    public Published published() {
        return result.published();
    }

    public List<Problem> problems() {
        return findings.problems();
    }

    public List<Problem> warnings() {
        return findings.warnings();
    }

    /** Returns the same outcome of a dry run with another preview. */
    public Outcome with(MapValue preview) {
        return new Outcome(workspace, change, status, result, findings, time, new Planned(planned.wouldBe(), preview));
    }
}
