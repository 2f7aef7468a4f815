package dev.strake.engine.explain;

import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;

/**
 * Finds where something was before a step that may have put items into a list or taken some out. Items that stay are the
 * same objects, so lists are compared by identity. A step may also write another list in the place of one, taken as a whole
 * from somewhere. Then nothing has moved: each item has replaced the one with its index.
 */
final class Shifted {

    private Shifted() {}

    /**
     * The place in the tree before a step of what is at a place in the tree after it.
     *
     * @return null if the step put it into a list
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

    /* One step puts items in or takes some out, never both. So all of the shorter list are in the longer one, in order. */
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
