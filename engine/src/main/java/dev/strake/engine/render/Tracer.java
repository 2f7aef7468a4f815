package dev.strake.engine.render;

import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;

/** Hears of every decision that incremental rendering takes about a document, with its reason. */
public interface Tracer {

    /** What was decided. */
    enum Verdict {
        /** Nothing it depends on came out different: not even looked at. */
        CLEAN,
        /** Something it depends on came out different, but nothing it used: not evaluated. */
        VERIFIED,
        /** Evaluated, and it came out as before: its dependents are not troubled with it. */
        CUT_OFF,
        /** Evaluated, and it came out different. */
        RENDERED,
        /** It cannot be rendered. */
        IN_TROUBLE
    }

    /** A tracer for nobody. */
    Tracer NONE = (document, reason, verdict) -> {};

    /**
     * Hears of one decision.
     *
     * @param reason why the document was looked at; null if it was not
     */
    void decided(DocumentId document, Reason reason, Verdict verdict);
}
