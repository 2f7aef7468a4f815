package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;

/**
 * A rendered record to publish.
 *
 * @param facts the facts of the rendered document, or of the owner of a derived document; null if the record leaves the
 *     rendered set
 * @param owner the document from which the record is or was derived; null if the record is not derived
 * @param before the {@linkplain dev.strake.engine.render.RecordForm#name() form} of the record that consumers held;
 *     empty if that was clear text, or if they held no record
 */
public record Emission(DocumentKey key, Facts facts, DocumentId owner, String before) {

    /** The document that the record renders; null if the record is derived, or leaves the rendered set. */
    public DocumentId document() {
        return facts == null || owner != null ? null : facts.id();
    }

    public boolean isRemoval() {
        return facts == null;
    }
}
