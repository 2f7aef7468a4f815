package dev.strake.engine.tree;

/**
 * What trees take on the heap, roughly. The weight of a tree does not tell: a long text takes its weight, and a list of
 * digits thirty times as much.
 */
public final class HeapSize {

    /** With its keys, of which most are shared with other maps, and a hash. */
    private static final long CONTAINER_BYTES = 80;

    private static final long ENTRY_BYTES = 8;
    private static final long SCALAR_BYTES = 64;

    private HeapSize() {}

    /** The bytes of a value alone: of a container without what is in it. */
    public static long ofItself(Value value) {
        if (value instanceof Container container) {
            return CONTAINER_BYTES + ENTRY_BYTES * container.size();
        }
        return SCALAR_BYTES + (value instanceof Text text ? text.value().length() : 0);
    }

    /** The bytes of a tree, as if it shared nothing with others. Trees are no deeper than limits allow, so this may recurse. */
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
