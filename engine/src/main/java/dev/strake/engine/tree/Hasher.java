package dev.strake.engine.tree;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of small things, many times over. Every document is hashed half a dozen times on its way, and looking up the
 * algorithm, making an instance of it and a text to hash took as long as hashing did. So each thread has one of each,
 * and reuses them.
 */
public final class Hasher {

    private static final ThreadLocal<Hasher> OF_THREAD = ThreadLocal.withInitial(Hasher::new);

    /** Texts up to this size are written into a buffer that stays; few documents are larger. */
    private static final int KEPT = 1 << 16;

    private final MessageDigest sha256 = sha256();
    private final byte[] hash = new byte[32];
    private byte[] buffer = new byte[1 << 12];

    private Hasher() {}

    /** That of the calling thread; not to be handed to another one. */
    public static Hasher ofThread() {
        return OF_THREAD.get();
    }

    /** A new SHA-256, which every Java runtime must have: for what comes in pieces over a longer time. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a Java runtime without SHA-256", e);
        }
    }

    /** The hash of pieces one after the other: 32 bytes that are valid until the next call. */
    public byte[] bytes(byte[]... pieces) {
        sha256.reset(); // of what an exception may have left behind
        for (byte[] piece : pieces) {
            sha256.update(piece);
        }
        return finish();
    }

    /** The hash of a value's JSON, in the same way. */
    byte[] json(Value value, boolean sorted) {
        int length = Math.toIntExact(value.weight());
        byte[] text = length <= buffer.length ? buffer : new byte[Math.max(length, Math.min(2 * length, KEPT))];
        if (text.length <= KEPT) {
            buffer = text;
        }
        JsonBytes.write(value, sorted, text);
        sha256.reset();
        sha256.update(text, 0, length);
        return finish();
    }

    private byte[] finish() {
        try {
            sha256.digest(hash, 0, hash.length);
            return hash;
        } catch (DigestException e) {
            throw new IllegalStateException("a SHA-256 of another length", e);
        }
    }
}
