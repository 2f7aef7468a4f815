package dev.strake.engine.identity;

import dev.strake.engine.tree.Hasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A 256-bit number by which sets of rendered records are compared.
 *
 * <p>The digest of one record is {@code SHA-256(schema "|" name "\n" value)}, all in UTF-8, read as a big-endian
 * number; the digest of a set is the sum of those of its records, modulo 2<sup>256</sup>. So it does not depend on
 * order, is updated in constant time, and a consumer can compute it from the records it holds. The workspace is not part of
 * it: two workspaces with the same records have the same digest.
 *
 * <p>It detects accidental differences. It does not protect against records that were made to collide.
 */
public record Digest(long a, long b, long c, long d) {

    public static final Digest ZERO = new Digest(0, 0, 0, 0);

    private static final byte[] NEWLINE = {'\n'};
    private static final Digest ONE = new Digest(0, 0, 0, 1);

    public static Digest of(DocumentKey key, byte[] value) {
        return of((key.schema() + "|" + key.name()).getBytes(StandardCharsets.UTF_8), value);
    }

    /**
     * The digest of one record as a consumer received it.
     *
     * @param key the bytes of the record's key after the workspace and the bar
     */
    public static Digest of(byte[] key, byte[] value) {
        return ofBytes(Hasher.ofThread().bytes(key, NEWLINE, value));
    }

    public static Digest ofBytes(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Digest(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
    }

    /** The 32 bytes of the digest, the most significant first. */
    public byte[] bytes() {
        return ByteBuffer.allocate(32)
                .putLong(a)
                .putLong(b)
                .putLong(c)
                .putLong(d)
                .array();
    }

    public Digest plus(Digest other) {
        long sumD = d + other.d;
        long carryD = carry(d, other.d, sumD);
        long sumC = c + other.c + carryD;
        long carryC = carry(c, other.c, sumC);
        long sumB = b + other.b + carryC;
        long carryB = carry(b, other.b, sumB);
        return new Digest(a + other.a + carryB, sumB, sumC, sumD);
    }

    public Digest minus(Digest other) {
        return plus(other.negated());
    }

    /* The two's complement. */
    private Digest negated() {
        return new Digest(~a, ~b, ~c, ~d).plus(ONE);
    }

    /* The carry out of the highest bit, with or without a carry from below. */
    private static long carry(long one, long other, long sum) {
        return ((one & other) | ((one | other) & ~sum)) >>> 63;
    }

    /** 64 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes());
    }
}
