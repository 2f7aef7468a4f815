package dev.strake.client.tls;

/** A file is not what it has to be. The message ends the sentence "the file X cannot be used:", and repeats nothing of a key. */
public final class UnusableFileException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnusableFileException(String message) {
        super(message);
    }

    public UnusableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
