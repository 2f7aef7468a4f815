package dev.strake.engine.render;

import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.HeapSize;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Counts the heap of the rendered data that one change holds because other documents are made from it. Trees share
 * structure: what a document has from its base is not counted again, nor is a large value that several documents took from
 * the same source.
 */
final class HeldData {

    /** The most bytes of heap. It is no setting, because more of it would not fit into the heap that is shipped. */
    static final long MOST = 128L << 20;

    /** Smaller values are counted wherever they are: a note of each would take as much as the value. */
    private static final int NOTED_WEIGHT = 2 << 10;

    private final Set<Value> noted = Collections.newSetFromMap(new IdentityHashMap<>());
    private long held;

    /**
     * Counts data that is about to be held. Threads that evaluate documents in parallel call this concurrently.
     *
     * @param base what the data was made from
     * @throws ChangeEffort.ExceededException if the change would hold too much
     */
    synchronized void hold(Value data, Value base) {
        held += bytes(data, base);
        if (held > MOST) {
            throw ChangeEffort.ExceededException.ofHeldData(MOST);
        }
    }

    /* As deep as a rendered document may be, so this may recurse. */
    @SuppressWarnings("ReferenceEquality")
    private long bytes(Value value, Value base) {
        if (value == base || (value.weight() >= NOTED_WEIGHT && !noted.add(value))) {
            return 0;
        }
        long sum = HeapSize.ofItself(value);
        if (value instanceof MapValue map) {
            for (int i = 0; i < map.size(); i++) {
                Value under = base instanceof MapValue other ? other.get(map.keyAt(i)) : null;
                sum += bytes(map.valueAt(i), under);
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                Value under = base instanceof ListValue other && i < other.size() ? other.get(i) : null;
                sum += bytes(list.get(i), under);
            }
        }
        return sum;
    }
}
