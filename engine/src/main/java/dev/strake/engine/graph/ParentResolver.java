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
        DocumentId base = graph.base(document.id());
        if (base != null) {
            dependencies.add(dependency(document, base));
        }
    }

    @Override
    public void forEachDependent(
            Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort) {
        graph.forEachLayeredOn(document.id(), child -> dependent.accept(child.id(), dependency(child, document.id())));
    }

    /* The children of the documents that this one replaces are found when those documents are asked. */
    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort) {
        graph.children(document.id()).forEach(referrer);
    }

    private static Dependency dependency(Facts child, DocumentId base) {
        return new Dependency(new Reference.Parent(child.claims().selector()), base);
    }
}
