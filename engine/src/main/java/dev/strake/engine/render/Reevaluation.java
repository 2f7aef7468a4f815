package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;

/**
 * A document with a new evaluation, together with everything that storing and publishing need. A change may have tens of
 * thousands of these. Looking each of them up again, in maps as large as the workspace, took a fifth of its time.
 *
 * @param facts of the document in the new revision
 * @param before the evaluation of the revision before; null if the document was not in it
 * @param now the new evaluation; other inputs may have given the same result
 */
public record Reevaluation(Facts facts, Evaluation before, Evaluation now) {

    /** The revision of the previous result; 0 if there was none. */
    public long changedBefore() {
        return before == null ? 0 : before.changedAt();
    }
}
