package dev.strake.engine.operations;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * A place where two trees differ, as deep down as it can be named. Trees that came from one another share what is the
 * same, so finding the differences costs little more than the containers on the way to them.
 *
 * @param path in the notation of operations files; an item that has a {@code name} is named by it
 * @param before what was there; null if nothing was
 * @param after what is there now; null if nothing is
 */
public record Difference(String path, Value before, Value after) {

    /** The differences in the order of the trees. */
    public static List<Difference> between(Value before, Value after) {
        List<Difference> found = new ArrayList<>();
        collect("", before, after, found);
        return found;
    }

    private static void collect(String path, Value before, Value after, List<Difference> found) {
        if (isSame(before, after)) {
            return;
        }
        if (before instanceof MapValue one && after instanceof MapValue other) {
            for (String key : one.keys()) {
                collect(path + "/" + OperationPath.escaped(key), one.get(key), other.get(key), found);
            }
            for (String key : other.keys()) {
                if (!one.has(key)) {
                    found.add(new Difference(path + "/" + OperationPath.escaped(key), null, other.get(key)));
                }
            }
        } else if (before instanceof ListValue one && after instanceof ListValue other) {
            collect(path, one, other, found);
        } else {
            found.add(new Difference(path, before, after));
        }
    }

    /* What both lists begin and end with has stayed where it was; what is left between was replaced, taken or put there. */
    private static void collect(String path, ListValue before, ListValue after, List<Difference> found) {
        int shorter = Math.min(before.size(), after.size());
        int start = 0;
        while (start < shorter && isSame(before.get(start), after.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start
                && isSame(before.get(before.size() - 1 - end), after.get(after.size() - 1 - end))) {
            end++;
        }
        int common = shorter - start - end;
        for (int i = start; i < start + common; i++) {
            collect(item(path, before, i), before.get(i), after.get(i), found);
        }
        for (int i = start + common; i < before.size() - end; i++) {
            found.add(new Difference(item(path, before, i), before.get(i), null));
        }
        for (int i = start + common; i < after.size() - end; i++) {
            found.add(new Difference(item(path, after, i), null, after.get(i)));
        }
    }

    private static String item(String path, ListValue list, int i) {
        return list.get(i) instanceof MapValue map && map.get("name") instanceof Text name
                ? path + "/name=" + OperationPath.escaped(name.value())
                : path + "/" + i;
    }

    /* Identity first: most of two trees is the same object. */
    private static boolean isSame(Value one, Value other) {
        return one == null ? other == null : one.equals(other);
    }
}
