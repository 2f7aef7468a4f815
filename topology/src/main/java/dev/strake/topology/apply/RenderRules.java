package dev.strake.topology.apply;

import dev.strake.engine.limit.RenderLimits;

/**
 * How documents are rendered.
 *
 * @param holdDocuments whether a problem holds back only the documents in trouble; if false, the whole revision
 * @param limits limits on what a document may render to
 */
public record RenderRules(boolean holdDocuments, RenderLimits limits) {}
