package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;

/**
 * A rendered record to publish.
 *
 * @param facts of the document it is the rendering of, or of the owner it is derived from; null if the record leaves the
 *     rendered set
 * @param owner the document that it is derived from, or was; null if it is the rendering of a document
 * @param before the {@linkplain dev.strake.engine.render.RecordForm#name() form} of the record that consumers held; empty if it
 *     was clear text, or they held none
 */
public record Emission(DocumentKey key, Facts facts, DocumentId owner, String before) {

    /** The document it is the rendering of; null if it is derived, or leaves the rendered set. */
    public DocumentId document() {
        return facts == null || owner != null ? null : facts.id();
    }

    public boolean isRemoval() {
        return facts == null;
    }
}
