package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;

/**
 * A reference of a document and what it resolves to in one graph.
 *
 * @param on the document that the reference means; null if it means none
 */
public record Dependency(Reference reference, DocumentId on) {}
