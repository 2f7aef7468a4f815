package dev.strake.engine.graph;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Data schemas: a document in force depends on the DataSchema that is named after its schema, if there is one. */
final class GovernorResolver implements Resolver {

    @Override
    public void addDependencies(Graph graph, Facts document, List<Dependency> dependencies) {
        String schema = document.id().schema();
        DocumentId governor =
                graph.isInForce(document) ? graph.source(new DocumentKey(Kind.DATA_SCHEMA, schema)) : null;
        if (governor != null && graph.facts(governor).governs()) { // built-in schemas are not governed
            dependencies.add(new Dependency(new Reference.Governor(schema), governor));
        }
    }

    @Override
    public void forEachDependent(
            Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort) {
        String governed = document.id().name();
        if (document.governs() && document.id().equals(graph.source(document.key()))) {
            Dependency dependency = new Dependency(new Reference.Governor(governed), document.id());
            for (DocumentId each : graph.withSchema(governed)) {
                if (graph.isInForce(each)) {
                    dependent.accept(each, dependency);
                }
            }
        }
    }

    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort) {
        if (document.standing().kind() == Kind.SCHEMA) {
            graph.withSchema(document.id().name()).forEach(referrer);
        }
    }
}
