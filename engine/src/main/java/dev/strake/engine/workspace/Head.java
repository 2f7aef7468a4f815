package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.OpenedGraph;
import dev.strake.engine.graph.ParentDecision;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Evaluation;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** A document of the head revision, with its evaluation. */
public record Head(Facts facts, Evaluation evaluation) {

    /**
     * The layer graph of all documents of a workspace.
     *
     * @param parents returns the stored parent of a document, or null; called only if the selector is compared with
     *     many documents
     */
    public static Graph graph(Collection<Head> heads, Function<DocumentId, DocumentId> parents) {
        Map<DocumentId, Facts> facts = new LinkedHashMap<>(heads.size() * 4 / 3 + 1);
        Map<DocumentId, Head> seekers = new HashMap<>();
        for (Head head : heads) {
            facts.put(head.facts.id(), head.facts);
            if (!head.facts.claims().selector().isEmpty()) {
                seekers.put(head.facts.id(), head);
            }
        }
        return OpenedGraph.of(facts, id -> seekers.get(id).decision(parents.apply(id)));
    }

    /**
     * How the document's parent was decided; null if the head does not have it. A problem with this decision is the
     * problem of the evaluation, because it precedes all other problems of a document with a layer.
     *
     * @param parent the stored parent, or null
     */
    public ParentDecision decision(DocumentId parent) {
        Problem problem = evaluation.cause() == null ? evaluation.problem() : null;
        if (parent != null || problem == null) {
            return new ParentDecision(parent, null);
        }
        return switch (problem.code()) {
            case INVALID_DOCUMENT_PARENT, INDETERMINATE_DOCUMENT_PARENT -> new ParentDecision(null, problem);
            case SECRET_KEY_NOT_FOUND -> null; // without its key, the evaluation may not have been read
            default -> new ParentDecision(null, null);
        };
    }
}
