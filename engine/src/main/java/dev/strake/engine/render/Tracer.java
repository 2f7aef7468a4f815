package dev.strake.engine.render;

import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;

/** Observes every decision of incremental rendering about a document, with the reason. */
public interface Tracer {

    /** The decision about a document. */
    enum Verdict {
        /** None of its dependencies changed: not inspected. */
        CLEAN,
        /** A dependency changed, but none of the values it uses: not evaluated. */
        VERIFIED,
        /** Evaluated with the same result: its dependents are not due. */
        CUT_OFF,
        /** Evaluated with another result. */
        RENDERED,
        /** The document cannot be rendered. */
        IN_TROUBLE
    }

    /** Ignores everything. */
    Tracer NONE = (document, reason, verdict) -> {};

    /**
     * Called for each decision.
     *
     * @param reason why the document was inspected; null if it was not
     */
    void decided(DocumentId document, Reason reason, Verdict verdict);

    /**
     * Called when an owner of derived documents was evaluated; the verdict says whether the documents changed.
     *
     * @param cause the document that made the owner due: the owner itself, or a document that it read or would read now
     */
    default void derived(DocumentId owner, DocumentId cause, Verdict verdict) {}

    /**
     * Called with the work for a document.
     *
     * @param steps of {@link dev.strake.engine.limit.ChangeEffort}, for its inspection or for what is derived from it
     */
    default void worked(DocumentId document, long steps) {}
}
