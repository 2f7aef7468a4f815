package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;

/** A document in the graph, with the parent that was decided for it. */
public record Node(Facts facts, ParentDecision decision) {

    /**
     * The document that this one replaces; null if there is none. A replacement with another schema or name has a problem
     * and replaces nothing.
     */
    DocumentId replaced() {
        DocumentId parent = decision.parent();
        return facts.isReplacement() && parent != null && parent.key().equals(facts.key()) ? parent : null;
    }
}
