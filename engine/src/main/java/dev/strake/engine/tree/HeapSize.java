package dev.strake.engine.tree;

/**
 * Estimates the heap size of trees. The weight of a tree is no estimate: a long text takes about its weight, but a list
 * of digits thirty times its weight.
 */
public final class HeapSize {

    /** Includes a fingerprint and a share of the keys, most of which are shared with other maps. */
    private static final long CONTAINER_BYTES = 80;

    private static final long ENTRY_BYTES = 8;
    private static final long SCALAR_BYTES = 64;

    private HeapSize() {}

    /** The bytes of a value alone: a container is counted without its values. */
    public static long ofItself(Value value) {
        if (value instanceof Container container) {
            return CONTAINER_BYTES + ENTRY_BYTES * container.size();
        }
        return SCALAR_BYTES + (value instanceof Text text ? text.value().length() : 0);
    }

    /** The bytes of a tree, as if it shared nothing with other trees. Recursive: trees have limited depth. */
    public static long of(Value value) {
        long sum = ofItself(value);
        if (value instanceof Container container) {
            for (int i = 0; i < container.size(); i++) {
                sum += of(container.valueAt(i));
            }
        }
        return sum;
    }
}
