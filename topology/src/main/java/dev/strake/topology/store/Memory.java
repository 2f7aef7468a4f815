package dev.strake.topology.store;

import java.time.Duration;

/**
 * How much of its stores an instance keeps on the heap.
 *
 * @param cacheBytes parsed documents kept by all tasks together, measured as JSON (a tree takes four to five times as
 *     much); never more than a sixteenth of the heap
 * @param idleAfter how long the head of a workspace stays after its last use
 */
public record Memory(long cacheBytes, Duration idleAfter) {}
