package dev.strake.engine.pattern;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression in Python's notation, run in linear time. Authors wrote their patterns for Python's
 * {@code re}; whatever a backtracking engine is needed for (look-around, back-references) is refused, because one
 * pattern of one author must not stop everybody else's documents.
 */
public final class TextPattern {

    /** Bounds the automaton: matching costs its size for each character. */
    private static final int MAX_LENGTH = 1_000;

    private static final String SPECIAL = "\\.^$*+?{}[]()|";

    private final Pattern pattern; // null for a literal
    private final String literal; // null for any other
    private final boolean endsBeforeNewline;
    private long produced;

    private TextPattern(Pattern pattern, String literal, boolean endsBeforeNewline) {
        this.pattern = pattern;
        this.literal = literal;
        this.endsBeforeNewline = endsBeforeNewline;
    }

    /**
     * Compiles a pattern.
     *
     * @throws IllegalArgumentException if this is no regular expression, or none that runs in linear time; the
     *     message is fit for the author
     */
    public static TextPattern of(String python) {
        if (python.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the pattern is longer than " + MAX_LENGTH + " characters");
        }
        if (isLiteral(python)) {
            return new TextPattern(null, python, false);
        }
        PythonSyntax syntax = new PythonSyntax(python);
        String translated = syntax.translate();
        try {
            return new TextPattern(Pattern.compile(translated), null, syntax.sawEndAnchor());
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "the pattern is no regular expression that runs in linear time: " + e.getDescription()
                            + " (look-around and back-references are not available)",
                    e);
        }
    }

    /* Nearly every pattern of a destination is one word, such as DB_NAME: to find it takes no automaton. */
    private static boolean isLiteral(String python) {
        return !python.isEmpty() && python.chars().allMatch(c -> c >= ' ' && c <= '~' && SPECIAL.indexOf(c) < 0);
    }

    /** The number of capturing groups. */
    public int groups() {
        return literal == null ? pattern.groupCount() : 0;
    }

    /** The first match's start, end and one of its groups; Java's null if nothing matches. */
    public Match search(String text, int from, int group) {
        Match whole = find(text, from, group);
        if (endsBeforeNewline && text.endsWith("\n") && from < text.length()) {
            // Python's $ also matches before a final newline: look there too, the earlier match wins.
            Match before = find(text.substring(0, text.length() - 1), from, group);
            if (before != null && (whole == null || before.start < whole.start)) {
                return before;
            }
        }
        return whole;
    }

    private Match find(String searched, int from, int group) {
        if (literal != null) {
            int found = searched.indexOf(literal, from);
            return found < 0 ? null : new Match(found, found + literal.length(), literal);
        }
        Matcher matcher = pattern.matcher(searched);
        if (!matcher.find(from)) {
            return null;
        }
        return new Match(matcher.start(), matcher.end(), matcher.group(group));
    }

    /**
     * The text with every match replaced by another text, taken literally. The same object if nothing matches.
     *
     * @param most characters that this and earlier calls may make together: a pattern can match everywhere
     * @throws IllegalArgumentException if they make more
     */
    public String replaceAll(String text, String replacement, long most) {
        StringBuilder result = null;
        int copied = 0;
        int from = 0;
        Match match;
        while (from <= text.length() && (match = search(text, from, 0)) != null) {
            if (result == null) {
                result = new StringBuilder();
            }
            produced += match.start - copied + (long) replacement.length();
            if (produced > most) {
                throw new IllegalArgumentException("replacing the pattern makes more than " + most + " characters");
            }
            result.append(text, copied, match.start).append(replacement);
            copied = match.end;
            // Behind an empty match the search has to move on, and must not stop between surrogates.
            from = match.end > match.start ? match.end : next(text, match.end);
        }
        return result == null
                ? text
                : result.append(text, copied, text.length()).toString();
    }

    private static int next(String text, int position) {
        return position < text.length() ? text.offsetByCodePoints(position, 1) : position + 1;
    }

    /**
     * A place in a text where the pattern matches.
     *
     * @param group null if the group took no part in the match
     */
    public record Match(int start, int end, String group) {

        @Override
        public String toString() {
            return "Match[" + start + ", " + end + "]"; // the group's text may be secret
        }
    }
}
