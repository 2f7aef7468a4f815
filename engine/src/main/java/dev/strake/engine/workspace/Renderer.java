package dev.strake.engine.workspace;

import dev.strake.engine.document.RenderLimits;
import dev.strake.engine.render.DataSchemas;

/**
 * How workspaces are rendered.
 *
 * @param holdDocuments what a problem holds back: only the documents in trouble, or (false) the whole revision
 * @param schemas compiled schemas, kept between changes; belongs to one thread
 */
public record Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas) {

    /** Holds back whole revisions, with the limits of the contract. */
    public static Renderer holdingRevisions() {
        return new Renderer(false, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** Holds back the documents in trouble, with the limits of the contract. */
    public static Renderer holdingDocuments() {
        return new Renderer(true, RenderLimits.DEFAULT, new DataSchemas());
    }
}
