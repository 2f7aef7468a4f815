package dev.strake.serdes.secret;

import java.nio.ByteBuffer;

/**
 * The prefix of every ciphertext of Strake, which is the prefix of the library Tink:
 *
 * <pre>
 *  1  id of the key: 4 bytes  what the algorithm makes
 * </pre>
 */
public final class Ciphertext {

    private static final byte TINK = 1;

    /** The length of the prefix. */
    public static final int PREFIX_BYTES = 1 + Integer.BYTES;

    private Ciphertext() {}

    /**
     * Returns the id of the key that encrypted the data.
     *
     * @throws DoesNotOpenException if the bytes are not a ciphertext
     */
    public static int keyOf(byte[] sealed) {
        if (sealed.length < PREFIX_BYTES || sealed[0] != TINK) {
            throw new DoesNotOpenException();
        }
        return ByteBuffer.wrap(sealed, 1, Integer.BYTES).getInt();
    }
}
