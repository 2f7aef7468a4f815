package dev.strake.engine.path;

/** A place that cannot be written, because a value on the path is not of the kind that the path needs. */
public final class PathConflictException extends Exception {

    PathConflictException(String message) {
        super(message);
    }
}
