package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * One place at which two trees differ.
 *
 * @param before the old value; null if a value was added
 * @param after the new value; null if the value was removed
 */
public record PlaceChange(Place place, Value before, Value after) {

    /** The approximate size of the change as JSON, in bytes. */
    public long weight() {
        return (before == null ? 0 : before.weight())
                + (after == null ? 0 : after.weight())
                + place.toString().length();
    }

    /**
     * All places at which two trees differ, in the order of the second tree. Removed entries come last in their
     * container. Items of lists are compared by position, between the common start and the common end of both lists. So
     * an inserted or removed item is one difference.
     *
     * @param before null for no tree
     * @param after null for no tree
     */
    public static List<PlaceChange> between(Value before, Value after) {
        return between(before, after, Value::secret);
    }

    /**
     * As {@link #between(Value, Value)}, for trees whose secrets are hidden.
     *
     * @param hiding hides a value where the other tree has a secret, and marks it as secret
     */
    public static List<PlaceChange> between(Value before, Value after, UnaryOperator<Value> hiding) {
        Comparison comparison = new Comparison(hiding, new ArrayList<>());
        comparison.compare(Place.ROOT, before, after);
        return comparison.changes;
    }

    private record Comparison(UnaryOperator<Value> hiding, List<PlaceChange> changes) {

        /* Recursive: documents have limited depth. */
        private void compare(Place place, Value before, Value after) {
            if (Objects.equals(before, after)) {
                return;
            }
            if (before != null && after != null && before.isSecret() != after.isSecret()) {
                compareHidden(
                        place,
                        before.isSecret() ? before : hiding.apply(before),
                        after.isSecret() ? after : hiding.apply(after));
            } else if (before instanceof MapValue old && after instanceof MapValue young) {
                young.forEach((key, value) -> compare(place.at(key), old.get(key), value));
                old.forEach((key, value) -> {
                    if (!young.has(key)) {
                        changes.add(new PlaceChange(place.at(key), value, null));
                    }
                });
            } else if (before instanceof ListValue old && after instanceof ListValue young) {
                compareItems(place, old, young);
            } else {
                changes.add(new PlaceChange(place, before, after));
            }
        }

        /* A value that only became secret, or is no longer secret, is a difference, too. */
        private void compareHidden(Place place, Value before, Value after) {
            if (before.equals(after)) {
                changes.add(new PlaceChange(place, before, after));
            } else {
                compare(place, before, after);
            }
        }

        private void compareItems(Place place, ListValue old, ListValue young) {
            int least = Math.min(old.size(), young.size());
            int begin = 0;
            while (begin < least && old.get(begin).equals(young.get(begin))) {
                begin++;
            }
            int end = 0;
            while (end < least - begin && old.get(old.size() - 1 - end).equals(young.get(young.size() - 1 - end))) {
                end++;
            }
            int oldEnd = old.size() - end;
            int youngEnd = young.size() - end;
            for (int i = begin; i < Math.max(oldEnd, youngEnd); i++) {
                compare(place.at(i), i < oldEnd ? old.get(i) : null, i < youngEnd ? young.get(i) : null);
            }
        }
    }

    /** Never shows the values. */
    @Override
    public String toString() {
        return "PlaceChange[" + place + "]";
    }
}
