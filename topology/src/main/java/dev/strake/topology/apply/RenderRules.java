package dev.strake.topology.apply;

import dev.strake.engine.limit.RenderLimits;

/**
 * How documents are rendered.
 *
 * @param holdDocuments whether a problem holds back only the affected documents; if false, the whole revision
 * @param limits limits for rendered documents
 */
public record RenderRules(boolean holdDocuments, RenderLimits limits) {}
