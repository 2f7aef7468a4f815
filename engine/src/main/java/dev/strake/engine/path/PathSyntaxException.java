package dev.strake.engine.path;

/** Signals that a text is not a path. The message says where parsing stopped; paths are not secret. */
public final class PathSyntaxException extends Exception {

    private static final long serialVersionUID = 1L;

    PathSyntaxException(String path, int at, String why) {
        super("the path '" + path + "' cannot be parsed at position " + (at + 1) + ": " + why);
    }
}
