package dev.strake.topology.store;

import java.time.Duration;

/**
 * What an instance keeps on the heap of that which its stores hold.
 *
 * @param cacheBytes parsed documents kept by all tasks together, measured as JSON (a tree takes four to five times as
 *     much); never more than a sixteenth of the heap
 * @param idleAfter how long a workspace that nobody changes stays
 */
public record Memory(long cacheBytes, Duration idleAfter) {}
