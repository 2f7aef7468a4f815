package dev.strake.engine.tree;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The keys of a {@link MapValue} in their order, without the values. A map shares its shape with every map made from it
 * by changing values only.
 */
final class Shape {

    static final Shape EMPTY = of();

    /** Up to this many keys, scanning all of them is faster than a table. */
    private static final int SCAN_LIMIT = 8;

    /** The first lookups scan the keys: an intermediate shape gets no more lookups, so a table would not pay off. */
    private static final int FIRST_LOOKUPS = 2;

    /** Up to this many keys, an insertion sort is faster than a stream. */
    private static final int INSERTION_LIMIT = 24;

    private final String[] keys;
    private final long weight;
    private final boolean unescaped;
    private volatile Map<String, Integer> table; // built when first needed
    private int lookups; // a race only makes this count too low
    private volatile int[] sortedOrder; // volatile, like the table: other threads must see the content of the array

    private Shape(String[] keys, long weight, boolean unescaped) {
        this.keys = keys;
        this.weight = weight;
        this.unescaped = unescaped;
    }

    /** Creates a shape. The array is not copied. */
    static Shape of(String... keys) {
        long sum = 0;
        boolean allUnescaped = true;
        for (String key : keys) {
            long its = JsonBytes.weightOf(key);
            sum += its + 1; // the colon
            allUnescaped &= JsonBytes.isUnescaped(key, its);
        }
        return new Shape(keys, sum, allUnescaped);
    }

    /** Whether this shape has exactly these keys, in this order. */
    boolean isOf(String... others) {
        return Arrays.equals(keys, others);
    }

    Shape plus(String key) {
        String[] longer = Arrays.copyOf(keys, keys.length + 1);
        longer[keys.length] = key;
        long its = JsonBytes.weightOf(key);
        return new Shape(longer, weight + its + 1, unescaped && JsonBytes.isUnescaped(key, its));
    }

    Shape minus(int index) {
        String[] shorter = new String[keys.length - 1];
        System.arraycopy(keys, 0, shorter, 0, index);
        System.arraycopy(keys, index + 1, shorter, index, shorter.length - index);
        return of(shorter); // measured again: the removed key may have been the only one with escapes
    }

    List<String> keys() {
        return Collections.unmodifiableList(Arrays.asList(keys));
    }

    String keyAt(int index) {
        return keys[index];
    }

    /** The bytes of the keys in JSON, quotes and colons included. */
    long weight() {
        return weight;
    }

    /** Whether the JSON of every key is the key between quotes, one byte per character. */
    boolean isUnescaped() {
        return unescaped;
    }

    int indexOf(String key) {
        if (keys.length <= SCAN_LIMIT || (table == null && lookups++ < FIRST_LOOKUPS)) {
            for (int i = 0; i < keys.length; i++) {
                if (keys[i].equals(key)) {
                    return i;
                }
            }
            return -1;
        }
        return table().getOrDefault(key, -1);
    }

    /** The positions of the keys, sorted by key (by UTF-16 code unit): for hashes that ignore the order of keys. */
    int[] sortedOrder() {
        int[] order = sortedOrder;
        if (order == null) {
            order = keys.length <= INSERTION_LIMIT ? insertionOrder() : streamedOrder();
            sortedOrder = order; // a race only computes it twice
        }
        return order;
    }

    /* Every map that is received is hashed once, and nearly all maps are small. */
    private int[] insertionOrder() {
        int[] order = new int[keys.length];
        for (int i = 1; i < keys.length; i++) {
            int to = i;
            for (; to > 0 && keys[order[to - 1]].compareTo(keys[i]) > 0; to--) {
                order[to] = order[to - 1];
            }
            order[to] = i;
        }
        return order;
    }

    private int[] streamedOrder() {
        return IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparing(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private Map<String, Integer> table() {
        Map<String, Integer> positions = table;
        if (positions == null) {
            positions = new HashMap<>(2 * keys.length);
            for (int i = 0; i < keys.length; i++) {
                positions.put(keys[i], i);
            }
            table = positions; // published complete; a race only builds it twice
        }
        return positions;
    }
}
