package dev.strake.engine.tree;

import java.security.SecureRandom;

/**
 * Hash codes of texts that authors choose. {@link String#hashCode} is the same everywhere. So an attacker can choose a
 * hundred thousand document names with the same hash code, and each lookup becomes a scan of all of them. These hash
 * codes depend on a random number of each run of the program, so an attacker cannot predict them.
 *
 * <p>The pieces of a text are the coefficients of a polynomial modulo the prime 2<sup>61</sup> − 1, at a random x:
 *
 * <pre>
 *  "one text"  ──►  pieces of three characters   p1 = "one"   p2 = " te"   p3 = "xt"
 *              ──►  ((p1·x + p2)·x + p3)·x + length   modulo 2^61 − 1;   the lower 32 bits
 * </pre>
 *
 * Two polynomials of n pieces agree at n points at most. So two texts chosen in advance collide with a probability of
 * about n / 2<sup>31</sup> (Carter and Wegman, <i>Universal classes of hash functions</i>, 1979).
 *
 * <p>Java's maps fall back to trees for colliding keys; the persistent maps of the graph keep a list. No library on the
 * class path of the engine has a hash code with a seed.
 *
 * <p>No stored data and no output may depend on these hash codes, or on the order of a map that uses them.
 */
public final class TextHash {

    private static final long PRIME = (1L << 61) - 1;

    private static final long POINT = 1 + (new SecureRandom().nextLong() >>> 3) % (PRIME - 1);

    private TextHash() {}

    /** The hash code of a text. */
    public static int of(String text) {
        int length = text.length();
        long hash = 0;
        int i = 0;
        for (; i + 3 <= length; i += 3) {
            hash = times((long) text.charAt(i) << 32 | (long) text.charAt(i + 1) << 16 | text.charAt(i + 2), hash);
        }
        long last = 0;
        for (; i < length; i++) {
            last = last << 16 | text.charAt(i);
        }
        return (int) times(length, times(last, hash));
    }

    /** Combines the hash codes of a pair. Hash codes of several pairs may be added, if their order does not matter. */
    public static int of(int one, int other) {
        int hash = (int) times(other & 0xFFFF_FFFFL, one & 0xFFFF_FFFFL);
        // The sum of products for {a: x, b: y} is that for {a: y, b: x}. So the products are mixed before they are
        // added.
        hash = (hash ^ hash >>> 16) * 0x85EB_CA6B;
        hash = (hash ^ hash >>> 13) * 0xC2B2_AE35;
        return hash ^ hash >>> 16;
    }

    /* (hash · POINT + piece) modulo PRIME. The hash is below 2^61 + 2^49, so the product is below 2^123, and the folded
     * product plus the piece is below 2^63. The result may exceed PRIME, but equal inputs give equal results. */
    private static long times(long piece, long hash) {
        long high = Math.multiplyHigh(hash, POINT);
        long low = hash * POINT;
        long folded = (low & PRIME) + (high << 3 | low >>> 61) + piece;
        return (folded & PRIME) + (folded >>> 61);
    }
}
