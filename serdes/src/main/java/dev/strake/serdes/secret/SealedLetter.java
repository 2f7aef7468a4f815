package dev.strake.serdes.secret;

/**
 * The value of a dead letter, encrypted with the key for storage. A dead letter belongs to no workspace, so its secrets
 * are unknown and the whole value is encrypted. The associated data is the position of the original record:
 *
 * <pre>
 *  "strake dead letter"  topic  partition  offset
 *
 *  each text: its length in 4 bytes, then its UTF-8; numbers are decimal
 * </pre>
 */
public final class SealedLetter {

    /** An upper bound for what encryption adds to a value: the prefix, a nonce of 12 bytes and a tag of 16. */
    public static final int ADDED_BYTES = 64;

    private SealedLetter() {}

    /** Encrypts the value of a record. */
    public static byte[] seal(SecretKeys keys, byte[] value, String topic, int partition, long offset) {
        return keys.seal(Purpose.STORAGE, value, place(topic, partition, offset));
    }

    /**
     * Decrypts the value of a record.
     *
     * @throws SecretKeyNotFoundException if the key is not present
     * @throws DoesNotOpenException if the bytes are not a ciphertext, were modified, or belong to another record
     */
    public static byte[] open(SecretKeys keys, byte[] sealed, String topic, int partition, long offset) {
        return keys.open(Purpose.STORAGE, sealed, place(topic, partition, offset));
    }

    private static byte[] place(String topic, int partition, long offset) {
        return SealedData.place("strake dead letter", topic, Integer.toString(partition), Long.toString(offset));
    }
}
