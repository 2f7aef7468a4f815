package dev.strake.engine.problem;

/**
 * The place where a text came from: a file for offline commands, a part of the change for changes.
 *
 * @param source file name or other origin, never null
 * @param line counted from 1
 */
public record Location(String source, int line) {

    @Override
    public String toString() {
        return source + ":" + line;
    }
}
