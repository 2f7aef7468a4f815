package dev.strake.serdes.change;

import java.util.Arrays;

/**
 * What one record of a change brings beside its envelope.
 *
 * <p>While a part waits for others it is stored as one run of bytes: its value, then its origins.
 *
 * @param value a complete text of its own, empty if the record had none
 * @param origins the header {@code origins} as it came; empty if the record had none
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their bytes, never as records
public record Payload(byte[] value, byte[] origins) {

    private static final byte[] NONE = new byte[0];

    /** A value without origins; null (in Kafka a tombstone) counts as an empty one. */
    public static Payload of(byte[] value) {
        return of(value, null);
    }

    /** A value with the origins of its documents; either may be null. */
    public static Payload of(byte[] value, byte[] origins) {
        return new Payload(value == null ? NONE : value, origins == null ? NONE : origins);
    }

    /**
     * Takes apart the bytes of a part that was stored.
     *
     * @param originBytes how many of them are its origins
     */
    public static Payload ofStored(byte[] bytes, int originBytes) {
        int end = bytes.length - originBytes;
        return originBytes == 0
                ? of(bytes)
                : new Payload(Arrays.copyOf(bytes, end), Arrays.copyOfRange(bytes, end, bytes.length));
    }

    public byte[] stored() {
        if (origins.length == 0) {
            return value;
        }
        byte[] all = Arrays.copyOf(value, value.length + origins.length);
        System.arraycopy(origins, 0, all, value.length, origins.length);
        return all;
    }

    /** How many bytes it counts of those that a change may have. */
    public long bytes() {
        return (long) value.length + origins.length;
    }

    /** Never shows what is in it. */
    @Override
    public String toString() {
        return "Payload[" + value.length + " bytes, " + origins.length + " bytes of origins]";
    }
}
