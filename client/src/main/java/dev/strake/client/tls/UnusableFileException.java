package dev.strake.client.tls;

/**
 * The content of a file cannot be used. The message completes the sentence "the file X cannot be used:", and repeats
 * nothing of a key.
 */
public final class UnusableFileException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnusableFileException(String message) {
        super(message);
    }

    public UnusableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
