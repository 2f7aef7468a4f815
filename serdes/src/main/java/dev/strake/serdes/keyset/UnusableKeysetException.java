package dev.strake.serdes.keyset;

/** A keyset cannot be read or written, or not in this way. The message says why and quotes nothing of it. */
public final class UnusableKeysetException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnusableKeysetException(String message) {
        super(message);
    }

    public UnusableKeysetException(String message, Throwable cause) {
        super(message, cause);
    }
}
