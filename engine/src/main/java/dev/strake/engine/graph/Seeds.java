package dev.strake.engine.graph;

import dev.strake.engine.graph.GraphUpdate.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the documents at which affectedness starts: those that an update of the graph gave other things to be made from.
 * What is made from them in turn follows along the edges.
 */
final class Seeds {

    private final Graph before;
    private final Graph after;
    private final Set<DocumentId> edited;
    private final Set<DocumentId> moved;
    private final Map<DocumentId, Reason> found = new LinkedHashMap<>();

    /**
     * @param edited the documents that were added, changed or removed
     * @param moved others that have another parent than before
     */
    Seeds(Graph before, Graph after, Set<DocumentId> edited, Set<DocumentId> moved) {
        this.before = before;
        this.after = after;
        this.edited = edited;
        this.moved = moved;
    }

    /**
     * The documents, with the first reason found; none that are removed.
     *
     * @param reordered whether the order of layers is another one
     */
    Map<DocumentId, Reason> find(boolean reordered) {
        edited.forEach(id -> seed(id, Reason.CONTENT));
        moved.forEach(id -> seed(id, Reason.PARENT));
        Set<DocumentKey> keys = new LinkedHashSet<>();
        Set<DocumentId> parents = new HashSet<>();
        for (DocumentId id : edited) {
            Facts old = before.facts(id);
            Facts now = after.facts(id);
            if (old == null || now == null || !old.looksLike(now)) {
                keys.add(id.key());
                after.children.get(id).forEach(child -> seed(child, Reason.PARENT));
                addReplaced(id, parents);
            } else if (!Objects.equals(replaced(before, id), replaced(after, id))) {
                addReplaced(id, parents);
            }
        }
        moved.forEach(id -> addReplaced(id, parents));
        for (DocumentId parent : parents) {
            seed(parent, Reason.IDENTITY);
            after.children.get(parent).forEach(child -> seed(child, Reason.IDENTITY));
            keys.add(parent.key());
        }
        for (DocumentKey key : keys) {
            after.byKey.get(key).forEach(id -> seed(id, Reason.IDENTITY));
            after.readers.get(key).forEach(id -> seed(id, Reason.SOURCE));
            if (key.schema().equals(Facts.DATA_SCHEMA)) {
                after.bySchema.get(key.name()).forEach(id -> seed(id, Reason.SOURCE));
            }
        }
        if (reordered) {
            after.documents().forEach(id -> seed(id, Reason.POLICY));
        }
        seedTargets();
        return found;
    }

    /* What operations did not reach before, or do not reach now. Nobody leads there: the graph has only edges that are. */
    private void seedTargets() {
        Set<DocumentId> possible = new LinkedHashSet<>(edited);
        possible.addAll(found.keySet());
        Set<DocumentId> operators = new LinkedHashSet<>();
        for (Graph graph : new Graph[] {before, after}) {
            for (DocumentId id : possible) {
                if (graph.node(id) != null && graph.facts(id).isOperations()) {
                    new OperationEdges(graph).forEachOfFamily(id, operators::add);
                }
            }
        }
        for (DocumentId id : operators) {
            Set<DocumentId> then = targets(before, id);
            Set<DocumentId> now = targets(after, id);
            then.stream().filter(target -> !now.contains(target)).forEach(target -> seed(target, Reason.OPERATIONS));
            now.stream().filter(target -> !then.contains(target)).forEach(target -> seed(target, Reason.OPERATIONS));
        }
    }

    private static Set<DocumentId> targets(Graph graph, DocumentId id) {
        return graph.node(id) == null ? Set.of() : new OperationEdges(graph).targets(id);
    }

    private void addReplaced(DocumentId id, Set<DocumentId> result) {
        for (Graph graph : new Graph[] {before, after}) {
            DocumentId replaced = replaced(graph, id);
            if (replaced != null) {
                result.add(replaced);
            }
        }
    }

    private static DocumentId replaced(Graph graph, DocumentId id) {
        Node node = graph.node(id);
        return node == null ? null : node.replaced();
    }

    private void seed(DocumentId id, Reason reason) {
        if (after.node(id) != null) {
            found.putIfAbsent(id, reason);
        }
    }
}
