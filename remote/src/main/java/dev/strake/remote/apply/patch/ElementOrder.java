package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of a merged list. It interleaves two sequences: elements of the patch, in the patch's order, and elements
 * of the live object only, in their live order. A live element comes first if it precedes the next element of the patch
 * in the live list, too.
 *
 * @param mergeKey the key that identifies elements; null for scalars, which identify themselves
 */
record ElementOrder(String mergeKey) {

    /**
     * Returns what identifies an element. Texts identify themselves. Other values are represented by their hash, so
     * that crafted keys with equal hash codes cannot slow down lookups.
     */
    Object identity(Value element) {
        Value identifying = mergeKey == null ? element : ((MapValue) element).get(mergeKey);
        return identifying instanceof Text text ? text.value() : identifying.fingerprint();
    }

    /** Returns the first position of each element. */
    Map<Object, Integer> positions(List<? extends Value> elements) {
        Map<Object, Integer> positions = new HashMap<>();
        for (Value element : elements) {
            positions.putIfAbsent(identity(element), positions.size());
        }
        return positions;
    }

    /**
     * Sorts the elements.
     *
     * @param merged the elements of the result
     * @param wanted the positions of the elements that the patch contains
     * @param live the positions in the live list
     */
    ListValue weave(List<? extends Value> merged, Map<Object, Integer> wanted, Map<Object, Integer> live) {
        List<Placed> listed = new ArrayList<>();
        List<Placed> others = new ArrayList<>();
        for (Value element : merged) {
            Object identity = identity(element);
            Placed placed = new Placed(element, wanted.getOrDefault(identity, -1), live.getOrDefault(identity, -1));
            (placed.wanted < 0 ? others : listed).add(placed);
        }
        listed.sort(Comparator.comparingInt(Placed::wanted));
        others.sort(Comparator.comparingInt(placed -> placed.live < 0 ? Integer.MAX_VALUE : placed.live));
        List<Value> woven = new ArrayList<>(merged.size());
        int next = 0;
        for (Placed other : others) {
            while (next < listed.size() && !other.isBefore(listed.get(next))) {
                woven.add(listed.get(next++).element);
            }
            woven.add(other.element);
        }
        listed.subList(next, listed.size()).forEach(placed -> woven.add(placed.element));
        return ListValue.of(woven);
    }

    /* A position of -1 means none. */
    private record Placed(Value element, int wanted, int live) {

        boolean isBefore(Placed other) {
            return live >= 0 && other.live >= 0 && live < other.live;
        }
    }
}
