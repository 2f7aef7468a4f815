package dev.strake.engine.render;

import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.HeapSize;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Counts the heap of the rendered data that one change holds for dependents. Trees share structure: a value from a
 * document's base is not counted again. A large value that several documents took from elsewhere is counted once.
 *
 * <p>Caches decide whether two documents took the same object or equal ones. The count must not depend on that, or a change
 * could be refused on one machine and accepted on another. So borrowed values are compared by their fingerprints.
 */
final class HeapLimit {

    /** The maximum in bytes of heap. Not a setting, because more would not fit into the default heap. */
    static final long MOST = 128L << 20;

    /** Smaller values are counted each time: noting a fingerprint would take as much heap as the value. */
    static final int NOTED_WEIGHT = 2 << 10;

    private final Set<Fingerprint> noted = new HashSet<>();
    private long held;

    /**
     * Counts data that is about to be held. Threads that evaluate documents in parallel call this concurrently.
     *
     * @param base the data that this data was made from
     * @param borrowed values in it, by identity, that other documents may have too: those of at least {@link #NOTED_WEIGHT}
     * @throws ChangeEffort.ExceededException if the change would hold too much
     */
    synchronized void hold(Value data, Value base, IdentityHashMap<Value, Fingerprint> borrowed) {
        held += bytes(data, base, borrowed);
        if (held > MOST) {
            throw ChangeEffort.ExceededException.ofHeap(MOST);
        }
    }

    /** The bytes counted so far. */
    synchronized long held() {
        return held;
    }

    /* Recursion is safe: the depth of rendered documents is limited. */
    @SuppressWarnings("ReferenceEquality")
    private long bytes(Value value, Value base, IdentityHashMap<Value, Fingerprint> borrowed) {
        Fingerprint note = borrowed.get(value);
        if (note != null) {
            return noted.add(note) ? HeapSize.of(value) : 0;
        }
        if (value == base) {
            return 0;
        }
        long sum = HeapSize.ofItself(value);
        if (value instanceof MapValue map) {
            for (int i = 0; i < map.size(); i++) {
                Value under = base instanceof MapValue other ? other.get(map.keyAt(i)) : null;
                sum += bytes(map.valueAt(i), under, borrowed);
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                Value under = base instanceof ListValue other && i < other.size() ? other.get(i) : null;
                sum += bytes(list.get(i), under, borrowed);
            }
        }
        return sum;
    }
}
