package dev.strake.engine.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Caches values up to a total weight. Evicts the least recently used values first, but never the value added last,
 * because it is in use. Thread-safe.
 */
public final class BoundedCache<K, V> {

    private final long most;
    private final BiConsumer<K, V> dropped;
    private final Map<K, Weighed<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    private record Weighed<V>(V value, long weight) {}

    /**
     * @param most the maximum weight of all values together
     */
    public BoundedCache(long most) {
        this(most, (key, value) -> {});
    }

    /**
     * @param dropped called for each entry that is evicted or that {@link #removeIf} removes. Must not use the cache
     */
    public BoundedCache(long most, BiConsumer<K, V> dropped) {
        this.most = most;
        this.dropped = dropped;
    }

    /** The value of a key, or null. */
    public synchronized V get(K key) {
        Weighed<V> found = entries.get(key);
        return found == null ? null : found.value();
    }

    /** Caches a value. An earlier value of the key is replaced without a callback. */
    public synchronized void put(K key, V value, long itsWeight) {
        Weighed<V> before = entries.put(key, new Weighed<>(value, itsWeight));
        weight += itsWeight - (before == null ? 0 : before.weight());
        Iterator<Map.Entry<K, Weighed<V>>> oldest = entries.entrySet().iterator();
        while (weight > most && entries.size() > 1) {
            drop(oldest.next(), oldest);
        }
    }

    /** Removes a value without a callback. */
    public synchronized void remove(K key) {
        Weighed<V> before = entries.remove(key);
        weight -= before == null ? 0 : before.weight();
    }

    public synchronized void removeIf(Predicate<? super K> unwanted) {
        Iterator<Map.Entry<K, Weighed<V>>> all = entries.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<K, Weighed<V>> entry = all.next();
            if (unwanted.test(entry.getKey())) {
                drop(entry, all);
            }
        }
    }

    private void drop(Map.Entry<K, Weighed<V>> entry, Iterator<?> at) {
        K key = entry.getKey();
        V value = entry.getValue().value();
        weight -= entry.getValue().weight();
        at.remove();
        dropped.accept(key, value);
    }
}
