package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Layering: a child depends on the parent that its selector chose, or on the last replacement of that parent. */
final class ParentResolver implements Resolver {

    @Override
    public void addDependencies(Graph graph, Facts document, List<Dependency> dependencies) {
        DocumentId base = base(graph, document.id());
        if (base != null) {
            dependencies.add(dependency(document, base));
        }
    }

    @Override
    public void forEachDependent(
            Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort) {
        forEachLayeredOn(graph, document.id(), child -> dependent.accept(child.id(), dependency(child, document.id())));
    }

    /* Children of a document that this one replaces are referrers of that document, which the caller also checks. */
    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort) {
        graph.indexes.children.get(document.id()).forEach(referrer);
    }

    /**
     * The document on whose data a child layers; null without a parent. A replacement layers on its parent. Any other
     * child layers on the last replacement of its parent, or on the parent if it has no replacement.
     */
    static DocumentId base(Graph graph, DocumentId child) {
        Node node = graph.node(child);
        DocumentId parent = node.decision().parent();
        return parent == null || node.replaced() != null ? parent : graph.lastReplacement(parent);
    }

    /**
     * Calls back for the documents that layer on a document. These are its replacements. Without replacements, these
     * are its children and the children of the documents that it stands for.
     */
    static void forEachLayeredOn(Graph graph, DocumentId id, Consumer<Facts> action) {
        if (!graph.replacements(id).isEmpty()) { // all others layer on the last replacement
            graph.replacements(id).forEach(each -> action.accept(graph.facts(each)));
            return;
        }
        DocumentId standsFor = id;
        while (standsFor != null) {
            for (DocumentId child : graph.indexes.children.get(standsFor)) {
                if (graph.node(child).replaced() == null) {
                    action.accept(graph.facts(child));
                }
            }
            standsFor = graph.placeOf(standsFor);
        }
    }

    private static Dependency dependency(Facts child, DocumentId base) {
        return new Dependency(new Reference.Parent(child.claims().selector()), base);
    }
}
