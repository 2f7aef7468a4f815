package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;

/**
 * A rendered record to publish.
 *
 * @param facts of the document it is the rendering of; null if the record leaves the rendered set
 */
public record Emission(DocumentKey key, Facts facts) {

    /** The document it is the rendering of; null if the record leaves the rendered set. */
    public DocumentId document() {
        return facts == null ? null : facts.id();
    }

    public boolean isRemoval() {
        return facts == null;
    }
}
