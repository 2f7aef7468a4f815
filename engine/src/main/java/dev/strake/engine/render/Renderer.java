package dev.strake.engine.render;

import dev.strake.engine.limit.RenderLimits;

/**
 * How workspaces are rendered.
 *
 * @param holdDocuments whether a problem holds back only the documents concerned (true) or the whole revision (false)
 * @param schemas compiled schemas, kept between changes
 * @param workers inspect documents in parallel
 */
public record Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas, Workers workers) {

    /** A renderer that works in the calling thread. */
    public Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas) {
        this(holdDocuments, limits, schemas, Workers.ONE);
    }

    /** Holds back whole revisions, with the limits of the contract. */
    public static Renderer holdingRevisions() {
        return new Renderer(false, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** Holds back documents with problems, with the limits of the contract. */
    public static Renderer holdingDocuments() {
        return new Renderer(true, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** The same with other workers. */
    public Renderer with(Workers others) {
        return new Renderer(holdDocuments, limits, schemas, others);
    }

    /** The same without a limit for changes: for callers without a transaction. */
    public Renderer forAnyChange() {
        return new Renderer(holdDocuments, limits.forAnyChange(), schemas, workers);
    }
}
