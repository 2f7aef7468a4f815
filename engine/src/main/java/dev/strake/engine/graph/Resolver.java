package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One kind of reference: which document it resolves to, which documents refer to a document by it, and which references
 * may resolve differently after a change.
 */
interface Resolver {

    /** All kinds, in the order of {@link Graph#dependencies}: the first dependency with a problem is reported. */
    List<Resolver> ALL =
            List.of(new ParentResolver(), new SourceResolver(), new OperationResolver(), new GovernorResolver());

    /** Adds the dependencies of a document by this kind of reference, in a fixed order. */
    void addDependencies(Graph graph, Facts document, List<Dependency> dependencies);

    /**
     * Calls back for each document that depends on a document by this kind of reference: the inverse of {@link
     * #addDependencies}.
     *
     * @param effort counts documents that are inspected but do not depend on it
     */
    void forEachDependent(
            Graph graph, Facts document, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort);

    /**
     * Calls back for all documents whose references of this kind may resolve differently once a document is added,
     * removed, or {@linkplain Seeds stands} differently; may include others. Called for the graphs before and after a
     * change.
     *
     * @param effort counts the documents that are inspected
     */
    void forEachReferrer(Graph graph, Facts document, Consumer<DocumentId> referrer, ChangeEffort effort);
}
