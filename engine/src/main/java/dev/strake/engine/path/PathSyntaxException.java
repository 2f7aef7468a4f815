package dev.strake.engine.path;

/** Signals that a text is not a path. The message says where parsing stopped; paths are not secret. */
public final class PathSyntaxException extends Exception {

    PathSyntaxException(String path, int at, String why) {
        super("the path '" + path + "' cannot be parsed at position " + (at + 1) + ": " + why);
    }
}
