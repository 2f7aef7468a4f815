package dev.strake.engine.tree;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;

/**
 * A mapping from text to values that keeps the order of its keys.
 *
 * <p>The keys are in a {@link Shape}, separate from the values. A child that overrides one leaf of its parent gets a
 * new array of values and the same shape. So the cost of looking up, sorting and measuring keys is paid once per shape.
 */
public final class MapValue implements Value {

    /** The largest weight: far above every limit, and small enough that sums of weights do not overflow. */
    static final long WEIGHT_CAP = 1L << 50;

    /** The price of looking up a key, or of adding one to a builder, in values that could be looked at instead. */
    private static final long LOOK_UP = 4;

    public static final MapValue EMPTY = new MapValue(Shape.EMPTY, new Value[0]);

    private final Shape shape;
    private final Value[] values;
    private final long weight;
    private final int depth;
    private final Secrecy secrecy;
    private Fingerprint fingerprint;

    private MapValue(Shape shape, Value[] values) {
        this(shape, values, Secrecy.of(values));
    }

    private MapValue(Shape shape, Value[] values, Secrecy secrecy) {
        this.shape = shape;
        this.values = values;
        this.secrecy = secrecy;
        long sum = 2L + Math.max(0, values.length - 1) + shape.weight();
        int deepest = 0;
        for (Value value : values) {
            sum += value.weight();
            deepest = Math.max(deepest, value.depth());
        }
        this.weight = Math.min(sum, WEIGHT_CAP);
        this.depth = deepest + 1;
    }

    private MapValue(Shape shape, Value[] values, long weight, int depth, Secrecy secrecy) {
        this.shape = shape;
        this.values = values;
        this.secrecy = secrecy;
        this.weight = Math.min(weight, WEIGHT_CAP);
        this.depth = depth;
    }

    public static MapValue of(String key, Value value) {
        return new MapValue(Shape.of(key), new Value[] {value});
    }

    /** A map with these entries, in their order. */
    public static MapValue of(Map<String, ? extends Value> entries) {
        Builder builder = builder();
        entries.forEach(builder::put);
        return builder.build();
    }

    public static Builder builder() {
        return new Builder();
    }

    public int size() {
        return values.length;
    }

    public boolean isEmpty() {
        return values.length == 0;
    }

    public boolean has(String key) {
        return shape.indexOf(key) >= 0;
    }

    /** The value under this key, or Java's null if there is no such key (a null value is {@link Null#NULL}). */
    public Value get(String key) {
        int index = shape.indexOf(key);
        return index < 0 ? null : values[index];
    }

    /** The text under this key; empty if there is none. */
    public String text(String key) {
        return get(key) instanceof Text text ? text.value() : "";
    }

    /** The mapping under this key; empty if there is none. */
    public MapValue map(String key) {
        return get(key) instanceof MapValue map ? map : EMPTY;
    }

    /** The items of the list under this key; empty if there is none. */
    public List<Value> items(String key) {
        return get(key) instanceof ListValue list ? list.items() : List.of();
    }

    public String keyAt(int index) {
        return shape.keyAt(index);
    }

    public Value valueAt(int index) {
        return values[index];
    }

    public List<String> keys() {
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return shape.keyAt(index);
            }

