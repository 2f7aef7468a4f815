package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;

/**
 * A reference from one document to another, as it stands in a document. The graph decides to which document it resolves:
 * see {@link Dependency}.
 *
 * <p>To add a kind of reference, add a record here and a {@link Resolver}.
 */
public sealed interface Reference {

    /** The parent, by its labels. If the parent is replaced, the last replacement is read. */
    record Parent(MapValue selector) implements Reference {}

    /** The source of a substitution, by schema and name: a concrete document in any layer, or the last of its replacements. */
    record Source(DocumentKey document) implements Reference {}

    /** Operations of another document whose target matches this document. */
    record Operation(Target target) implements Reference {}

    /** The DataSchema with the name of the document's schema. */
    record Governor(String schema) implements Reference {}

    /**
     * The owner of a derived document. No graph has such an edge, because derived documents are not part of the graph.
     *
     * @param owner the document that it is derived from
     */
    record Derivation(DocumentId owner) implements Reference {}

    /** The verb for this reference; the name of the other document follows it. */
    default String verb() {
        if (this instanceof Parent) {
            return "layers on";
        }
        if (this instanceof Source) {
            return "substitutes from";
        }
        if (this instanceof Operation) {
            return "is operated on by";
        }
        return this instanceof Governor ? "is checked by" : "is derived from";
    }

    /** Whether the document cannot be rendered if the reference resolves to nothing. */
    default boolean isRequired() {
        return this instanceof Source;
    }

    /** Whether the data of the other document goes into the rendering. The data of a governor only checks the result. */
    default boolean isInput() {
        return !(this instanceof Governor);
    }
}
