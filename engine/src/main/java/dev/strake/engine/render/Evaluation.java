package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Fingerprint;
import java.util.Objects;

/**
 * What the last evaluation of a document used and what came out, kept for as long as the document is in the head
 * revision.
 *
 * @param inputs hash over all that was used: the document, its base's data, the values at its source paths; null if
 *     it never came to evaluating, because something was wrong with the document's place in the graph
 * @param schema hash of the DataSchema the data was checked against, null if none governs it
 * @param data hash of the rendered data as written, the order of its keys included; null if there is none
 * @param output the record in the rendered set; null if the document is not in it, or in trouble
 * @param problem what is wrong, or null
 * @param cause the document where the trouble began, if that is another one; null otherwise
 * @param changedAt the revision in which data, record or problem last came out different
 */
public record Evaluation(
        Fingerprint inputs,
        Fingerprint schema,
        Fingerprint data,
        Output output,
        Problem problem,
        DocumentId cause,
        long changedAt) {

    public boolean isInTrouble() {
        return problem != null;
    }

    /** Whether dependents, consumers and stores can tell the two apart. */
    boolean hasSameResult(Evaluation other) {
        return other != null
                && Objects.equals(data, other.data)
                && Objects.equals(output, other.output)
                && Objects.equals(problem, other.problem)
                && Objects.equals(cause, other.cause);
    }

    Evaluation withProblem(Problem newProblem) {
        return new Evaluation(inputs, schema, data, output, newProblem, cause, changedAt);
    }

    Evaluation since(long revision) {
        return new Evaluation(inputs, schema, data, output, problem, cause, revision);
    }
}
