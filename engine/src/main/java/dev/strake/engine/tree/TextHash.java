package dev.strake.engine.tree;

import java.security.SecureRandom;

/**
 * Hash codes of texts that authors choose. The hash codes that Java gives to texts are the same everywhere, so anybody can
 * name a hundred thousand documents in such a way that all of them have one, and each look-up becomes a search through all
 * of them. These hash codes differ from one run of the program to the next, so nobody knows which texts to take.
 *
 * <p>A text is read as a polynomial over the numbers up to a prime, 2<sup>61</sup> − 1, at a point that is drawn at random:
 *
 * <pre>
 *  "one text"  ──►  pieces of three characters   p1 = "one"   p2 = " te"   p3 = "xt"
 *              ──►  ((p1·x + p2)·x + p3)·x + length   modulo 2^61 − 1;   the lower 32 bits
 * </pre>
 *
 * Two polynomials of n pieces agree at n points at the most, so whatever two texts somebody has chosen before, they agree
 * with a probability of about n / 2<sup>31</sup> (Carter and Wegman, <i>Universal classes of hash functions</i>, 1979).
 *
 * <p>Java's own maps fall back on trees for keys that collide; the persistent maps of the graph keep a list. No library on the
 * class path of the engine has a hash code with a seed.
 *
 * <p>Nothing that is stored or told may depend on these hash codes, nor on the order of a map that uses them.
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

    /** The hash code of a pair, from those of its two parts. Such hash codes may be added for pairs in any order. */
    public static int of(int one, int other) {
        int hash = (int) times(other & 0xFFFF_FFFFL, one & 0xFFFF_FFFFL);
        // The sum of products for {a: x, b: y} is that for {a: y, b: x}. So the products are mixed before they are
        // added.
        hash = (hash ^ hash >>> 16) * 0x85EB_CA6B;
        hash = (hash ^ hash >>> 13) * 0xC2B2_AE35;
        return hash ^ hash >>> 16;
    }

    /* (hash · POINT + piece) modulo PRIME. The hash is below 2^61 + 2^49, so the product is below 2^123, and what it and the
     * piece come to below 2^63. The result is not always the least one, but always the same. */
    private static long times(long piece, long hash) {
        long high = Math.multiplyHigh(hash, POINT);
        long low = hash * POINT;
        long folded = (low & PRIME) + (high << 3 | low >>> 61) + piece;
        return (folded & PRIME) + (folded >>> 61);
    }
}
