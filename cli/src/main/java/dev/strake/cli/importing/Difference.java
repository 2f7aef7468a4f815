package dev.strake.cli.importing;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What turns one value into another: data with actions for mappings, and operations for list items with names. Changes
 * of the parent still reach everything that the child does not touch.
 */
final class Difference {

    private static final String SAFE_KEY = "[A-Za-z_][A-Za-z0-9_./-]*";
    private static final String SAFE_NAME = "[A-Za-z_][A-Za-z0-9_.-]*";

    private final boolean mayOperate;
    private final List<Value> actions = new ArrayList<>();
    private final List<Value> operations = new ArrayList<>();
    private final Value data;

    /**
     * Compares two values.
     *
     * @param mayOperate whether operations are permitted; otherwise a list that differs is replaced
     */
    Difference(Value before, Value after, boolean mayOperate) {
        this.mayOperate = mayOperate;
        List<Value> deletions = new ArrayList<>();
        Value changed = before instanceof MapValue old && after instanceof MapValue now
                ? changed(old, now, Place.ROOT, "", deletions)
                : null;
        if (changed == null) {
            operations.clear();
            deletions.clear();
        }
        data = changed == null ? after : changed;
        actions.add(action(changed == null ? "replace" : "merge", "."));
        actions.addAll(deletions);
    }

    Value data() {
        return data;
    }

    List<Value> actions() {
        return actions;
    }

    List<Value> operations() {
        return operations;
    }

    private static MapValue action(String method, String path) {
        return MapValue.of("method", method).with("path", path);
    }

    /* Returns the data to merge. Null if a null would have to be deleted, which no action does. */
    private MapValue changed(MapValue before, MapValue after, Place at, String path, List<Value> deletions) {
        MapValue merged = MapValue.EMPTY;
        for (String key : after.keys()) {
            Value old = before.get(key);
            Value now = after.get(key);
            if (now.equals(old)) {
                continue;
            }
            if (old instanceof MapValue one && now instanceof MapValue other) {
                MapValue below = changed(one, other, at.at(key), path + component(key), deletions);
                if (below == null) {
                    return null;
                }
                merged = below.isEmpty() ? merged : merged.with(key, below);
            } else if (!(mayOperate
                    && old instanceof ListValue one
                    && now instanceof ListValue other
                    && isOperable(key, path)
                    && operateOnList(path + component(key), one, other))) {
                merged = merged.with(key, now);
            }
        }
        for (String key : before.keys()) {
            if (!after.has(key)) {
                if (before.get(key) instanceof Null) {
                    return null;
                }
                deletions.add(action("delete", path(at.at(key))));
            }
        }
        return merged;
    }

    /* In an action, .data.a means .a, as in Deckhand. So the key data of a ConfigMap becomes .data.data. */
    private static String path(Place place) {
        return place.steps().get(0).equals("data") ? ".data" + place.path() : place.path();
    }

    private static boolean isOperable(String key, String path) {
        return key.matches(SAFE_KEY) && !path.contains("//");
    }

    /* A key that operations cannot address becomes an empty component. */
    private static String component(String key) {
        return key.matches(SAFE_KEY) ? "/" + key.replace("/", "~1") : "//";
    }

    private boolean operateOnList(String path, ListValue before, ListValue after) {
        int sure = operations.size();
        Map<String, Value> old = byName(before);
        Map<String, Value> now = byName(after);
        boolean isDone = old != null && now != null && operateOnItems(path, old, now);
        while (!isDone && operations.size() > sure) {
            operations.remove(operations.size() - 1);
        }
        return isDone;
    }

    private boolean operateOnItems(String path, Map<String, Value> before, Map<String, Value> after) {
        List<String> old = List.copyOf(before.keySet());
        List<String> now = List.copyOf(after.keySet());
        List<String> kept = new ArrayList<>();
        int next = old.size();
        for (int i = now.size() - 1; i >= 0; i--) {
            int position = old.indexOf(now.get(i));
            if (position >= 0 && position < next) {
                kept.add(now.get(i));
                next = position;
            }
        }
        if (kept.isEmpty()) {
            return false;
        }
        for (String name : old) {
            if (!kept.contains(name)) {
                remove(path + "/name=" + name);
            }
        }
        for (int i = now.size() - 1; i >= 0; i--) {
            if (!kept.contains(now.get(i))) {
                String place = i == now.size() - 1 ? "/-" : "/name=" + now.get(i + 1) + ":before";
                replace(path + place, after.get(now.get(i)));
            }
        }
        return kept.stream().allMatch(name -> operate(path + "/name=" + name, before.get(name), after.get(name)));
    }

    private boolean operate(String path, Value before, Value after) {
        MapValue one = (MapValue) before;
        MapValue other = (MapValue) after;
        for (String key : other.keys()) {
            Value old = one.get(key);
            Value now = other.get(key);
            if (now.equals(old)) {
                continue;
            }
            if (!key.matches(SAFE_KEY)) {
                return false;
            }
            String below = path + component(key);
            if (old instanceof MapValue && now instanceof MapValue) {
                if (!operate(below, old, now)) {
                    return false;
                }
            } else if (!(old instanceof ListValue from
                    && now instanceof ListValue to
                    && operateOnList(below, from, to))) {
                replace(old == null ? below + "?" : below, now);
            }
        }
        for (String key : one.keys()) {
            if (!other.has(key)) {
                if (!key.matches(SAFE_KEY)) {
                    return false;
                }
                remove(path + component(key));
            }
        }
        return true;
    }

    private void remove(String path) {
        operations.add(MapValue.of("type", "remove").with("path", path));
    }

    private void replace(String path, Value value) {
        operations.add(MapValue.of("type", "replace").with("path", path).with("value", value));
    }

    /* Returns the items by name, in order. Null unless each has a name that no other has. */
    private static Map<String, Value> byName(ListValue list) {
        Map<String, Value> items = new LinkedHashMap<>();
        for (Value item : list.items()) {
            String name = item instanceof MapValue map ? map.text("name") : "";
            if (!name.matches(SAFE_NAME) || items.put(name, item) != null) {
                return null;
            }
        }
        return items;
    }
}
