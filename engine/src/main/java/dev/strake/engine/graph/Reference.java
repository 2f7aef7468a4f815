package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;

/**
 * What a document says, by itself or by its author, about another one that it is made with. Which document that is depends
 * on the graph: see {@link Dependency}.
 *
 * <p>A further kind of reference is a record here and a {@link Resolver}.
 */
public sealed interface Reference {

    /** A parent by the labels that it carries; read through its replacements. */
    record Parent(MapValue selector) implements Reference {}

    /** The source of a substitution by schema and name: concrete, in any layer, read through its replacements. */
    record Source(DocumentKey document) implements Reference {}

    /** Operations by the target that their document has: the document that refers is one that the target means. */
    record Operation(Target target) implements Reference {}

    /** The DataSchema that is named after the document's schema. */
    record Governor(String schema) implements Reference {}

    /** Whether the document cannot be rendered if there is nothing that the reference means. */
    default boolean isRequired() {
        return this instanceof Source;
    }

    /** Whether data of what the reference means goes into the rendering; a governor only judges what comes out. */
    default boolean isInput() {
        return !(this instanceof Governor);
    }
}
