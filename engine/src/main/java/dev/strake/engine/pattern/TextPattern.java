package dev.strake.engine.pattern;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.strake.engine.limit.Budget;

/**
 * A regular expression in Python's notation, run in linear time. Authors wrote their patterns for Python's
 * {@code re}; whatever a backtracking engine is needed for (look-around, back-references) is refused, because one
 * pattern of one author must not stop everybody else's documents.
 */
public final class TextPattern {

    /** Bounds the automaton: matching costs its size for each character. */
    private static final int MAX_LENGTH = 1_000;

    private static final String SPECIAL = "\\.^$*+?{}[]()|";

    /** To read a pattern and to unroll it takes so much for each of its parts. */
    private static final int COMPILING = 20;

    /** RE2 takes this many of its parts one step further while one value is looked at, if all of them are at work. */
    private static final int PARTS = 2;

    private final Pattern pattern; // null for a literal
    private final String literal; // null for any other
    private final boolean endsBeforeNewline;

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

    /** What it took to compile it, in units of a {@link Budget}: known only afterwards, but bounded. */
    public long effort() {
        return COMPILING * (literal == null ? (long) pattern.programSize() : 1);
    }

    /** What one search through each of some texts can take at the most. */
    public long effort(long texts, long characters) {
        return literal == null ? 4 * (characters + texts) * price() : texts + literalEffort(characters);
    }

    /* For each look that RE2 takes at a character: at the worst each part of the pattern is at work. */
    private long price() {
        return 1L + pattern.programSize() / PARTS;
    }

    /* A text of one character over and over takes as many comparisons as the pattern is long, sixteen at a time. */
    private long literalEffort(long searched) {
        return searched / 32 * (1 + literal.length() / 16);
    }

    /** The first match's start, end and one of its groups; Java's null if nothing matches. */
    public Match search(String text, int from, int group, Budget budget) {
        return new Search(text, budget).next(from, group);
    }

    /**
     * The text with every match replaced by another text, taken literally. The same object if nothing matches.
     *
     * @param room for what this and other calls make together: a pattern can match everywhere
     * @throws IllegalArgumentException if there is not enough room
     */
    public String replaceAll(String text, String replacement, Room room, Budget budget) {
        Search search = new Search(text, budget);
        StringBuilder result = null;
        int copied = 0;
        int from = 0;
        Match match;
        while (from <= text.length() && (match = search.next(from, 0)) != null) {
            if (result == null) {
                result = new StringBuilder();
            }
            long made = match.start - copied + (long) replacement.length();
            budget.spend(1);
            budget.spendText(made);
            room.take(made);
            result.append(text, copied, match.start).append(replacement);
            copied = match.end;
            // Behind an empty match the search has to move on, and must not stop between surrogates.
            from = match.end > match.start ? match.end : next(text, match.end);
        }
        return result == null
                ? text
                : result.append(text, copied, text.length()).toString();
    }

    /** How many characters replacing may still make, in all places together. */
    public static final class Room {

        private final long most;
        private long taken;

        public Room(long most) {
            this.most = most;
        }

        private void take(long characters) {
            taken += characters;
            if (taken > most) {
                throw new IllegalArgumentException("replacing the pattern makes more than " + most + " characters");
            }
        }
    }

    /** Searches through one text. */
    private final class Search {

        private final String text;
        private final Budget budget;
        private final Matcher whole;
        private final Matcher withoutNewline; // null if nothing can match before a final newline only

        Search(String text, Budget budget) {
            this.text = text;
            this.budget = budget;
            this.whole = literal == null ? matcher(text.length()) : null;
            this.withoutNewline = endsBeforeNewline && text.endsWith("\n") ? matcher(text.length() - 1) : null;
        }

        private Matcher matcher(int end) {
            return pattern.matcher(new CountedText(text, end, price(), budget));
        }

        Match next(int from, int group) {
            if (literal != null) {
                return literally(from);
            }
            Match found = find(whole, from, group);
            if (withoutNewline != null && from < text.length()) {
                // Python's $ also matches before a final newline: look there too, the earlier match wins.
                Match before = find(withoutNewline, from, group);
                if (before != null && (found == null || before.start < found.start)) {
                    return before;
                }
            }
            return found;
        }

        private Match literally(int from) {
            int found = text.indexOf(literal, from);
            budget.spend(1 + literalEffort((found < 0 ? text.length() : found) - (long) from));
            return found < 0 ? null : new Match(found, found + literal.length(), literal);
        }

        private static Match find(Matcher matcher, int from, int group) {
            return matcher.find(from) ? new Match(matcher.start(), matcher.end(), matcher.group(group)) : null;
        }
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
