package dev.strake.engine.tree;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of many small values. A change hashes each of its documents about six times. Looking up the algorithm,
 * creating an instance and creating the text to hash took as long as the hashing itself. So each thread keeps one
 * instance and one buffer, and reuses them.
 */
public final class Hasher {

    private static final ThreadLocal<Hasher> OF_THREAD = ThreadLocal.withInitial(Hasher::new);

    /** Texts up to this size are written into a buffer that is kept; few documents are larger. */
    private static final int KEPT = 1 << 16;

    private final MessageDigest sha256 = sha256();
    private final byte[] hash = new byte[32];
    private byte[] buffer = new byte[1 << 12];

    private Hasher() {}

    /** The hasher of the calling thread; not to be passed to another thread. */
    public static Hasher ofThread() {
        return OF_THREAD.get();
    }

    /** A new SHA-256 digest, which every Java runtime must have: for data that arrives in pieces over a longer time. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime has no SHA-256", e);
        }
    }

    /** The hash in 64 hexadecimal digits. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(ofThread().bytes(bytes));
    }

    public static String hex(String text) {
        return hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of several pieces, one after the other: 32 bytes that are valid until the next call. */
    public byte[] bytes(byte[]... pieces) {
        sha256.reset(); // an exception may have left input behind
        for (byte[] piece : pieces) {
            sha256.update(piece);
        }
        return finish();
    }

    /** The hash of a value's JSON: 32 bytes that are valid until the next call. */
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
            throw new IllegalStateException("the SHA-256 hash has the wrong length", e);
        }
    }
}
