package dev.strake.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Folds lines at blanks, so that a terminal breaks no word. A word that is longer than a line stays whole. */
public final class Folding {

    /* An escape sequence that changes the style and has no width. */
    private static final Pattern STYLE = Pattern.compile("\033\\[[0-9;]*m");

    /** The additional indent of the continuation lines. */
    public static final String INDENT = "    ";

    private Folding() {}

    /** Folds a line to a width. Continuation lines have a larger indent. */
    public static List<String> hanging(String line, int width) {
        String begin = " ".repeat(line.length() - line.stripLeading().length());
        return lines(line, width, begin + INDENT);
    }

    /**
     * Folds a line to a width.
     *
     * @param indent the start of continuation lines
     */
    public static List<String> lines(String line, int width, String indent) {
        List<String> lines = new ArrayList<>();
        String rest = line;
        while (rest.length() > width) {
            int end = end(rest, width);
            int begin = rest.length() - rest.stripLeading().length();
            int blank = rest.lastIndexOf(' ', end);
            int cut = blank > begin ? blank : rest.indexOf(' ', Math.max(begin, end));
            if (end == rest.length() || cut < 0) {
                break;
            }
            lines.add(rest.substring(0, cut).stripTrailing());
            rest = indent + rest.substring(cut).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /* Returns how many characters of a text fill a width. */
    private static int end(String text, int width) {
        Matcher style = STYLE.matcher(text);
        int end = width;
        while (end < text.length() && style.find() && style.start() <= end) {
            end += style.end() - style.start();
        }
        return Math.min(end, text.length());
    }
}
