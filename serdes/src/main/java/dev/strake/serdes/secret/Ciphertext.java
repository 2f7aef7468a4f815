package dev.strake.serdes.secret;

import java.nio.ByteBuffer;

/**
 * How every ciphertext of Strake begins. This is the prefix of the library Tink:
 *
 * <pre>
 *  1  id of the key: 4 bytes  what the algorithm makes
 * </pre>
 */
public final class Ciphertext {

    private static final byte TINK = 1;

    /** The bytes before what the algorithm makes. */
    public static final int PREFIX_BYTES = 1 + Integer.BYTES;

    private Ciphertext() {}

    /**
     * The id of the key with which something was encrypted.
     *
     * @throws DoesNotOpenException if this is no ciphertext
     */
    public static int keyOf(byte[] sealed) {
        if (sealed.length < PREFIX_BYTES || sealed[0] != TINK) {
            throw new DoesNotOpenException();
        }
        return ByteBuffer.wrap(sealed, 1, Integer.BYTES).getInt();
    }
}
