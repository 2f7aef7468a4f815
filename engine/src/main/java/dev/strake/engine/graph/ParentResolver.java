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

    /* The children of the documents that this one replaces are found when those documents are asked. */
    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort) {
        graph.indexes.children.get(document.id()).forEach(referrer);
    }

    /**
     * The document on whose data a child layers: its parent, or the last of the parent's replacements unless it is one; null without
     * a parent.
     */
    static DocumentId base(Graph graph, DocumentId child) {
        Node node = graph.node(child);
        DocumentId parent = node.decision().parent();
        return parent == null || node.replaced() != null ? parent : graph.lastReplacement(parent);
    }

    /**
     * The documents that layer on a document: its replacements, or else its children and those of the documents in whose
     * place it stands.
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
