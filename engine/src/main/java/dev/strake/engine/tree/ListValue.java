package dev.strake.engine.tree;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** An ordered list of values. */
public final class ListValue extends Container {

    public static final ListValue EMPTY = new ListValue(new Value[0]);

    private ListValue(Value[] items) {
        this(items, Secrecy.of(items));
    }

    private ListValue(Value[] items, Secrecy secrecy) {
        super(items, 0, secrecy);
    }

    private ListValue(Value[] items, long weight, int depth, Secrecy secrecy) {
        super(items, weight, depth, secrecy);
    }

    @Override
    ListValue with(Value[] others, Secrecy after) {
        return new ListValue(others, after);
    }

    @Override
    ListValue with(Value[] others, long itsWeight, int itsDepth, Secrecy after) {
        return new ListValue(others, itsWeight, itsDepth, after);
    }

    public static ListValue of(Value... items) {
        return new ListValue(items.clone());
    }

    public static ListValue of(Collection<? extends Value> items) {
        return new ListValue(items.toArray(Value[]::new));
    }

    public Value get(int index) {
        return values[index];
    }

    public List<Value> items() {
        return List.of(values);
    }

    /** This list with one item replaced. */
    public ListValue with(int index, Value item) {
        return (ListValue) replaced(index, item);
    }

    /** This list with a function applied to every item. The same object if no item changes. */
    public ListValue withEach(Change function) {
        Value[] changed = changed(function);
        if (changed == null) {
            return this;
        }
        Value[] left = Arrays.stream(changed).filter(Objects::nonNull).toArray(Value[]::new);
        return new ListValue(left, secrecy.copied(left));
    }

    /** This list with an item inserted before the item at this position, or after the last item. */
    public ListValue withInserted(int index, Value item) {
        Value[] copy = Arrays.copyOf(values, values.length + 1);
        System.arraycopy(values, index, copy, index + 1, values.length - index);
        copy[index] = item;
        return new ListValue(copy, secrecy.added(item, isEmpty()));
    }

    /** This list with empty maps added until it has the given size, as Deckhand pads a list that is too short. */
    public ListValue paddedTo(int size) {
        if (size <= values.length) {
            return this;
        }
        Value[] copy = Arrays.copyOf(values, size);
        Arrays.fill(copy, values.length, size, MapValue.EMPTY);
        return new ListValue(copy, secrecy.copied(copy));
    }

    public ListValue without(int index) {
        Value[] left = valuesWithout(index);
        return new ListValue(left, secrecy.copied(left));
    }

    @Override
    public String kind() {
        return "list";
    }

    @Override
    public ListValue secret() {
        return (ListValue) super.secret();
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof ListValue list && list.weight() == weight() && Arrays.equals(list.values, values));
    }

    @Override
    public int hashCode() {
        int hash = values.length;
        for (Value item : values) {
            hash = TextHash.of(hash, item.hashCode());
        }
        return hash;
    }

    @Override
    public String toString() {
        return "ListValue[" + values.length + " items]";
    }
}
