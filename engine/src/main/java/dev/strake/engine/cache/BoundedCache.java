package dev.strake.engine.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Keeps values as long as there is room for them. Those used longest ago make room for others; only the last one added
 * stays in any case, because it is the one in use. Several threads may use it.
 */
public final class BoundedCache<K, V> {

    private final long most;
    private final BiConsumer<K, V> dropped;
    private final Map<K, Weighed<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    private record Weighed<V>(V value, long weight) {}

    /**
     * @param most the weight of all values together
     */
    public BoundedCache(long most) {
        this(most, (key, value) -> {});
    }

    /**
     * @param dropped is told what is not kept any more. It must not use the cache
     */
    public BoundedCache(long most, BiConsumer<K, V> dropped) {
        this.most = most;
        this.dropped = dropped;
    }

    /** The value of a key; null if it is not kept. */
    public synchronized V get(K key) {
        Weighed<V> found = entries.get(key);
        return found == null ? null : found.value();
    }

    /** Keeps a value, in the place of one that is kept under the same key. */
    public synchronized void put(K key, V value, long itsWeight) {
        Weighed<V> before = entries.put(key, new Weighed<>(value, itsWeight));
        weight += itsWeight - (before == null ? 0 : before.weight());
        Iterator<Map.Entry<K, Weighed<V>>> oldest = entries.entrySet().iterator();
        while (weight > most && entries.size() > 1) {
            drop(oldest.next(), oldest);
        }
    }

    /** Does not keep a value any longer. Nobody is told. */
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
