package dev.strake.engine.workspace;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;

/**
 * A rendered record to publish.
 *
 * @param document the document it is the rendering of; null if the record leaves the rendered set
 */
public record Emission(DocumentKey key, DocumentId document) {

    public boolean isRemoval() {
        return document == null;
    }
}
