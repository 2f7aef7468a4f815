package dev.strake.serdes.rendered;

import dev.strake.engine.tree.Fingerprint;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A hash over a set of rendered documents, whatever their order. Anybody who holds the records of a workspace can
 * compute it:
 *
 * <pre>
 * for each record      SHA-256( key, the byte 0x0A, value ), read as a 256-bit number, most significant byte first
 * the hash             the sum of these numbers modulo 2^256, written as 64 hexadecimal digits
 * </pre>
 *
 * <p>The value is the record's own bytes; in an outcome, the key is that of the record without the workspace in front
 * ({@code schema|name}), so that two workspaces with the same documents have the same hash. Tombstones do not count. The hash of no records is 64 zeros. A sum can
 * take a record in and out again, so it is kept up to date by what changed. It tells whether two sets are the same;
 * it is no defence against somebody who makes up documents in order to forge it.
 */
public final class ContentHash {

    /** The hash of no records. */
    public static final ContentHash EMPTY = new ContentHash(0, 0, 0, 0);

    private static final int BYTES = 32;

    // The 256-bit number, most significant first; each without sign.
    private final long a;
    private final long b;
    private final long c;
    private final long d;

    private ContentHash(long a, long b, long c, long d) {
        this.a = a;
        this.b = b;
        this.c = c;
        this.d = d;
    }

    /** The hash with one record more. */
    public ContentHash plus(byte[] key, byte[] value) {
        return plus(ofRecord(key, value));
    }

    /** The hash without a record that it counts. */
    public ContentHash minus(byte[] key, byte[] value) {
        return minus(ofRecord(key, value));
    }

    /** The hash of a set of one record. */
    public static ContentHash ofRecord(byte[] key, byte[] value) {
        MessageDigest sha = Fingerprint.sha256();
        sha.update(key);
        sha.update((byte) '\n');
        return of(sha.digest(value));
    }

    /** The hash of two sets without a common record. */
    public ContentHash plus(ContentHash other) {
        long sumD = d + other.d;
        long carry = Long.compareUnsigned(sumD, d) < 0 ? 1 : 0;
        long sumC = c + other.c + carry;
        carry = carry(c, other.c, carry);
        long sumB = b + other.b + carry;
        carry = carry(b, other.b, carry);
        return new ContentHash(a + other.a + carry, sumB, sumC, sumD);
    }

    /** The hash without a part of the set. */
    public ContentHash minus(ContentHash other) {
        // Two's complement: x - y = x + ~y + 1.
        ContentHash complement = new ContentHash(~other.a, ~other.b, ~other.c, ~other.d);
        return plus(complement).plus(new ContentHash(0, 0, 0, 1));
    }

    /* What x + y + carry leaves for the next number. */
    private static long carry(long x, long y, long carry) {
        long sum = x + y;
        boolean first = Long.compareUnsigned(sum, x) < 0;
        boolean second = carry == 1 && sum == -1L;
        return first || second ? 1 : 0;
    }

    /** The hash in 32 bytes. */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(a)
                .putLong(b)
                .putLong(c)
                .putLong(d)
                .array();
    }

    /** The hash in 64 digits. */
    public String hex() {
        return HexFormat.of().formatHex(bytes());
    }

    /**
     * The hash that 32 bytes stand for.
     *
     * @throws IllegalArgumentException for any other number of bytes
     */
    public static ContentHash of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a content hash has 32 bytes, not " + bytes.length);
        }
        ByteBuffer numbers = ByteBuffer.wrap(bytes);
        return new ContentHash(numbers.getLong(), numbers.getLong(), numbers.getLong(), numbers.getLong());
    }

    /** The {@code content-hash} of one rendered document: SHA-256 of the record's value, in 64 digits. */
    public static String ofValue(byte[] value) {
        return HexFormat.of().formatHex(Fingerprint.sha256().digest(value));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ContentHash hash && Arrays.equals(hash.bytes(), bytes());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(d);
    }

    @Override
    public String toString() {
        return hex();
    }
}
