package dev.strake.engine.tree;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

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
        return of(JsonBytes.sorted(value));
    }

    /** That of a value with its keys in their order: equal for values that are the same JSON to the byte. */
    public static Fingerprint asWritten(Value value) {
        return of(JsonBytes.of(value));
    }

    private static Fingerprint of(byte[] json) {
        ByteBuffer digest = ByteBuffer.wrap(sha256().digest(json));
        return new Fingerprint(digest.getLong(), digest.getLong());
    }

    /** The fingerprint of two things in this order. */
    public Fingerprint and(Fingerprint other) {
        ByteBuffer both = ByteBuffer.allocate(32);
        both.putLong(high).putLong(low).putLong(other.high).putLong(other.low);
        return of(both.array());
    }

    /** A new SHA-256, which every Java runtime must have. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a Java runtime without SHA-256", e);
        }
    }
}
