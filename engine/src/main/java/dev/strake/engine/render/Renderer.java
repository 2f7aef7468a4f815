package dev.strake.engine.render;

import dev.strake.engine.document.RenderLimits;

/**
 * How workspaces are rendered.
 *
 * @param holdDocuments what a problem holds back: only the documents in trouble, or (false) the whole revision
 * @param schemas compiled schemas, kept between changes
 * @param worthSharing from how many documents on that do not depend on one another all processors work on them
 */
public record Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas, int worthSharing) {

    /** An inspection takes some 20 µs: for fewer, handing them over costs what it brings. */
    private static final int WORTH_SHARING = 32;

    public Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas) {
        this(holdDocuments, limits, schemas, WORTH_SHARING);
    }

    /** Holds back whole revisions, with the limits of the contract. */
    public static Renderer holdingRevisions() {
        return new Renderer(false, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** Holds back the documents in trouble, with the limits of the contract. */
    public static Renderer holdingDocuments() {
        return new Renderer(true, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** One that has all documents worked on by all processors, or (false) none, for comparison. */
    public Renderer sharing(boolean always) {
        return new Renderer(holdDocuments, limits, schemas, always ? 1 : Integer.MAX_VALUE);
    }
}
