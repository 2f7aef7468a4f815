package dev.strake.engine.path;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Set;
import java.util.function.Predicate;

/** One step of a path: leads from a value to the values below it that the step names. */
sealed interface PathStep {

    /** A key of a map. */
    record Field(String name) implements PathStep {}

    /** Several keys of a map, in the order in which they are written. */
    record Fields(Set<String> names) implements PathStep {}

    /** All values of a map. */
    record EveryField() implements PathStep {}

    /** An item of a list; negative counts from the end. */
    record Index(int index) implements PathStep {

        /** The position in a list of this size, or -1 if the index is out of range. */
        int position(int size) {
            int position = index < 0 ? index + size : index;
            return position >= 0 && position < size ? position : -1;
        }

        /** The character at this index as a text, because in Deckhand texts are sequences too; null if out of range. */
        Text characterOf(Text text, Budget budget) {
            String value = text.value();
            budget.spendText(value.length());
            int position = position(value.codePointCount(0, value.length()));
            if (position < 0) {
                return null;
            }
            int start = value.offsetByCodePoints(0, position);
            return new Text(value.substring(start, value.offsetByCodePoints(start, 1))).secretIf(text.isSecret());
        }
    }

    /** All items of a list. */
    record EveryItem() implements PathStep {}

    /** What the inner step finds here or anywhere below, parents before children. */
    record Anywhere(PathStep inner) implements PathStep {}

    /**
     * Visits all values to which this step leads. The values of a map are visited in the order of the sorted keys: maps
     * that differ only in the order of keys are equal, and equal maps must give the same result.
     *
     * @param visitor returns true to stop
     * @return whether the visitor stopped
     */
    default boolean visit(Value from, Budget budget, Predicate<Value> visitor) {
        if (isSingle() || Text.isSealed(from)) {
            return offer(only(from, budget), visitor);
        }
        budget.spend(1);
        if (this instanceof Fields fields) {
            return from instanceof MapValue map && visitFields(fields.names, map, budget, visitor);
        } else if (this instanceof EveryField) {
            return from instanceof MapValue && visitChildren(from, budget, visitor);
        } else if (this instanceof EveryItem) {
            // As in Deckhand, a read treats any other value except null as a list of itself.
            return from instanceof ListValue
                    ? visitChildren(from, budget, visitor)
                    : !(from instanceof Null) && offer(from, visitor);
        } else {
            return ((Anywhere) this).inner.visit(from, budget, visitor)
                    || visitChildren(from, budget, child -> visit(child, budget, visitor));
        }
    }

    /**
     * The value to which a {@linkplain #isSingle single} step leads, or Java's null if there is none. Each step from a
     * sealed text leads to the text itself.
     */
    default Value only(Value from, Budget budget) {
        budget.spend(1);
        if (Text.isSealed(from)) {
            return from;
        }
        if (this instanceof Field field) {
            return from instanceof MapValue map ? map.get(field.name) : null;
        }
        Index index = (Index) this;
        if (from instanceof ListValue list) {
            int position = index.position(list.size());
            return position < 0 ? null : list.get(position);
        }
        return from instanceof Text text ? index.characterOf(text, budget) : null;
    }

    private static boolean visitFields(Set<String> names, MapValue map, Budget budget, Predicate<Value> visitor) {
        for (String name : names) {
            budget.spend(1);
            if (offer(map.get(name), visitor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean visitChildren(Value from, Budget budget, Predicate<Value> visitor) {
        if (from instanceof MapValue map) {
            budget.spend(map.sortingEffort());
            for (int i = 0; i < map.size(); i++) {
                budget.spend(1);
                if (visitor.test(map.valueInSortedOrder(i))) {
                    return true;
                }
            }
        } else if (from instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                budget.spend(1);
                if (visitor.test(list.get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean offer(Value found, Predicate<Value> visitor) {
        return found != null && visitor.test(found);
    }

    /** Whether this step leads from a map to the value of a key. */
    default boolean leadsTo(String key) {
        if (this instanceof Anywhere anywhere) {
            return anywhere.inner.leadsTo(key);
        }
        return this instanceof Field field
                ? field.name.equals(key)
                : this instanceof Fields fields ? fields.names.contains(key) : this instanceof EveryField;
    }

    /** Whether this step leads from a list of a size to the item at a position. */
    default boolean leadsTo(int position, int size) {
        if (this instanceof Anywhere anywhere) {
            return anywhere.inner.leadsTo(position, size);
        }
        return this instanceof Index index ? index.position(size) == position : this instanceof EveryItem;
    }

    /** Whether this step can lead from a map to its values. */
    default boolean entersMaps() {
        return !(this instanceof Index) && !(this instanceof EveryItem);
    }

    /** Whether this step can lead from a list to its items. */
    default boolean entersLists() {
        return this instanceof Index || this instanceof EveryItem || this instanceof Anywhere;
    }

    /** Whether this step leads to at most one place, so that the place can be created. */
    default boolean isSingle() {
        return this instanceof Field || this instanceof Index;
    }
}
