package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The members of a mapping while a patch is merged into it: old members in their order, then new ones. An unchanged
 * mapping stays the same instance, so a patch costs as much as the mappings along its paths, not as the whole tree.
 */
final class MergedMembers {

    private final MapValue before;
    private final Map<String, Value> now = new LinkedHashMap<>();
    private boolean changed;

    MergedMembers(MapValue before) {
        this.before = before;
        before.forEach(now::put);
    }

    /** Returns the value of a member; null if there is none. */
    Value get(String key) {
        return now.get(key);
    }

    void put(String key, Value value) {
        changed |= !isSame(now.put(key, value), value);
    }

    void remove(String key) {
        changed |= now.remove(key) != null;
    }

    void retain(Set<String> keys) {
        changed |= now.keySet().retainAll(keys);
    }

    MapValue build() {
        return changed ? MapValue.of(now) : before;
    }

    /* Compares references: an equal value in another instance only costs a copy. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Value one, Value other) {
        return one == other;
    }
}
