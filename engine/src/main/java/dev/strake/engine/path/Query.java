package dev.strake.engine.path;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Predicate;

/**
 * A read-only path, in all forms of the library that Deckhand uses (jsonpath-ng, plain grammar). {@link PathStep}s are
 * the forms that can be written, too.
 */
sealed interface Query {

    /** The parent of the whole tree: as in Deckhand, a null value. */
    Found NOTHING = new Found(Null.NULL, null);

    /** The tree as a whole. */
    record Root() implements Query {}

    /** The current value. */
    record This() implements Query {}

    /** The parent of the current value. */
    record Parent() implements Query {}

    /** The results of the second query within the results of the first. */
    record Child(Query left, Query right) implements Query {}

    /** The results of the second query within the results of the first, and in all values below. */
    record Descendants(Query left, Query right) implements Query {}

    /** The results of the first query, then those of the second. */
    record Union(Query left, Query right) implements Query {}

    /** The results of the first query that have results of the second, or, if not {@code wanted}, that have none. */
    record Where(Query left, Query right, boolean wanted) implements Query {}

    /** Keys of a mapping in this order; with a star among them, all keys in sorted order. */
    record Fields(List<String> names) implements Query {}

    /** Items of a list or characters of a text, in this order. */
    record Indexes(List<Integer> indexes) implements Query {}

    /** A slice of a list as in Python; omitted parts are null. Any other value except null is a list of itself. */
    record Slice(Integer start, Integer end, Integer step) implements Query {}

    /**
     * A value that was found.
     *
     * @param parent null for the tree as a whole
     */
    record Found(Value value, Found parent) {}

    /**
     * Visits the results in order.
     *
     * @param visitor returns true to stop
     * @return whether the visitor stopped
     */
    default boolean visit(Found from, Budget budget, Predicate<Found> visitor) {
        budget.spend(1);
        if (Text.isSealed(from.value)) {
            return visitor.test(from); // its type and content are unknown
        } else if (this instanceof Child child) {
            return child.left.visit(from, budget, found -> child.right.visit(found, budget, visitor));
        } else if (this instanceof Descendants descendants) {
            return descendants.left.visit(from, budget, found -> below(descendants.right, found, budget, visitor));
        } else if (this instanceof Union union) {
            return union.left.visit(from, budget, visitor) || union.right.visit(from, budget, visitor);
        } else if (this instanceof Where where) {
            return where.left.visit(
                    from,
                    budget,
                    found -> where.right.visit(found, budget, any -> true) == where.wanted && visitor.test(found));
        } else if (this instanceof Fields fields) {
            return keys(fields.names, from, budget, visitor);
        } else if (this instanceof Indexes indexes) {
            return items(indexes.indexes, from, budget, visitor);
        } else if (this instanceof Slice slice) {
            return slice(slice, from, budget, visitor);
        }
        return this instanceof This
                ? visitor.test(from)
                : this instanceof Parent
                        ? visitor.test(from.parent == null ? NOTHING : from.parent)
                        : visitor.test(root(from));
    }

    private static Found root(Found from) {
        Found root = from;
        while (root.parent != null) {
            root = root.parent;
        }
        return root;
    }

    private static boolean below(Query wanted, Found from, Budget budget, Predicate<Found> visitor) {
        return wanted.visit(from, budget, visitor)
                || children(from, budget, child -> below(wanted, child, budget, visitor));
    }

    private static boolean children(Found from, Budget budget, Predicate<Found> visitor) {
        if (from.value instanceof MapValue map) {
            budget.spend(map.sortingEffort() + map.size());
            for (int i = 0; i < map.size(); i++) {
                if (visitor.test(new Found(map.valueInSortedOrder(i), from))) {
                    return true;
                }
            }
        } else if (from.value instanceof ListValue list) {
            budget.spend(list.size());
            for (int i = 0; i < list.size(); i++) {
                if (visitor.test(new Found(list.get(i), from))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean keys(List<String> names, Found from, Budget budget, Predicate<Found> visitor) {
        if (!(from.value instanceof MapValue map)) {
            return false;
        }
        if (names.contains("*")) {
            return children(from, budget, visitor);
        }
        for (String name : names) {
            Value value = map.get(name);
            if (value != null && visitor.test(new Found(value, from))) {
                return true;
            }
        }
        return false;
    }

    private static boolean items(List<Integer> indexes, Found from, Budget budget, Predicate<Found> visitor) {
        for (int index : indexes) {
            Value value = new PathStep.Index(index).only(from.value, budget);
            if (value != null && visitor.test(new Found(value, from))) {
                return true;
            }
        }
        return false;
    }

    private static boolean slice(Slice slice, Found from, Budget budget, Predicate<Found> visitor) {
        if (from.value instanceof Null) {
            return false;
        }
        boolean isList = from.value instanceof ListValue;
        Found holder = isList ? from : new Found(ListValue.of(List.of(from.value)), from.parent);
        ListValue list = (ListValue) holder.value;
        int step = slice.step == null ? 1 : slice.step;
        if (step == 0) {
            return false;
        }
        int lowest = step > 0 ? 0 : -1;
        int highest = step > 0 ? list.size() : list.size() - 1;
        int start = bound(slice.start, list.size(), lowest, highest, step > 0 ? lowest : highest);
        int end = bound(slice.end, list.size(), lowest, highest, step > 0 ? highest : lowest);
        for (long i = start; step > 0 ? i < end : i > end; i += step) {
            budget.spend(1);
            if (visitor.test(new Found(list.get((int) i), holder))) {
                return true;
            }
        }
        return false;
    }

    private static int bound(Integer written, int size, int lowest, int highest, int leftOut) {
        if (written == null) {
            return leftOut;
        }
        int at = written < 0 ? written + size : written;
        return Math.max(lowest, Math.min(highest, at));
    }

    /** The first result in a tree; Java's null if there is none. */
    default Value first(Value root, Budget budget) {
        Value[] first = new Value[1];
        visit(new Found(root, null), budget, found -> {
            first[0] = found.value;
            return true;
        });
        return first[0];
    }
}
