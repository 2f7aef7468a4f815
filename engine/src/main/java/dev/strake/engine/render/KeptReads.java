package dev.strake.engine.render;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.tree.Value;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What reads at a path found in rendered data, by the hash of the data. An owner that reads thousands of documents and is
 * evaluated again because one of them changed need not load the others: nothing else of them is wanted than what they
 * contributed before. Those used longest ago make room. It saves work and changes no result, and the work is counted as if it
 * was done again. Several threads may use it.
 */
public final class KeptReads {

    /** Enough for a hundred thousand short values. */
    private static final long BYTES = 16L << 20;

    private static final int OF_ENTRY = 150;

    private final Map<Place, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final long most;
    private long held;

    /**
     * A path in some data.
     *
     * @param data hash of the data as written
     */
    private record Place(Fingerprint data, String path) {

        @Override
        public int hashCode() {
            return TextHash.of(data.hashCode(), TextHash.of(path));
        }
    }

    /**
     * What was found.
     *
     * @param fingerprint of the value, or that there is none
     * @param value null if there is none
     * @param steps what it cost to look at the data
     * @param spent what it cost of the owner's budget
     */
    record Kept(Fingerprint fingerprint, Value value, long steps, long spent) {

        @Override
        public String toString() {
            return "Kept[" + fingerprint + "]"; // the value may be secret
        }
    }

    KeptReads() {
        this(BYTES);
    }

    KeptReads(long bytes) {
        most = bytes;
    }

    /** What a read found; null if it has to be carried out. */
    synchronized Kept get(Fingerprint data, String path) {
        return kept.get(new Place(data, path));
    }

    /** Remembers what a read found. */
    synchronized void put(Fingerprint data, String path, Kept found) {
        Kept before = kept.put(new Place(data, path), found);
        held += weight(found) - (before == null ? 0 : weight(before));
        for (Iterator<Kept> eldest = kept.values().iterator(); held > most && eldest.hasNext(); ) {
            held -= weight(eldest.next());
            eldest.remove();
        }
    }

    private static long weight(Kept each) {
        return OF_ENTRY + (each.value == null ? 0 : 2 * each.value.weight());
    }

    /** About how much heap it takes, in bytes. */
    synchronized long held() {
        return held;
    }
}
