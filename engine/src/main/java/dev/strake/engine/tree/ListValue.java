package dev.strake.engine.tree;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** An ordered list of values. */
public final class ListValue implements Value {

    public static final ListValue EMPTY = new ListValue(new Value[0]);

    private final Value[] items;
    private final long weight;
    private final int depth;
    private final Secrecy secrecy;
    private Fingerprint fingerprint;

    private ListValue(Value[] items) {
        this(items, Secrecy.of(items));
    }

    private ListValue(Value[] items, Secrecy secrecy) {
        this.items = items;
        this.secrecy = secrecy;
        long sum = 2L + Math.max(0, items.length - 1);
        int deepest = 0;
        for (Value item : items) {
            sum += item.weight();
            deepest = Math.max(deepest, item.depth());
        }
        this.weight = Math.min(sum, MapValue.WEIGHT_CAP);
        this.depth = deepest + 1;
    }

    private ListValue(Value[] items, long weight, int depth, Secrecy secrecy) {
        this.items = items;
        this.secrecy = secrecy;
        this.weight = Math.min(weight, MapValue.WEIGHT_CAP);
        this.depth = depth;
    }

    public static ListValue of(Value... items) {
        return new ListValue(items.clone());
    }

    public static ListValue of(Collection<? extends Value> items) {
        return new ListValue(items.toArray(Value[]::new));
    }

    public int size() {
        return items.length;
    }

    public Value get(int index) {
        return items[index];
    }

    public List<Value> items() {
        return List.of(items);
    }

    /** This list with one item replaced. */
    public ListValue with(int index, Value item) {
        Value old = items[index];
        if (old == item) {
            return this;
        }
        Value[] copy = items.clone();
        copy[index] = item;
        Secrecy after = secrecy.replaced(old, item, copy);
        if (weight == MapValue.WEIGHT_CAP || (old.depth() + 1 == depth && item.depth() < old.depth())) {
            return new ListValue(copy, after); // the sum is not known, or the deepest item may be gone
        }
        return new ListValue(copy, weight - old.weight() + item.weight(), Math.max(depth, item.depth() + 1), after);
    }

    /** Returns the new item for a position; Java's null removes the item. */
    @FunctionalInterface
    public interface ItemFunction {

        Value apply(int index, Value item);
    }

    /** This list with a function applied to every item. The same object if no item changes. */
    public ListValue withEach(ItemFunction function) {
        Value[] changed = null; // copied when the first item differs
        int count = 0;
        for (int i = 0; i < items.length; i++) {
            Value item = function.apply(i, items[i]);
            if (changed == null && !isSame(item, items[i])) {
                changed = items.clone();
            }
            if (changed != null && item != null) {
                changed[count] = item;
            }
            count += item == null ? 0 : 1;
        }
        if (changed == null) {
            return this;
        }
        Value[] left = count == changed.length ? changed : Arrays.copyOf(changed, count);
        return new ListValue(left, secrecy.copied(left));
    }

    /* Compares objects, because this is only about sharing: equal content in another object does no harm. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Value one, Value other) {
        return one == other;
    }

    /** This list with an item inserted before the item at this position, or after the last item. */
    public ListValue withInserted(int index, Value item) {
        Value[] copy = Arrays.copyOf(items, items.length + 1);
        System.arraycopy(items, index, copy, index + 1, items.length - index);
        copy[index] = item;
        long comma = items.length == 0 ? 0 : 1;
        return new ListValue(
                copy,
                weight + comma + item.weight(),
                Math.max(depth, item.depth() + 1),
                secrecy.added(item, items.length == 0));
    }

    /** This list with empty maps added until it has the given size, as Deckhand pads a list that is too short. */
    public ListValue paddedTo(int size) {
        if (size <= items.length) {
            return this;
        }
        Value[] copy = Arrays.copyOf(items, size);
        Arrays.fill(copy, items.length, size, MapValue.EMPTY);
        return new ListValue(copy, secrecy.copied(copy));
    }

    public ListValue without(int index) {
        Value[] copy = new Value[items.length - 1];
        System.arraycopy(items, 0, copy, 0, index);
        System.arraycopy(items, index + 1, copy, index, copy.length - index);
        return new ListValue(copy, secrecy.copied(copy));
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public String kind() {
        return "list";
    }

    @Override
    public boolean isSecret() {
        return secrecy.isWhole();
    }

    @Override
    public boolean hasSecrets() {
        return secrecy != Secrecy.NONE;
    }

    @Override
    public boolean hasSealed() {
        return hasSecrets() && Arrays.stream(items).anyMatch(Value::hasSealed);
    }

    @Override
    public ListValue secretIf(boolean isSo) {
        return isSo ? secret() : this;
    }

    @Override
    public ListValue secret() {
        if (isSecret()) {
            return this;
        }
        Value[] secret = items.clone();
        for (int i = 0; i < secret.length; i++) {
            secret[i] = secret[i].secret();
        }
        return new ListValue(secret, weight, depth, Secrecy.WHOLE);
    }

    @Override
    public Fingerprint fingerprint() {
        Fingerprint result = fingerprint;
        if (result == null) {
            result = Fingerprint.of(this); // a benign race: every thread computes the same value
            fingerprint = result;
        }
        return result;
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof ListValue list && list.weight == weight && Arrays.equals(list.items, items));
    }

    @Override
    public int hashCode() {
        int hash = items.length;
        for (Value item : items) {
            hash = TextHash.of(hash, item.hashCode());
        }
        return hash;
    }

    @Override
    public String toString() {
        return "ListValue[" + items.length + " items]";
    }
}
