package dev.strake.engine.tree;

import java.util.Arrays;

/**
 * The keys of maps that were built a moment ago. Most maps of a document set have the same few sets of keys: those that share
 * them take half the heap, and the keys are measured and sorted once.
 *
 * <p>It holds a bounded number, and compares each set with one other at the most. Several threads may use it: what a race
 * costs is a set of keys that is not shared.
 */
public final class RecentShapes {

    private static final int KEPT = 1 << 10;

    /** Bytes of JSON. More keys are seldom the same. */
    private static final int LARGEST = 1 << 10;

    private final Shape[] shapes = new Shape[KEPT];

    /** The array is taken over, not copied. */
    Shape shape(String... keys) {
        int hash = Arrays.hashCode(keys);
        int slot = (hash ^ (hash >>> 16)) & (KEPT - 1);
        Shape recent = shapes[slot];
        if (recent != null && recent.isOf(keys)) {
            return recent;
        }
        Shape shape = Shape.of(keys);
        if (shape.weight() <= LARGEST) {
            shapes[slot] = shape;
        }
        return shape;
    }
}
