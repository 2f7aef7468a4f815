package dev.strake.engine.problem;

/**
 * The place where a text came from: a file for offline commands, a part of the change for changes.
 *
 * @param source file name or other origin, never null
 * @param line counted from 1
 * @param column in UTF-16 units, as editors and SARIF count them, from 1; 0 if only the line is known
 */
public record Location(String source, int line, int column) {

    /** A line as a whole. */
    public Location(String source, int line) {
        this(source, line, 0);
    }

    @Override
    public String toString() {
        return source + ":" + line + (column == 0 ? "" : ":" + column);
    }
}
