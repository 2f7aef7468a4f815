package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Substitution: a document depends on each source that it names, in the order in which it first names them. */
final class SourceResolver implements Resolver {

    @Override
    public void addDependencies(Graph graph, Facts document, List<Dependency> dependencies) {
        for (DocumentKey source : document.claims().sources()) {
            dependencies.add(new Dependency(new Reference.Source(source), graph.source(source)));
        }
    }

    @Override
    public void forEachDependent(
            Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort) {
        if (graph.indexes.readers.get(document.key()).isEmpty()
                || !document.id().equals(graph.source(document.key()))) {
            return;
        }
        Dependency dependency = new Dependency(new Reference.Source(document.key()), document.id());
        graph.indexes.readers.get(document.key()).forEach(reader -> dependent.accept(reader, dependency));
    }

    /* A replacement has the same schema and name, so the index finds all readers by this key. */
    @Override
    public void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort) {
        graph.indexes.readers.get(document.key()).forEach(referrer);
    }

    /** The document that a key of a source means, before replacements are followed; null if there is none. */
    static DocumentId first(Graph graph, Collection<DocumentId> all) {
        DocumentId best = null;
        for (DocumentId id : all) {
            Facts facts = graph.facts(id);
            boolean counts = !facts.isAbstract() && !graph.isOverruled(facts);
            if (counts && (best == null || comesFirst(graph, id, best))) {
                best = id;
            }
        }
        return best;
    }

    /* An original comes before a replacement. Two of one kind both have a problem, so any fixed order will do. */
    private static boolean comesFirst(Graph graph, DocumentId id, DocumentId other) {
        boolean replacement = graph.facts(id).isReplacement();
        return replacement == graph.facts(other).isReplacement() ? id.compareTo(other) < 0 : !replacement;
    }
}
