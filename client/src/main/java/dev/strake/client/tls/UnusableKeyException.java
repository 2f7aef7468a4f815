package dev.strake.client.tls;

/** A private key cannot be used. The message ends the sentence "the file X cannot be used:", and repeats nothing of a key. */
public final class UnusableKeyException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean isLocked;

    private UnusableKeyException(String message, boolean isLocked, Throwable cause) {
        super(message, cause);
        this.isLocked = isLocked;
    }

    UnusableKeyException(String message) {
        this(message, false, null);
    }

    UnusableKeyException(String message, Throwable cause) {
        this(message, false, cause);
    }

    static UnusableKeyException locked() {
        return new UnusableKeyException("its private key is encrypted, and there is no password.", true, null);
    }

    /** Whether it wants a password, and there is none. */
    public boolean isLocked() {
        return isLocked;
    }
}
