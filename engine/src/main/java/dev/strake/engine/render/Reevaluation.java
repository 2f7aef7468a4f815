package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;

/**
 * A document whose evaluation is another one than before, with all that those have to know who store and publish it. A
 * change may have tens of thousands of these, and to look each of them up again, in maps as large as the workspace, was
 * a fifth of its time.
 *
 * @param facts what the document says of itself in the new revision
 * @param before the evaluation of the revision before; null if the document was not in it
 * @param now the new one; its result may be the same, from other inputs
 */
public record Reevaluation(Facts facts, Evaluation before, Evaluation now) {

    /** The revision in which the result before this one came out; 0 if there was none. */
    public long changedBefore() {
        return before == null ? 0 : before.changedAt();
    }
}
