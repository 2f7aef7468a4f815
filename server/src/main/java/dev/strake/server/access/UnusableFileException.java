package dev.strake.server.access;

/** A file is not what it has to be. The message ends the sentence "the file X cannot be used:". */
final class UnusableFileException extends Exception {

    private static final long serialVersionUID = 1L;

    UnusableFileException(String message) {
        super(message);
    }

    UnusableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
