package dev.strake.serdes.keyset;

/** Thrown if a keyset cannot be read, written or used as requested. The message says why and quotes nothing of it. */
public final class UnusableKeysetException extends Exception {

    public UnusableKeysetException(String message) {
        super(message);
    }

    public UnusableKeysetException(String message, Throwable cause) {
        super(message, cause);
    }
}
