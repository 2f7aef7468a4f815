package dev.strake.engine.problem;

/**
 * The source position of a text: in a file for offline commands, in a part of the change for changes.
 *
 * @param source file name or other origin, never null
 * @param line counted from 1
 * @param column in UTF-16 units, as editors and SARIF count them, from 1; 0 if only the line is known
 */
public record Location(String source, int line, int column) {

    /** A position that covers a whole line. */
    public Location(String source, int line) {
        this(source, line, 0);
    }

    /** Escapes line breaks and control characters: names of files and documents may have any character. */
    public static String inOneLine(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isBreak = c == 0x2028 || c == 0x2029;
            if (c == '\n' || c == '\r' || c == '\t') {
                line.append(c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
            } else if (Character.isISOControl(c) || isBreak) {
                line.append("\\u%04x".formatted((int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }

    @Override
    public String toString() {
        return inOneLine(source) + ":" + line + (column == 0 ? "" : ":" + column);
    }
}
