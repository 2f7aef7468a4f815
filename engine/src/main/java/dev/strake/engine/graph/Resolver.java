package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * All that the graph knows of one kind of reference: what it means, who means a document by it, and who may mean another
 * document now.
 */
interface Resolver {

    /** All kinds, in the order in which a document's dependencies are listed: of several in trouble the first one tells. */
    List<Resolver> ALL =
            List.of(new ParentResolver(), new SourceResolver(), new OperationResolver(), new GovernorResolver());

    /** Adds what a document depends on by this kind of reference, in a fixed order. */
    void addDependencies(Graph graph, Facts document, List<Dependency> dependencies);

    /** Names the documents that have a dependency of this kind on a document, with the dependency: the inverse of the above. */
    void forEachDependent(Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent);

    /**
     * Names documents among which are all whose references of this kind may resolve differently if a document is there or
     * not, or {@linkplain Seeds stands} differently. Asked in the graph before and in the one after.
     */
    void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer);
}
