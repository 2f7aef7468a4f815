package dev.strake.engine.explain;

import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;

/**
 * Finds where a value was before a step that may have inserted or removed list items. Items that stay are the same
 * objects, so lists are compared by identity. A step may also replace a list by another one as a whole. Then nothing
 * has moved: each item replaces the one with its index.
 */
final class Shifted {

    private Shifted() {}

    /**
     * Returns the place in the tree before a step for a place in the tree after it.
     *
     * @return null if the step inserted the value into a list
     */
    static Place back(Value before, Value after, Place place, ValueOrigins origins, ChangeEffort effort) {
        Place earlier = Place.ROOT;
        Value then = before;
        Value now = after;
        for (Object step : place.steps()) {
            Object moved = step;
            if (step instanceof Integer index
                    && then instanceof ListValue old
                    && now instanceof ListValue young
                    && index < young.size()
                    && !origins.isWhole(young)) {
                moved = back(old, young, index, effort);
            }
            if (moved == null) {
                return null;
            }
            earlier = moved instanceof String key ? earlier.at(key) : earlier.at((Integer) moved);
            then = Place.child(then, moved);
            now = Place.child(now, step);
        }
        return earlier;
    }

    /* A step inserts or removes items, never both. So the longer list has all items of the shorter one, in order. */
    @SuppressWarnings("ReferenceEquality")
    private static Integer back(ListValue old, ListValue young, int index, ChangeEffort effort) {
        if (old.size() == young.size()) {
            return index;
        }
        effort.spend(Math.max(old.size(), young.size()));
        boolean longer = young.size() > old.size();
        ListValue most = longer ? young : old;
        ListValue least = longer ? old : young;
        int j = 0;
        for (int i = 0; i < most.size(); i++) {
            boolean same = j < least.size() && most.get(i) == least.get(j);
            if (longer && i == index) {
                return same ? j : null;
            }
            if (!longer && same && j == index) {
                return i;
            }
            j += same ? 1 : 0;
        }
        return index;
    }
}
