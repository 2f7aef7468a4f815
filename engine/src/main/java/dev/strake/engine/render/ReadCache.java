package dev.strake.engine.render;

import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.tree.Value;

/**
 * A cache of values that owners read at a path of rendered data. The key is the hash of the data and the path. If one
 * of many documents that an owner reads changes, the others need not be loaded again. The cache changes no result, and
 * the work is counted as if it was done again. Thread-safe.
 */
public final class ReadCache {

    /** Enough for a hundred thousand short values. */
    private static final long BYTES = 16L << 20;

    private static final int OF_ENTRY = 150;

    private final BoundedCache<Spot, Kept> kept;

    /**
     * A path in some data.
     *
     * @param data the hash of the data as written
     */
    private record Spot(Fingerprint data, String path) {

        @Override
        public int hashCode() {
            return TextHash.of(data.hashCode(), TextHash.of(path));
        }
    }

    /**
     * The result of a read.
     *
     * @param fingerprint the fingerprint of the value, or one that stands for a missing value
     * @param value null if there is none
     * @param steps the work of reading the data
     * @param spent the cost in the owner's budget
     */
    record Kept(Fingerprint fingerprint, Value value, long steps, long spent) {

        @Override
        public String toString() {
            return "Kept[" + fingerprint + "]"; // the value may be secret
        }
    }

    ReadCache() {
        this(BYTES);
    }

    ReadCache(long bytes) {
        kept = new BoundedCache<>(bytes);
    }

    /** The cached result of a read; null if the read has to be carried out. */
    Kept get(Fingerprint data, String path) {
        return kept.get(new Spot(data, path));
    }

    /** Caches the result of a read. */
    void put(Fingerprint data, String path, Kept found) {
        kept.put(new Spot(data, path), found, weight(found));
    }

    private static long weight(Kept each) {
        return OF_ENTRY + (each.value == null ? 0 : 2 * each.value.weight());
    }
}
