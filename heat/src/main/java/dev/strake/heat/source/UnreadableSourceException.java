package dev.strake.heat.source;

/** The content of a file cannot be parsed. */
public final class UnreadableSourceException extends RuntimeException {

    /** @param message the error, without the content of the file */
    public UnreadableSourceException(String message) {
        super(message, null, false, false);
    }
}
