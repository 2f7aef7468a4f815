package dev.strake.engine.workspace;

import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.graph.Node;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Rendering;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds probable mistakes in documents that a change touches and that nevertheless render. */
final class Warnings {

    private Warnings() {}

    /** Operations documents without a target. The target may be published later. */
    static List<Problem> targetless(Plan plan, Graph before, GraphUpdate update, Rendering rendering) {
        Graph after = update.graph();
        Set<DocumentId> operators = new TreeSet<>();
        for (DocumentId seed : update.seeds().keySet()) {
            if (after.facts(seed).isOperations()) {
                operators.add(seed);
            }
        }
        plan.edits().forEach((id, edit) -> {
            if (edit.kind() == Edit.Kind.REMOVED) {
                operators.addAll(operators(before, id, rendering.effort()));
            }
        });
        List<Problem> result = new ArrayList<>();
        for (DocumentId id : operators) {
            if (after.node(id) != null
                    && after.isInForce(id)
                    && after.targets(id, rendering.effort()).isEmpty()
                    && !rendering.evaluations().get(id).isInTrouble()) {
                result.add(Problem.of(
                                ProblemCode.OPERATIONS_TARGET_NOT_FOUND,
                                id,
                                "matches no document in the workspace",
                                "publish such a document, or correct the target; operations never change control documents")
                        .at(".data.target"));
            }
        }
        return result;
    }

    private static List<DocumentId> operators(Graph graph, DocumentId id, ChangeEffort effort) {
        return graph.dependencies(id, effort).stream()
                .filter(dependency -> dependency.reference() instanceof Reference.Operation)
                .map(Dependency::on)
                .toList();
    }

    /** Children without a parent. They render from their own data, which real documents rely on. */
    static List<Problem> orphans(GraphUpdate update, Rendering rendering) {
        List<Problem> result = new ArrayList<>();
        if (update.graph().layerOrder() == null) {
            return result;
        }
        Set<DocumentId> orphans = new TreeSet<>();
        for (DocumentId id : update.seeds().keySet()) {
            Node node = update.graph().node(id);
            if (node.decision().parent() == null
                    && !node.facts().claims().selector().isEmpty()) {
                orphans.add(id);
            }
        }
        for (DocumentId id : orphans) {
            if (!rendering.evaluations().get(id).isInTrouble()) {
                result.add(Problem.of(
                                ProblemCode.PARENT_NOT_FOUND,
                                id,
                                "matches no parent, so the document is rendered without one and its actions are not"
                                        + " applied",
                                null)
                        .at(".metadata.layeringDefinition.parentSelector"));
            }
        }
        return result;
    }

    /** Replacements of a parent that has another one in a lower layer. They are rendered but not published. */
    static List<Problem> overruled(GraphUpdate update, Rendering rendering) {
        Graph graph = update.graph();
        List<Problem> result = new ArrayList<>();
        for (DocumentId id : new TreeSet<>(update.seeds().keySet())) {
            DocumentId inForce = graph.overruledBy(id);
            if (inForce != null && !rendering.evaluations().get(id).isInTrouble()) {
                result.add(Problem.of(
                                ProblemCode.INVALID_DOCUMENT_REPLACEMENT,
                                id,
                                "is not published, because " + inForce + " in a lower layer also replaces its parent",
                                "remove one of the two")
                        .at(".metadata.replacement")
                        .relatedTo(List.of(inForce)));
            }
        }
        return result;
    }
}
