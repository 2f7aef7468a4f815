package dev.strake.engine.graph;

import dev.strake.engine.tree.Value;

/** One label of a document, or one entry of a selector. */
record Label(String key, Value value) {}
