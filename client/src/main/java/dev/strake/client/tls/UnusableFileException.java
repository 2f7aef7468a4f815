package dev.strake.client.tls;

/**
 * The content of a file cannot be used. The message completes the sentence "the file X cannot be used:", and repeats
 * nothing of a key.
 */
public final class UnusableFileException extends Exception {

    public UnusableFileException(String message) {
        super(message);
    }

    public UnusableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
