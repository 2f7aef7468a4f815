package dev.strake.engine.tree;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first 128 bits of the SHA-256 of a value's JSON with sorted keys: what early cut-off compares instead of the
 * values themselves, so that nobody has to keep or load the old ones.
 */
public record Fingerprint(long high, long low) {

    static Fingerprint of(Value value) {
        ByteBuffer digest = ByteBuffer.wrap(sha256().digest(JsonBytes.sorted(value)));
        return new Fingerprint(digest.getLong(), digest.getLong());
    }

    /** The fingerprint of two things in this order. */
    public Fingerprint and(Fingerprint other) {
        ByteBuffer both = ByteBuffer.allocate(32);
        both.putLong(high).putLong(low).putLong(other.high).putLong(other.low);
        ByteBuffer digest = ByteBuffer.wrap(sha256().digest(both.array()));
        return new Fingerprint(digest.getLong(), digest.getLong());
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
