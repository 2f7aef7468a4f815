package dev.strake.serdes.secret;

/**
 * The value of a dead letter, encrypted with the key for storage. It belongs to no workspace, so nobody knows what in it is
 * secret: it is encrypted as a whole. It opens only with the place at which its record lay, which is its associated data:
 *
 * <pre>
 *  "strake dead letter"  topic  partition  offset
 *
 *  each text: its length in 4 bytes, then its UTF-8; numbers are decimal
 * </pre>
 */
public final class SealedLetter {

    /** More than encryption adds to a value: the prefix, a nonce of 12 bytes and a tag of 16. */
    public static final int ADDED_BYTES = 64;

    private SealedLetter() {}

    /** The value of a record, encrypted. */
    public static byte[] seal(SecretKeys keys, byte[] value, String topic, int partition, long offset) {
        return keys.seal(Purpose.STORAGE, value, place(topic, partition, offset));
    }

    /**
     * The value of a record as it came.
     *
     * @throws SecretKeyNotFoundException if the key is not here
     * @throws DoesNotOpenException if it is no ciphertext, was changed, or was made for another record
     */
    public static byte[] open(SecretKeys keys, byte[] sealed, String topic, int partition, long offset) {
        return keys.open(Purpose.STORAGE, sealed, place(topic, partition, offset));
    }

    private static byte[] place(String topic, int partition, long offset) {
        return SealedData.place("strake dead letter", topic, Integer.toString(partition), Long.toString(offset));
    }
}
