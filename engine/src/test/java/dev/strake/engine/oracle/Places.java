package dev.strake.engine.oracle;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds trees for the oracle. Paths are the engine's own, but written values are always copied: whether equal values
 * share an object must not make a difference.
 */
final class Places {

    private Places() {}

    /** Returns the first value at a path; null if there is none. */
    static Value first(Path path, Value root) {
        return path.first(root, unlimited(0));
    }

    /** Writes a copy of a value at every match of a path, or creates a place for it. */
    static Value write(Path path, Value root, Value value, int padding) throws PathConflictException {
        return path.write(root, copy(value), unlimited(padding));
    }

    /** Removes the values at a path; null if there are none. */
    static Value remove(Path path, Value root) throws PathConflictException {
        return path.remove(root, unlimited(0));
    }

    private static Budget unlimited(int padding) {
        return new RenderLimits(Long.MAX_VALUE, Integer.MAX_VALUE, padding, Long.MAX_VALUE, Long.MAX_VALUE).budget();
    }

    /** An equal value that shares no object with this one. */
    static Value copy(Value value) {
        if (value instanceof MapValue map) {
            Map<String, Value> entries = new LinkedHashMap<>();
            map.forEach((key, each) -> entries.put(key, copy(each)));
            return Secrets.changed(map, MapValue.of(entries));
        }
        if (value instanceof ListValue list) {
            return ListValue.of(list.items().stream().map(Places::copy).toList())
                    .secretIf(list.isSecret());
        }
        if (value instanceof Text text) {
            return new Text(text.value()).secretIf(text.isSecret());
        }
        return value instanceof Num num ? Num.ofLiteral(num.literal()).secretIf(num.isSecret()) : value;
    }

    /** A boolean or null that is not secret. */
    static Value plainScalar(Value value) {
        return value instanceof Bool bool ? Bool.of(bool.value()) : Null.NULL;
    }

    /** Merges a map over another one, on all levels where both have maps; new keys come last. */
    static MapValue merged(MapValue under, MapValue over) {
        Map<String, Value> entries = entries(under);
        over.forEach((key, value) -> entries.merge(
                key,
                value,
                (old, now) ->
                        old instanceof MapValue below && now instanceof MapValue above ? merged(below, above) : now));
        return Secrets.changed(over.isClosed() ? under.closed() : under, MapValue.of(entries));
    }

    /** Updates a map with the entries of another one, on the first level only; new keys come last. */
    static MapValue updated(MapValue under, MapValue over) {
        Map<String, Value> entries = entries(under);
        over.forEach(entries::put);
        return Secrets.changed(over.isClosed() ? under.closed() : under, MapValue.of(entries));
    }

    /** A modifiable copy of the entries of a map, in their order. */
    static Map<String, Value> entries(MapValue map) {
        Map<String, Value> entries = new LinkedHashMap<>();
        map.forEach(entries::put);
        return entries;
    }

    /** A modifiable copy of the items of a list. */
    static List<Value> items(ListValue list) {
        return new ArrayList<>(list.items());
    }

    /** The nesting depth of containers. */
    static int depth(Value value) {
        int deepest = 0;
        if (value instanceof MapValue map) {
            for (String key : map.keys()) {
                deepest = Math.max(deepest, depth(map.get(key)));
            }
        } else if (value instanceof ListValue list) {
            for (Value item : list.items()) {
                deepest = Math.max(deepest, depth(item));
            }
        } else {
            return 0;
        }
        return deepest + 1;
    }
}
