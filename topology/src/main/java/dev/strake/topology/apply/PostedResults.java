package dev.strake.topology.apply;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.tree.ListValue;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.topology.store.RevisionHistory;
import dev.strake.topology.store.StateWriter;
import java.util.List;

/** The validation results that services post for revisions. A result does not protect its revision from pruning. */
final class PostedResults {

    /** The most results of one revision. Hourly validation takes six weeks to reach this limit. */
    private static final int MOST = 1_000;

    /** The size limit of one result, measured as JSON. */
    private static final long MOST_BYTES = 64 << 10;

    private final RevisionHistory history;
    private final StateWriter writer;

    PostedResults(RevisionHistory history, StateWriter writer) {
        this.history = history;
        this.writer = writer;
    }

    /**
     * Adds a result to a revision.
     *
     * @param now the current time, in milliseconds
     * @param dryRun whether to write nothing
     * @throws RejectedChangeException if the revision does not exist, or a limit is exceeded
     */
    void put(String workspace, Change.ValidationPut put, long now, boolean dryRun) throws RejectedChangeException {
        history.required(workspace, put.revision());
        ValidationResult result = put.result(now);
        if (bytes(result) > MOST_BYTES) {
            throw beyond(
                    "the result has more than " + MOST_BYTES + " bytes",
                    "list only the first errors, and the number of others");
        }
        int number = history.resultCount(workspace, put.revision());
        if (number >= MOST) {
            throw beyond(
                    "the revision has " + MOST + " results of validations, which is the maximum", "post fewer results");
        }
        if (!dryRun) {
            writer.writeResult(workspace, put.revision(), number, result, history.horizon(workspace));
        }
    }

    private static RejectedChangeException beyond(String message, String hint) {
        return new RejectedChangeException(List.of(Problem.of(ProblemCode.LIMIT_EXCEEDED, message, hint)));
    }

    private static long bytes(ValidationResult result) {
        return result.name().length()
                + result.status().length()
                + result.validator().weight()
                + ListValue.of(result.errors()).weight();
    }

    /** Removes all results of a revision. */
    void remove(String workspace, long revision) {
        writer.removeResults(workspace, revision, history.resultCount(workspace, revision));
    }
}
