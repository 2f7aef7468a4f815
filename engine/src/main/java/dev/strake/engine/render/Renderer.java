package dev.strake.engine.render;

import dev.strake.engine.limit.RenderLimits;

/**
 * How workspaces are rendered.
 *
 * @param holdDocuments what a problem holds back: only the documents in trouble, or (false) the whole revision
 * @param schemas compiled schemas, kept between changes
 * @param workers who looks at documents
 */
public record Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas, Workers workers) {

    /** One that works alone. */
    public Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas) {
        this(holdDocuments, limits, schemas, Workers.ONE);
    }

    /** Holds back whole revisions, with the limits of the contract. */
    public static Renderer holdingRevisions() {
        return new Renderer(false, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** Holds back the documents in trouble, with the limits of the contract. */
    public static Renderer holdingDocuments() {
        return new Renderer(true, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** The same with others to help. */
    public Renderer with(Workers others) {
        return new Renderer(holdDocuments, limits, schemas, others);
    }

    /** The same for changes of any cost: for whoever has no transaction to end in time. */
    public Renderer forAnyChange() {
        return new Renderer(holdDocuments, limits.forAnyChange(), schemas, workers);
    }
}
