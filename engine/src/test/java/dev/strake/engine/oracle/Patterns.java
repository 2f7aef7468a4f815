package dev.strake.engine.oracle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The regular expressions of test documents, evaluated by the engine of the JDK. */
final class Patterns {

    /* Patterns that need backtracking, or an unsupported notation; the engine rejects them on purpose. */
    private static final Pattern REFUSED =
            Pattern.compile("\\(\\?(=|!|<=|<!|P=|\\()|(?<!\\\\)(\\\\\\\\)*\\\\[1-9]|[*+?}]\\+");

    private static final String WORD = "\\\\p{L}\\\\p{N}_";
    private static final String SPACE = "\\\\t-\\\\r\\\\x1c-\\\\x20\\\\x85\\\\p{Z}";

    private Patterns() {}

    /**
     * A pattern in Python's notation.
     *
     * @throws IllegalArgumentException if the pattern is invalid, or may take more than linear time
     */
    static Pattern of(String python) {
        if (python.length() > 1_000 || REFUSED.matcher(python).find()) {
            throw new IllegalArgumentException("a pattern that is refused");
        }
        String java = python.replace("(?P<", "(?<")
                .replace("\\Z", "\\z")
                .replace("\\d", "\\p{Nd}")
                .replaceAll("\\\\w", "[" + WORD + "]")
                .replaceAll("\\\\s", "[" + SPACE + "]");
        try {
            return Pattern.compile(java, Pattern.UNIX_LINES);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Whether the pattern matches anywhere in a text. */
    static boolean finds(Pattern pattern, String text) {
        return pattern.matcher(text).find();
    }

    /**
     * Replaces every match with a literal text.
     *
     * @param made counts the characters written up to the last match, by all calls
     */
    static String replaceAll(Pattern pattern, String text, String inserted, long[] made) {
        Matcher matcher = pattern.matcher(text);
        StringBuilder result = new StringBuilder();
        int copied = 0;
        int from = 0;
        while (from <= text.length() && matcher.find(from)) {
            made[0] += matcher.start() - copied + inserted.length();
            result.append(text, copied, matcher.start()).append(inserted);
            copied = matcher.end();
            boolean empty = matcher.end() == matcher.start();
            from = !empty || copied == text.length() ? copied + (empty ? 1 : 0) : text.offsetByCodePoints(copied, 1);
        }
        return result.append(text, copied, text.length()).toString();
    }
}
