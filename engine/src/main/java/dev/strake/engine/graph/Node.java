package dev.strake.engine.graph;

/** A document in the graph: what it says of itself, and which parent it got. */
public record Node(Facts facts, ParentDecision decision) {}
