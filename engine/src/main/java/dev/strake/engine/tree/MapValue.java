package dev.strake.engine.tree;

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
public final class MapValue extends Container {

    /** The cost of looking up a key, or of adding a key to a builder, in visits of a value. */
    private static final long LOOK_UP = 4;

    public static final MapValue EMPTY = new MapValue(Shape.EMPTY, new Value[0]);

    private final Shape shape;

    private MapValue(Shape shape, Value[] values) {
        this(shape, values, Secrecy.of(values));
    }

    private MapValue(Shape shape, Value[] values, Secrecy secrecy) {
        super(values, shape.weight(), secrecy);
        this.shape = shape;
    }

    private MapValue(Shape shape, Value[] values, long weight, int depth, Secrecy secrecy) {
        super(values, weight, depth, secrecy);
        this.shape = shape;
    }

    @Override
    MapValue with(Value[] others, Secrecy after) {
        return new MapValue(shape, others, after);
    }

    @Override
    MapValue with(Value[] others, long itsWeight, int itsDepth, Secrecy after) {
        return new MapValue(shape, others, itsWeight, itsDepth, after);
    }

    public static MapValue of(String key, Value value) {
        return new MapValue(Shape.of(key), new Value[] {value});
    }

    public static MapValue of(String key, String text) {
        return of(key, Text.orNull(text));
    }

    public static MapValue of(String key, long number) {
        return of(key, Num.of(number));
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

    public List<String> keys() {
        return shape.keys();
    }

    public void forEach(BiConsumer<? super String, ? super Value> action) {
        for (int i = 0; i < values.length; i++) {
            action.accept(shape.keyAt(i), values[i]);
        }
    }

    /** This map with the value under the key replaced in its position, or added as the last entry. */
    public MapValue with(String key, Value value) {
        int index = shape.indexOf(key);
        if (index >= 0) {
            return withValueAt(index, value);
        }
        Value[] longer = Arrays.copyOf(values, values.length + 1);
        longer[values.length] = value;
        return new MapValue(shape.plus(key), longer, secrecy.added(value, isEmpty()));
    }

    /** As {@link #with(String, Value)}, with a text; Java's null becomes {@link Null#NULL}. */
    public MapValue with(String key, String text) {
        return with(key, Text.orNull(text));
    }

    public MapValue with(String key, long number) {
        return with(key, Num.of(number));
    }

    public MapValue with(String key, boolean flag) {
        return with(key, Bool.of(flag));
    }

    /** This map with the value at a position replaced. */
    public MapValue withValueAt(int index, Value value) {
        return (MapValue) replaced(index, value);
    }

    /**
     * This map with a function applied to every key and value. An entry for which the function returns Java's null is
     * removed. The same object if nothing changes.
     */
    public MapValue withEach(BiFunction<String, Value, Value> function) {
        Value[] changed = changed((i, value) -> function.apply(shape.keyAt(i), value));
        if (changed == null) {
            return this;
        }
        if (!Arrays.asList(changed).contains(null)) {
            return with(changed, secrecy.copied(changed));
        }
        Builder left = builder();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] != null) {
                left.add(shape.keyAt(i), changed[i]);
            }
        }
        return left.build(secrecy);
    }

    /** This map without the key; the same object if it has none. */
    public MapValue without(String key) {
        int index = shape.indexOf(key);
        if (index < 0) {
            return this;
        }
        Value[] left = valuesWithout(index);
        return new MapValue(shape.minus(index), left, secrecy.copied(left));
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
     * @param effort receives the number of entries that are about to be read or copied
     */
    public MapValue mergedWith(MapValue over, LongConsumer effort) {
        effort.accept(LOOK_UP * over.values.length + values.length);
        Value[] merged = null; // copied when the first value differs, measured once at the end
        Builder added = null;
        for (int i = 0; i < over.values.length; i++) {
            int index = shape.indexOf(over.shape.keyAt(i));
            if (index < 0) {
                added = added == null ? builder() : added;
                added.add(over.shape.keyAt(i), over.values[i]);
            } else {
                Value value = values[index].mergedUnder(over.values[i], effort);
                if (!isSame(value, values[index])) {
                    merged = merged == null ? values.clone() : merged;
                    merged[index] = value;
                }
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
        return merged == null ? this : with(merged, after(over).copied(merged));
    }

    @Override
    public Value mergedUnder(Value over, LongConsumer effort) {
        return over instanceof MapValue map ? mergedWith(map, effort) : over;
    }

    /* The secrecy of this map before it takes entries of another one: hidden keys of either stay hidden. */
    private Secrecy after(MapValue over) {
        return over.secrecy == Secrecy.CLOSED ? Secrecy.CLOSED : secrecy;
    }

    @Override
    public String kind() {
        return "mapping";
    }

    /** Whether the keys of this map were made from secrets and must be hidden. */
    public boolean isClosed() {
        return secrecy == Secrecy.CLOSED;
    }

    @Override
    public MapValue secret() {
        return (MapValue) super.secret();
    }

    /** This map, {@linkplain #secret secret}, with secret keys. */
    public MapValue closed() {
        return isClosed() ? this : (MapValue) secret(Secrecy.CLOSED);
    }

    /** The cost of sorting the keys, in visits of a value. */
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
        if (!(other instanceof MapValue map) || map.values.length != values.length || map.weight() != weight()) {
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

        /** As {@link #put(String, Value)}, with a text; Java's null becomes {@link Null#NULL}. */
        public Builder put(String key, String text) {
            return put(key, Text.orNull(text));
        }

        public Builder put(String key, long number) {
            return put(key, Num.of(number));
        }

        public Builder put(String key, boolean flag) {
            return put(key, Bool.of(flag));
        }

        /** Adds an entry with a key that is not in the builder yet. Saves the lookup of {@link #put}. */
        public Builder add(String key, Value value) {
            assert !has(key) : "the key exists already";
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

        /** The position of a key, or -1 if the key is missing. */
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
            Value[] inOrder = values.toArray(Value[]::new);
            Secrecy after = before.copied(inOrder);
            return keys.isEmpty() && after == Secrecy.NONE
                    ? EMPTY
                    : new MapValue(Shape.of(keys.toArray(String[]::new)), inOrder, after);
        }

        /** Builds the map. It shares its keys with a recently built map that has the same keys. */
        public MapValue build(RecentShapes recent) {
            return keys.isEmpty()
                    ? EMPTY
                    : new MapValue(recent.shape(keys.toArray(String[]::new)), values.toArray(Value[]::new));
        }
    }
}
