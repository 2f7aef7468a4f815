package dev.strake.engine.operations;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * A place where two trees differ, named as deep down as possible. If one tree was made from the other, they share what
 * is the same. Then finding the differences costs little more than visiting the containers on the way to them.
 *
 * @param path in the notation of operations files; an item with a {@code name} is identified by it
 * @param before the old value; null if there was none
 * @param after the new value; null if there is none
 */
public record Difference(String path, Value before, Value after) {

    /** The differences in the order of the trees. */
    public static List<Difference> between(Value before, Value after) {
        List<Difference> found = new ArrayList<>();
        if (!before.equals(after)) {
            collect("", before, after, found);
        }
        return found;
    }

    /* Collects the differences of two values that are not equal. "after" is null if the key was removed. */
    private static void collect(String path, Value before, Value after, List<Difference> found) {
        if (before instanceof MapValue one && after instanceof MapValue other) {
            for (int i = 0; i < one.size(); i++) {
                Value now = counterpart(one, i, other);
                if (!one.valueAt(i).equals(now)) {
                    collect(entry(path, one, i), one.valueAt(i), now, found);
                }
            }
            for (int i = 0; i < other.size(); i++) {
                if (counterpart(other, i, one) == null) {
                    found.add(new Difference(entry(path, other, i), null, other.valueAt(i)));
                }
            }
        } else if (before instanceof ListValue one && after instanceof ListValue other) {
            collect(path, one, other, found);
        } else {
            found.add(new Difference(path, before, after));
        }
    }

    /* Equal items at the start and at the end have not changed. Items between were replaced, removed or added. */
    private static void collect(String path, ListValue before, ListValue after, List<Difference> found) {
        int shorter = Math.min(before.size(), after.size());
        int start = 0;
        while (start < shorter && before.get(start).equals(after.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        int common = shorter - start - end;
        for (int i = start; i < start + common; i++) {
            if (!before.get(i).equals(after.get(i))) {
                collect(item(path, before, i), before.get(i), after.get(i), found);
            }
        }
        for (int i = start + common; i < before.size() - end; i++) {
            found.add(new Difference(item(path, before, i), before.get(i), null));
        }
        for (int i = start + common; i < after.size() - end; i++) {
            found.add(new Difference(item(path, after, i), null, after.get(i)));
        }
    }

    /* Most keys keep their position, and then no lookup is needed. */
    private static Value counterpart(MapValue map, int i, MapValue other) {
        String key = map.keyAt(i);
        return i < other.size() && other.keyAt(i).equals(key) ? other.valueAt(i) : other.get(key);
    }

    private static String entry(String path, MapValue map, int i) {
        return path + "/" + OperationPath.escaped(map.keyAt(i));
    }

    private static String item(String path, ListValue list, int i) {
        return list.get(i) instanceof MapValue map && map.get("name") instanceof Text name
                ? path + "/name=" + OperationPath.escaped(name.value())
                : path + "/" + i;
    }
}
