package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The edges from documents with operations to the documents that they change.
 *
 * <p>A target is what the author's own data says, or else that of the document it layers on: so edges are known before
 * anything is rendered. Rendered data that names another target is a mistake of its document.
 *
 * <p>Who changes: concrete documents whose place nobody takes. Who is changed: every document that the target names, an
 * abstract one too, but none whose place another takes (that one is changed instead), and no control document.
 */
final class OperationEdges {

    private final Graph graph;

    OperationEdges(Graph graph) {
        this.graph = graph;
    }

    /** The target of a document with operations, its own or the inherited one; null if there is none. */
    Target target(DocumentId id) {
        for (DocumentId at = id; at != null; at = graph.base(at)) {
            Target target = graph.facts(at).target();
            if (target != null) {
                return target;
            }
        }
        return null;
    }

    /** The documents that a document changes; none if it has no operations, or is not in force itself. */
    Set<DocumentId> targets(DocumentId id) {
        Set<DocumentId> result = new TreeSet<>();
        Facts facts = graph.facts(id);
        Target target = facts.isOperations() && graph.isInForce(id) ? target(id) : null;
        if (target == null) {
            return result;
        }
        if (target.name() != null) {
            graph.byKey.get(key(target)).forEach(each -> addTarget(each, result));
            return result;
        }
        for (Label label : Graph.lookupLabels(target.labels())) {
            for (DocumentId each : graph.carriers(label)) {
                if (isNamed(graph.facts(each), target)) {
                    addTarget(each, result);
                }
            }
        }
        return result;
    }

    private void addTarget(DocumentId id, Set<DocumentId> result) {
        if (isTarget(id)) {
            result.add(id);
        }
    }

    private boolean isTarget(DocumentId id) {
        return !graph.facts(id).control() && graph.replacements(id).isEmpty();
    }

    private static boolean isNamed(Facts facts, Target target) {
        return facts.id().schema().equals(target.schema()) && facts.isChosenBy(target.labels());
    }

    /** The documents whose operations change a document, in order of identity. */
    Collection<DocumentId> operators(DocumentId id) {
        Set<DocumentId> result = new TreeSet<>();
        Facts facts = graph.facts(id);
        if (isTarget(id)) {
            graph.operatorsByKey.get(facts.key()).forEach(each -> addOperators(each, result));
            MapValue labels = facts.labels();
            for (int i = 0; i < labels.size(); i++) {
                for (DocumentId each : graph.operatorsByLabel.get(new Label(labels.keyAt(i), labels.valueAt(i)))) {
                    if (isNamed(facts, graph.facts(each).target())) {
                        addOperators(each, result);
                    }
                }
            }
        }
        return result;
    }

    private void addOperators(DocumentId id, Set<DocumentId> result) {
        forEachOfFamily(id, each -> {
            if (graph.isInForce(each)) {
                result.add(each);
            }
        });
    }

    /** A document and those that inherit its target. */
    void forEachOfFamily(DocumentId id, Consumer<DocumentId> action) {
        Deque<DocumentId> open = new ArrayDeque<>(List.of(id));
        while (!open.isEmpty()) {
            DocumentId next = open.pop();
            action.accept(next);
            graph.forEachLayeredOn(next, child -> {
                if (graph.facts(child).target() == null) {
                    open.push(child);
                }
            });
        }
    }

    private static DocumentKey key(Target target) {
        return new DocumentKey(target.schema(), target.name());
    }
}
