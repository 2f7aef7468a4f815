package dev.strake.engine.render;

import dev.strake.engine.derivation.Derivation;
import dev.strake.engine.document.Kind;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * One check of rendered data: first by the rules of the document's kind, then by the DataSchema that governs it. The work
 * is counted.
 */
final class DataCheck {

    private final Graph graph;
    private final NewContents contents;
    private final DataSchemas schemas;
    private final Budget budget;

    DataCheck(Graph graph, NewContents contents, Renderer renderer) {
        this.graph = graph;
        this.contents = contents;
        this.schemas = renderer.schemas();
        this.budget = renderer.limits().budget();
    }

    /** The counted units of work. */
    long effort() {
        return budget.spent();
    }

    /**
     * The first rule that the data breaks; null if it breaks none.
     *
     * @param hash the hash of the data
     * @param governor the DataSchema for the data; null if there is none
     * @param schema the hash of its body
     */
    Problem problemOf(Facts document, Value data, Fingerprint hash, DocumentId governor, Fingerprint schema) {
        DocumentId id = document.id();
        try {
            Problem problem = problemOfKind(document, data, hash);
            return problem != null || governor == null
                    ? problem
                    : schemas.dataProblem(
                            contents.document(id), data, governor, schema, () -> contents.data(governor), budget);
        } catch (BudgetExceededException e) {
            Problem problem = e.at(".data", "checking the data").toProblem(id);
            return governor == null ? problem : problem.relatedTo(List.of(governor));
        }
    }

    private Problem problemOfKind(Facts document, Value data, Fingerprint hash) {
        return switch (document.standing().kind()) {
            case SECRET -> schemas.secretProblem(document.id(), data);
            case SCHEMA ->
                document.governs() && Kind.isDeckhandSchemaName(document.id().name())
                        ? schemas.bodyProblem(document.id(), hash, data, budget)
                        : null;
            case OPERATIONS -> operationsProblem(document.id(), data);
            case DERIVATION -> derivationProblem(document.id(), data);
            case POLICY, ORDINARY -> null;
        };
    }

    private static Problem derivationProblem(DocumentId id, Value data) {
        try {
            if (!data.hasSealed()) {
                Derivation.of(id.schema()).check(data);
            }
            return null;
        } catch (EvaluationException e) {
            return e.toProblem(id);
        }
    }

    private Problem operationsProblem(DocumentId id, Value data) {
        try {
            OperationsDocument read = OperationsDocument.of(data);
            if (read.target() == null || read.target().equals(graph.target(id))) {
                return null;
            }
            return Problem.of(
                            ProblemCode.INVALID_OPERATIONS,
                            id,
                            "differs from the published target after layering, substitution or operations",
                            "set the target in the document itself, or in the parent that it inherits it from")
                    .at(".data.target");
        } catch (EvaluationException e) {
            return e.toProblem(id);
        }
    }
}
