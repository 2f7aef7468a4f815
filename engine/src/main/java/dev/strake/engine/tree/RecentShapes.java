package dev.strake.engine.tree;

import java.util.Arrays;

/**
 * A cache of the keys of recently built maps. Most maps of a document set have one of a few sets of keys. Maps that
 * share their keys take half the heap, and the keys are measured and sorted once.
 *
 * <p>The cache is bounded, and compares each set of keys with at most one other set. Several threads may use it: a race
 * may only keep a set of keys from being shared.
 */
public final class RecentShapes {

    private static final int KEPT = 1 << 10;

    /** The maximum size of cached keys, in bytes of JSON. Larger sets of keys are seldom the same. */
    private static final int LARGEST = 1 << 10;

    private final Shape[] shapes = new Shape[KEPT];

    /** Returns the shape for these keys. The array is not copied. */
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
