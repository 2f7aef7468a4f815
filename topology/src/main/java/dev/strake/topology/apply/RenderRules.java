package dev.strake.topology.apply;

import dev.strake.engine.limit.RenderLimits;

/**
 * How documents are rendered.
 *
 * @param holdDocuments what a problem holds back: the documents in trouble, or (false) the whole revision
 * @param limits of what a document may render to
 */
public record RenderRules(boolean holdDocuments, RenderLimits limits) {}
