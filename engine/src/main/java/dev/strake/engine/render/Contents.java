package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Value;

/**
 * Access to the documents of the head revision, which are stored outside the heap. Several threads call it, but never two at
 * the same time.
 */
public interface Contents {

    /** A document as published. Called only for documents in the head revision. */
    Document document(DocumentId id);

    /** The rendered data of a document. Called only for documents that have some in the head revision. */
    Value data(DocumentId id);
}
