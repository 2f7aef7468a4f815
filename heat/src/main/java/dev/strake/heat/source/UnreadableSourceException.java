package dev.strake.heat.source;

/** A file holds no tree. */
public final class UnreadableSourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong, without the content of the file */
    public UnreadableSourceException(String message) {
        super(message, null, false, false);
    }
}
