package dev.strake.engine.path;

/** A place that cannot be written, because something on the way to it is not what the path expects. */
public final class PathConflictException extends Exception {

    private static final long serialVersionUID = 1L;

    PathConflictException(String message) {
        super(message);
    }
}
