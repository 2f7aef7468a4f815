package dev.strake.client.tls;

/** A private key cannot be used. The message ends the sentence "the file X cannot be used:", and repeats nothing of a key. */
public final class UnusableKeyException extends Exception {

    private static final long serialVersionUID = 1L;

    UnusableKeyException(String message) {
        super(message);
    }

    UnusableKeyException(String message, Throwable cause) {
        super(message, cause);
    }
}
