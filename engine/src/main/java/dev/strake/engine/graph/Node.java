package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;

/** A document in the graph: what it says of itself, and the parent that was decided for it. */
public record Node(Facts facts, ParentDecision decision) {

    /**
     * The document whose place this one takes; null if there is none. A replacement of another name is a mistake, and
     * stays its own: nobody loses his place by it.
     */
    DocumentId replaced() {
        DocumentId parent = decision.parent();
        return facts.isReplacement() && parent != null && parent.key().equals(facts.key()) ? parent : null;
    }
}