            @Override
            public int size() {
                return values.length;
            }
        };
    }

    public void forEach(BiConsumer<? super String, ? super Value> action) {
        for (int i = 0; i < values.length; i++) {
            action.accept(shape.keyAt(i), values[i]);
        }
    }

    /** This map with the value under the key replaced in its position, or added as the last entry. */
    public MapValue with(String key, Value value) {
        int index = shape.indexOf(key);
        if (index < 0) {
            Value[] longer = Arrays.copyOf(values, values.length + 1);
            longer[values.length] = value;
            Shape more = shape.plus(key);
            long comma = values.length == 0 ? 0 : 1;
            return new MapValue(
                    more,
                    longer,
                    weight + comma + more.weight() - shape.weight() + value.weight(),
                    Math.max(depth, value.depth() + 1),
                    secrecy.added(value, isEmpty()));
        }
        return withValueAt(index, value);
    }

    /** This map with the value at a position replaced. */
    public MapValue withValueAt(int index, Value value) {
        Value old = values[index];
        if (old == value) {
            return this;
        }
        Value[] copy = values.clone();
        copy[index] = value;
        Secrecy after = secrecy.replaced(old, value, copy);
        if (weight == WEIGHT_CAP || (old.depth() + 1 == depth && value.depth() < old.depth())) {
            return new MapValue(shape, copy, after); // the sum is not known, or the deepest value may be gone
        }
        return new MapValue(
                shape, copy, weight - old.weight() + value.weight(), Math.max(depth, value.depth() + 1), after);
    }

    /**
     * This map with a function applied to every key and value. An entry for which the function returns Java's null is
     * removed. The same object if nothing changes.
     */
    public MapValue withEach(BiFunction<String, Value, Value> function) {
        Value[] changed = null; // copied when the first value differs
        int removed = 0;
        for (int i = 0; i < values.length; i++) {
            Value value = function.apply(shape.keyAt(i), values[i]);
            if (!isSame(value, values[i])) {
                changed = changed == null ? values.clone() : changed;
                changed[i] = value;
                removed += value == null ? 1 : 0;
            }
        }
        if (changed == null) {
            return this;
        }
        return removed == 0 ? new MapValue(shape, changed, secrecy.copied(changed)) : ofPresent(changed, removed);
    }

    private MapValue ofPresent(Value[] sparse, int absent) {
        String[] keys = new String[sparse.length - absent];
        Value[] present = new Value[keys.length];
        int count = 0;
        for (int i = 0; i < sparse.length; i++) {
            if (sparse[i] != null) {
                keys[count] = shape.keyAt(i);
                present[count++] = sparse[i];
            }
        }
        Secrecy after = secrecy.copied(present);
        return count == 0 && after == Secrecy.NONE ? EMPTY : new MapValue(Shape.of(keys), present, after);
    }

    /** This map without the key; the same object if it has none. */
    public MapValue without(String key) {
        int index = shape.indexOf(key);
        if (index < 0) {
            return this;
        }
        Value[] shorter = new Value[values.length - 1];
        System.arraycopy(values, 0, shorter, 0, index);
        System.arraycopy(values, index + 1, shorter, index, shorter.length - index);
        return new MapValue(shape.minus(index), shorter, secrecy.copied(shorter));
    }

    /** This map with the entries of another map added or replaced: the first level only, values are not merged. */
    public MapValue updatedWith(MapValue over) {
        Builder builder = builder();
        forEach(builder::put);
        over.forEach(builder::put);
        return builder.build(after(over));
    }

    /**
     * This map merged with another map. Where both have a map under a key, these two maps are merged in turn.
     * Everywhere else the value of the other map wins, null included. Lists are never merged.
     *
     * @param over the other map, whose values win
     * @param effort receives the number of entries that are about to be looked at or copied
     */
    public MapValue mergedWith(MapValue over, LongConsumer effort) {
        effort.accept(LOOK_UP * over.values.length + values.length);
        Value[] merged = null; // copied when the first value differs, measured once at the end
        Builder added = null;
        for (int i = 0; i < over.values.length; i++) {
            String key = over.shape.keyAt(i);
            Value value = over.values[i];
            int index = shape.indexOf(key);
            if (index < 0) {
                added = added == null ? builder() : added;
                added.add(key, value);
                continue;
            }
            Value old = values[index];
            value = old.mergedUnder(value, effort);
            if (!isSame(value, old)) {
                merged = merged == null ? values.clone() : merged;
                merged[index] = value;
            }
        }
        if (added != null) {
            effort.accept(LOOK_UP * (values.length + (long) added.keys.size()));
            Builder all = builder();
            for (int i = 0; i < values.length; i++) {
                all.add(shape.keyAt(i), merged == null ? values[i] : merged[i]);
            }
            added.build().forEach(all::add);
            return all.build(after(over));
        }
        return merged == null ? this : new MapValue(shape, merged, after(over).copied(merged));
    }

    @Override
    public Value mergedUnder(Value over, LongConsumer effort) {
        return over instanceof MapValue map ? mergedWith(map, effort) : over;
    }

    /* What a copy of this map with entries of another one has been before: hidden keys of either stay hidden. */
    private Secrecy after(MapValue over) {
        return over.secrecy == Secrecy.CLOSED ? Secrecy.CLOSED : secrecy;
    }

    /* Compares objects, because this is only about sharing: equal content in another object does no harm. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Value one, Value other) {
        return one == other;
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
        return "mapping";
    }

    @Override
    public boolean isSecret() {
        return secrecy.isWhole();
    }

    /** Whether its keys were made of secrets, so that nobody may see them. */
    public boolean isClosed() {
        return secrecy == Secrecy.CLOSED;
    }

    @Override
    public boolean hasSecrets() {
        return secrecy != Secrecy.NONE;
    }

    @Override
    public boolean hasSealed() {
        return hasSecrets() && Arrays.stream(values).anyMatch(Value::hasSealed);
    }

    @Override
    public MapValue secretIf(boolean isSo) {
        return isSo ? secret() : this;
    }

    @Override
    public MapValue secret() {
        return isSecret() ? this : secret(Secrecy.WHOLE);
    }

    /** The same map, {@linkplain #secret secret}, and its keys too. */
    public MapValue closed() {
        return isClosed() ? this : secret(Secrecy.CLOSED);
    }

    private MapValue secret(Secrecy after) {
        Value[] secret = values.clone();
        for (int i = 0; i < secret.length; i++) {
            secret[i] = secret[i].secret();
        }
        return new MapValue(shape, secret, weight, depth, after);
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

    /** The price of sorting the keys, in values that could be looked at instead. */
    public long sortingEffort() {
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(values.length);
        return doublings * (values.length + shape.weight() / 32) / 2;
    }

    /** The value whose key has this position among the sorted keys. Equal maps have the same order of sorted keys. */
    public Value valueInSortedOrder(int index) {
        return values[shape.sortedOrder()[index]];
    }

    boolean needsNoEscapes() {
        return shape.isUnescaped();
    }

    int[] sortedOrder() {
        return shape.sortedOrder();
    }

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        if (!(other instanceof MapValue map) || map.values.length != values.length || map.weight != weight) {
            return false;
        }
        if (map.shape == shape) {
            return Arrays.equals(map.values, values);
        }
        for (int i = 0; i < values.length; i++) {
            if (!values[i].equals(map.get(shape.keyAt(i)))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (int i = 0; i < values.length; i++) {
            hash += TextHash.of(TextHash.of(shape.keyAt(i)), values[i].hashCode());
        }
        return hash;
    }

    @Override
    public String toString() {
        return "MapValue" + keys();
    }

    /** Collects entries; a key put twice keeps its first position and its last value. */
    public static final class Builder {

        private final List<String> keys = new ArrayList<>();
        private final List<Value> values = new ArrayList<>();
        private Map<String, Integer> positions; // only once a linear search would be slow

        private Builder() {}

        public Builder put(String key, Value value) {
            int index = indexOf(key);
            if (index >= 0) {
                values.set(index, value);
                return this;
            }
            return add(key, value);
        }

        /** Adds an entry of which the caller knows that its key is new. That saves looking for it. */
        public Builder add(String key, Value value) {
            assert !has(key) : "the key is there already";
            if (positions != null) {
                positions.put(key, keys.size());
            }
            keys.add(key);
            values.add(value);
            return this;
        }

        public boolean has(String key) {
            return indexOf(key) >= 0;
        }

        public int size() {
            return keys.size();
        }

        /** The position of a key among those that were put, or -1. */
        public int indexOf(String key) {
            if (positions == null) {
                if (keys.size() <= 8) {
                    return keys.indexOf(key);
                }
                positions = new HashMap<>();
                for (int i = 0; i < keys.size(); i++) {
                    positions.put(keys.get(i), i);
                }
            }
            return positions.getOrDefault(key, -1);
        }

        public MapValue build() {
            return build(Secrecy.NONE);
        }

        private MapValue build(Secrecy before) {
            Value[] inOrder = valuesInOrder();
            Secrecy after = before.copied(inOrder);
            return keys.isEmpty() && after == Secrecy.NONE
                    ? EMPTY
                    : new MapValue(Shape.of(keysInOrder()), inOrder, after);
        }

        /** The same map; it shares its keys with another map that has the same ones, if that was built a moment ago. */
        public MapValue build(RecentShapes recent) {
            return keys.isEmpty() ? EMPTY : new MapValue(recent.shape(keysInOrder()), valuesInOrder());
        }

        private String[] keysInOrder() {
            return keys.toArray(String[]::new);
        }

        private Value[] valuesInOrder() {
            return values.toArray(Value[]::new);
        }
    }
}
