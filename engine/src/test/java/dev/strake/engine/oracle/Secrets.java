package dev.strake.engine.oracle;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Secrets in the trees of the oracle. Every rule is implemented here, or where the oracle creates a value. */
public final class Secrets {

    private Secrets() {}

    /** The places of all secret values of a tree, ignoring the order of keys: {@code s}, or {@code c} if closed. */
    public static Map<List<Object>, Character> marks(Value value) {
        Map<List<Object>, Character> marks = new HashMap<>();
        collect(value, List.of(), marks);
        return marks;
    }

    /** As {@link #marks}, for texts, numbers, booleans and null only. A map with secret keys hides what is in it. */
    public static Map<List<Object>, Character> ofLeaves(Value value) {
        Map<List<Object>, Character> marks = marks(value);
        marks.keySet().removeIf(place -> {
            Place leaf = new Place(place);
            Value at = leaf.in(value);
            return at instanceof MapValue
                    || at instanceof ListValue
                    || !leaf.open(value).equals(leaf);
        });
        return marks;
    }

    private static void collect(Value value, List<Object> place, Map<List<Object>, Character> marks) {
        if (value.isSecret()) {
            marks.put(place, value instanceof MapValue map && map.isClosed() ? 'c' : 's');
        }
        if (value instanceof MapValue map) {
            map.forEach((key, each) -> collect(each, below(place, key), marks));
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                collect(list.get(i), below(place, i), marks);
            }
        }
    }

    private static List<Object> below(List<Object> place, Object step) {
        List<Object> longer = new ArrayList<>(place);
        longer.add(step);
        return longer;
    }

    /** Whether a value contains a secret. */
    public static boolean isIn(Value value) {
        return !marks(value).isEmpty();
    }

    /** Returns an equal value without marks of secrets. */
    public static Value forgotten(Value value) {
        if (value instanceof MapValue map) {
            Map<String, Value> entries = new LinkedHashMap<>();
            map.forEach((key, each) -> entries.put(key, forgotten(each)));
            return MapValue.of(entries);
        }
        if (value instanceof ListValue list) {
            return ListValue.of(list.items().stream().map(Secrets::forgotten).toList());
        }
        if (value instanceof Text text) {
            return new Text(text.value());
        }
        return value instanceof Num num ? Num.ofLiteral(num.literal()) : Places.plainScalar(value);
    }

    /** Marks a container after a change: it stays secret as a whole if all its values are secret, or if it is closed. */
    static MapValue changed(MapValue before, MapValue after) {
        if (before.isClosed()) {
            MapValue closed = after.closed();
            for (String key : after.keys()) { // clear values stay clear; only their keys are hidden
                closed = closed.with(key, after.get(key));
            }
            return closed;
        }
        boolean isSecret = before.isSecret()
                && after.keys().stream().allMatch(key -> after.get(key).isSecret());
        return isSecret ? after.secret() : after;
    }

    /** As for mappings. */
    static ListValue changed(ListValue before, ListValue after) {
        boolean isSecret = before.isSecret() && after.items().stream().allMatch(Value::isSecret);
        return isSecret ? after.secret() : after;
    }
}
