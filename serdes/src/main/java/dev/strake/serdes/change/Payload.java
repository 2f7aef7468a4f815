package dev.strake.serdes.change;

import java.util.Arrays;

/**
 * The value and the origins of one record of a change.
 *
 * <p>A part that waits for other parts is stored as one byte array: its value, then its origins.
 *
 * @param value a complete YAML or JSON text; empty if the record had no value
 * @param origins the header {@code origins}, unparsed; empty if the record had none
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their bytes, never as records
public record Payload(byte[] value, byte[] origins) {

    private static final byte[] NONE = new byte[0];

    /** Creates a payload without origins; null (a tombstone in Kafka) counts as an empty value. */
    public static Payload of(byte[] value) {
        return of(value, null);
    }

    /** Creates a payload from a value and the origins of its documents; either may be null. */
    public static Payload of(byte[] value, byte[] origins) {
        return new Payload(value == null ? NONE : value, origins == null ? NONE : origins);
    }

    /**
     * Splits the bytes of a stored part into value and origins.
     *
     * @param originBytes the length of the origins
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

    /** The bytes of this payload that count towards the size limit of the change. */
    public long bytes() {
        return (long) value.length + origins.length;
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "Payload[" + value.length + " bytes, " + origins.length + " bytes of origins]";
    }
}
