package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;

/** The current position of a reader in its text; creates its exceptions. Lines and columns count from 1. */
interface Position {

    String source();

    int line();

    int column();

    /** Line and column in one number, which is cheap to store for every key. */
    default long mark() {
        return mark(line(), column());
    }

    static long mark(int line, int column) {
        return (long) line << Integer.SIZE | column;
    }

    /** The position as a location for problems. */
    default Location location() {
        return new Location(source(), line(), column());
    }

    /** Creates the exception for a malformed text. */
    default UnreadableTextException invalid(String message, String hint) {
        return refuse(ProblemCode.INVALID_YAML, message, hint);
    }

    /** Creates the exception for a text that exceeds a limit. */
    default UnreadableTextException beyond(String message, String hint) {
        return refuse(ProblemCode.LIMIT_EXCEEDED, message, hint);
    }

    private UnreadableTextException refuse(ProblemCode code, String message, String hint) {
        String place = "line " + line() + ", column " + column() + ": ";
        return new UnreadableTextException(
                Problem.of(code, place + message, hint).at(location()));
    }

    /** A fixed position. */
    record At(String source, int line, int column) implements Position {

        /** Returns the position of a character in a text. */
        static At offset(String source, CharSequence text, int offset) {
            int line = 1;
            int column = 1;
            for (int i = 0; i < offset; i++) {
                if (text.charAt(i) == '\n') {
                    line++;
                    column = 1;
                } else {
                    column++;
                }
            }
            return new At(source, line, column);
        }
    }
}
