package dev.strake.engine.tree;

import java.nio.ByteBuffer;

/**
 * The first 128 bits of the SHA-256 of a value's JSON: what early cut-off compares instead of the values themselves, so
 * that nobody has to keep or load the old ones.
 *
 * <p>There are two of each value. That of its {@linkplain Value#fingerprint() content} sorts the keys and decides what
 * is news to consumers. That of a value {@linkplain #asWritten as written} leaves them in their order and decides what
 * has to be rendered again, because what is rendered keeps that order.
 */
public record Fingerprint(long high, long low) {

    static Fingerprint of(Value value) {
        return of(value, true);
    }

    /** That of a value with its keys in their order: equal for values that are the same JSON to the byte. */
    public static Fingerprint asWritten(Value value) {
        return of(value, false);
    }

    private static Fingerprint of(Value value, boolean sorted) {
        return of(Hasher.ofThread().json(value, sorted));
    }

    private static Fingerprint of(byte[] hash) {
        ByteBuffer first = ByteBuffer.wrap(hash);
        return new Fingerprint(first.getLong(), first.getLong());
    }

    /** The fingerprint of two things in this order. */
    public Fingerprint and(Fingerprint other) {
        ByteBuffer both = ByteBuffer.allocate(32);
        both.putLong(high).putLong(low).putLong(other.high).putLong(other.low);
        return of(Hasher.ofThread().bytes(both.array()));
    }
}
