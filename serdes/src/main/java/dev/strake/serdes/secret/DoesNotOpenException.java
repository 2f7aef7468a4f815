package dev.strake.serdes.secret;

/** Thrown if decryption fails although the key is present: the data was modified, or encrypted for another place. */
public final class DoesNotOpenException extends RuntimeException {

    public DoesNotOpenException() {
        super("it was changed, or encrypted for another place");
    }
}
