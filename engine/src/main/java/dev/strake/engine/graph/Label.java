package dev.strake.engine.graph;

import dev.strake.engine.tree.Value;

/** One label of a document, or one entry of a selector. */
record Label(String key, Value value) {

    /* Spelled out for the same reason as in DocumentId. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Label label && key.equals(label.key) && value.equals(label.value);
    }

    @Override
    public int hashCode() {
        return key.hashCode() * 31 + value.hashCode();
    }
}
