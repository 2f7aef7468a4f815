package dev.strake.engine.problem;

/**
 * Where a text came from: for offline commands a file, for a change its part.
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
