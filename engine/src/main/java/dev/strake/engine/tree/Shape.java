package dev.strake.engine.tree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The keys of a {@link MapValue} in their order, without the values: shared by all maps that came from one another
 * by changing values only.
 */
final class Shape {

    static final Shape EMPTY = of();

    /** Up to here a scan over references and cached hash codes beats a table. */
    private static final int SCAN_LIMIT = 8;

    /** A shape that only leads to the next one, one key longer, is asked no more often: a table would not pay off. */
    private static final int FIRST_LOOKUPS = 2;

    /** A table this crowded in one place is no use; at half load honest keys stay far below. */
    private static final int MOST_PROBES = 128;

    /** Up to here inserting beats sorting. */
    private static final int INSERTION_LIMIT = 24;

    private static final int[] CROWDED = new int[0];

    private final String[] keys;
    private final long weight;
    private final boolean unescaped;
    private volatile int[] table; // open addressing: position + 1, 0 where free; built when first needed
    private int lookups; // a race only counts too few
    private volatile int[] sortedOrder; // the numbers in an array are seen by other threads for sure only behind these

    private Shape(String[] keys, long weight, boolean unescaped) {
        this.keys = keys;
        this.weight = weight;
        this.unescaped = unescaped;
    }

    /** The array is taken over, not copied. */
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
        return of(shorter); // the key that has to be escaped may be gone
    }

    String keyAt(int index) {
        return keys[index];
    }

    /** Bytes that keys, their quotes and colons take in JSON. */
    long weight() {
        return weight;
    }

    /** Whether every key's JSON is itself between quotes, one byte for each character. */
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
        int[] slots = table();
        if (slots == CROWDED) {
            return search(key);
        }
        for (int slot = spread(key) & (slots.length - 1); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
            int index = slots[slot] - 1;
            if (keys[index].equals(key)) {
                return index;
            }
        }
        return -1;
    }

    /* For keys somebody chose so that their hash codes collide: no table could tell them apart quickly. */
    private int search(String key) {
        int[] order = sortedOrder();
        int low = 0;
        int high = order.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int comparison = keys[order[middle]].compareTo(key);
            if (comparison == 0) {
                return order[middle];
            }
            if (comparison < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** Positions in the order of sorted keys (by UTF-16 code unit), for hashing without regard to order. */
    int[] sortedOrder() {
        int[] order = sortedOrder;
        if (order == null) {
            order = keys.length <= INSERTION_LIMIT ? insertionOrder() : streamedOrder();
            sortedOrder = order; // a race only works it out twice
        }
        return order;
    }

    /* Every map that comes off the wire is hashed once, and nearly all are small. */
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

    private int[] table() {
        int[] slots = table;
        if (slots == null) {
            slots = new int[Integer.highestOneBit(keys.length * 2) * 2];
            for (int i = 0; i < keys.length; i++) {
                int slot = spread(keys[i]) & (slots.length - 1);
                int probes = 0;
                while (slots[slot] != 0 && probes++ < MOST_PROBES) {
                    slot = (slot + 1) & (slots.length - 1);
                }
                if (slots[slot] != 0) {
                    slots = CROWDED;
                    break;
                }
                slots[slot] = i + 1;
            }
            table = slots; // published complete; a race only builds it twice
        }
        return slots;
    }

    private static int spread(String key) {
        int hash = key.hashCode();
        return hash ^ (hash >>> 16);
    }
}
