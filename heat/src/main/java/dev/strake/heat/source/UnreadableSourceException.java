package dev.strake.heat.source;

/** The content of a file cannot be parsed. */
public final class UnreadableSourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message the error, without the content of the file */
    public UnreadableSourceException(String message) {
        super(message, null, false, false);
    }
}
