package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;

/**
 * What a document is to other documents, apart from its data.
 *
 * @param control control documents steer the engine: nothing is layered on, substituted into or operated on them
 * @param isAbstract abstract documents are there for others, and are not rendered themselves
 * @param replacement whether it takes the place of the parent that it chooses
 * @param encrypted whether its author wants its data kept encrypted: then it is secret, and what is made of it ({@link SecretDocuments})
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
