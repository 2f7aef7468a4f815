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
 * The order of a merged list. Two sequences are woven: the elements that the patch speaks of, in the patch's order, and
 * those that only the live object has, in their order there. An element of the live object comes first if it stands before
 * the next element of the patch in the live list, too.
 *
 * @param mergeKey what identifies the elements; null if they are scalars, which identify themselves
 */
record ElementOrder(String mergeKey) {

    /**
     * What two elements have to have in common to be the same one. Texts stand for themselves. Everything else stands for
     * its hash, so that nobody can make lookups slow by keys with the same hash code.
     */
    Object identity(Value element) {
        Value identifying = mergeKey == null ? element : ((MapValue) element).get(mergeKey);
        return identifying instanceof Text text ? text.value() : identifying.fingerprint();
    }

    /** The first position of each element. */
    Map<Object, Integer> positions(List<? extends Value> elements) {
        Map<Object, Integer> positions = new HashMap<>();
        for (Value element : elements) {
            positions.putIfAbsent(identity(element), positions.size());
        }
        return positions;
    }

    /**
     * The elements in order.
     *
     * @param merged the elements of the result
     * @param wanted the positions that the patch gives to the elements which it speaks of
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

    /* Positions are -1 for none. */
    private record Placed(Value element, int wanted, int live) {

        boolean isBefore(Placed other) {
            return live >= 0 && other.live >= 0 && live < other.live;
        }
    }
}
