package dev.strake.chaos;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps one copy of large values that are equal: a publisher may send a hundred records that unpack to twelve megabytes of
 * the same blanks.
 */
final class SharedValues {

    private static final int LARGE = 1 << 20;

    private final Map<ByteBuffer, byte[]> large = new HashMap<>();

    static boolean isLarge(byte[] value) {
        return value != null && value.length >= LARGE;
    }

    /** The large value itself, or one that is equal and was seen before. */
    byte[] of(byte[] value) {
        return large.computeIfAbsent(ByteBuffer.wrap(value), unseen -> value);
    }
}
