package dev.strake.engine.path;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Predicate;

/** One step of a path: from a value to the values below it that the step names. */
sealed interface Step {

    /** A key of a map. */
    record Field(String name) implements Step {}

    /** Several keys of a map, in the order in which they are written. */
    record Fields(List<String> names) implements Step {}

    /** All values of a map. */
    record EveryField() implements Step {}

    /** An item of a list; negative counts from the end. */
    record Index(int index) implements Step {

        private Value of(Value from) {
            if (from instanceof ListValue list) {
                int position = position(index, list.size());
                return position < 0 ? null : list.get(position);
            }
            if (from instanceof Text text) { // as in Deckhand, where texts are sequences too
                int position = position(
                        index, text.value().codePointCount(0, text.value().length()));
                if (position >= 0) {
                    int start = text.value().offsetByCodePoints(0, position);
                    int end = text.value().offsetByCodePoints(start, 1);
                    return new Text(text.value().substring(start, end));
                }
            }
            return null;
        }
    }

    /** All items of a list. */
    record EveryItem() implements Step {}

    /** What the inner step finds here or anywhere below, parents before children. */
    record Anywhere(Step inner) implements Step {}

    /**
     * Offers all values that this step leads to: those of a map by their sorted keys, because maps that differ in
     * order only are equal, and what is equal has to render to the same.
     *
     * @param visitor returns true to stop
     * @return whether the visitor stopped
     */
    default boolean visit(Value from, Predicate<Value> visitor) {
        if (this instanceof Field field) {
            Value found = from instanceof MapValue map ? map.get(field.name) : null;
            return found != null && visitor.test(found);
        } else if (this instanceof Index index) {
            Value found = index.of(from);
            return found != null && visitor.test(found);
        } else if (this instanceof Fields fields) {
            for (String name : fields.names) {
                Value found = from instanceof MapValue map ? map.get(name) : null;
                if (found != null && visitor.test(found)) {
                    return true;
                }
            }
            return false;
        } else if (this instanceof EveryField) {
            return from instanceof MapValue && visitChildren(from, visitor);
        } else if (this instanceof EveryItem) {
            return from instanceof ListValue && visitChildren(from, visitor);
        } else {
            Step inner = ((Anywhere) this).inner;
            return inner.visit(from, visitor) || visitChildren(from, child -> visit(child, visitor));
        }
    }

    private static boolean visitChildren(Value from, Predicate<Value> visitor) {
        if (from instanceof MapValue map) {
            for (int i = 0; i < map.size(); i++) {
                if (visitor.test(map.valueInSortedOrder(i))) {
                    return true;
                }
            }
        } else if (from instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                if (visitor.test(list.get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether this step leads to at most one place, so that the place can be created. */
    default boolean isSingle() {
        return this instanceof Field || this instanceof Index;
    }

    /** Position in a list of this size that an index means, -1 if it has none. */
    static int position(int index, int size) {
        int position = index < 0 ? index + size : index;
        return position >= 0 && position < size ? position : -1;
    }
}
