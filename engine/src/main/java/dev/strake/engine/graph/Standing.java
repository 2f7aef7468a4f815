package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;

/**
 * The role of a document for other documents, apart from its data.
 *
 * @param control control documents steer the engine: nothing is layered on, substituted into or operated on them
 * @param isAbstract abstract documents exist for others, and are not rendered themselves
 * @param replacement whether the document replaces the parent that it chooses
 * @param encrypted whether the author wants the data kept encrypted: then the document and all documents made of it are
 *     secret ({@link SecretDocuments})
 */
public record Standing(Kind kind, boolean control, boolean isAbstract, boolean replacement, boolean encrypted) {

    static Standing of(Document document) {
        return new Standing(
                document.kind(),
                document.isControl(),
                document.isAbstract(),
                document.isReplacement(),
                document.isEncrypted());
    }
}
