package dev.strake.engine.template.source;

import dev.strake.engine.problem.Location;

/** A file holds no tree. */
public final class UnreadableSourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Location location;

    /**
     * @param message what is wrong, without the content of the file
     * @param location where; null if it is the file as a whole
     */
    public UnreadableSourceException(String message, Location location) {
        super(message, null, false, false);
        this.location = location;
    }
}
