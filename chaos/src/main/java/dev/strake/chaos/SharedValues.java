package dev.strake.chaos;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Keeps one copy of large values that are equal. A publisher may send a hundred records that unpack to twelve megabytes of
 * the same blanks, and a history holds all records at once.
 */
final class SharedValues implements Deserializer<byte[]> {

    /** Of smaller values, what a copy takes does not matter. */
    private static final int LARGE = 64 << 10;

    private final Map<ByteBuffer, byte[]> large = new HashMap<>();

    @Override
    public byte[] deserialize(String topic, byte[] value) {
        return of(value);
    }

    /** The value itself, or one that is equal and was seen before. */
    byte[] of(byte[] value) {
        return value == null || value.length < LARGE
                ? value
                : large.computeIfAbsent(ByteBuffer.wrap(value), unseen -> value);
    }
}
