package dev.strake.engine.pattern;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.strake.engine.limit.Budget;

/**
 * A regular expression in Python's notation, run in linear time. Authors write their patterns for Python's {@code re}.
 * Features that need a backtracking engine (look-around, back-references) are rejected, because one author's pattern
 * must not stop the documents of all others.
 */
public final class TextPattern {

    /** Bounds the size of the automaton, which is the cost of matching one character. */
    private static final int MAX_LENGTH = 1_000;

    private static final String SPECIAL = "\\.^$*+?{}[]()|";

    /** The price of reading and unrolling one part of a pattern. */
    private static final int COMPILING = 20;

    /** If all parts of a pattern are active, RE2 advances this many parts in the time it takes to look at one value. */
    private static final int PARTS = 2;

    private final Pattern pattern; // null for a literal
    private final String literal; // null for any other pattern
    private final boolean endsBeforeNewline;

    private TextPattern(Pattern pattern, String literal, boolean endsBeforeNewline) {
        this.pattern = pattern;
        this.literal = literal;
        this.endsBeforeNewline = endsBeforeNewline;
    }

    /**
     * Compiles a pattern.
     *
     * @throws IllegalArgumentException if the text is not a regular expression, or does not run in linear time; the
     *     message can be shown to the author
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
                    "the pattern is not a regular expression that runs in linear time: " + e.getDescription()
                            + " (look-around and back-references are not supported)",
                    e);
        }
    }

    /* Nearly every destination pattern is one word, such as DB_NAME. Finding a word needs no automaton. */
    private static boolean isLiteral(String python) {
        for (int i = 0; i < python.length(); i++) {
            char c = python.charAt(i);
            if (c < ' ' || c > '~' || SPECIAL.indexOf(c) >= 0) {
                return false;
            }
        }
        return !python.isEmpty();
    }

    /** The number of capturing groups. */
    public int groups() {
        return literal == null ? pattern.groupCount() : 0;
    }

    /** The cost of compiling this pattern, in units of a {@link Budget}: known only afterwards, but bounded. */
    public long effort() {
        return COMPILING * (literal == null ? (long) pattern.programSize() : 1);
    }

    /**
     * The maximum cost of searching each of several texts once.
     *
     * @param characters the total length of the texts
     */
    public long effort(long texts, long characters) {
        return literal == null ? 4 * (characters + texts) * price() : texts + literalEffort(characters);
    }

    /* The price of each character that RE2 reads: in the worst case all parts of the pattern are active. */
    private long price() {
        return 1L + pattern.programSize() / PARTS;
    }

    /* Worst case, a text of one repeated character: each position compares the whole pattern, 16 characters at once. */
    private long literalEffort(long searched) {
        return searched / 32 * (1 + literal.length() / 16);
    }

    /** The first match: its start, its end and one of its groups; Java's null if nothing matches. */
    public Match search(String text, int from, int group, Budget budget) {
        return new Search(text, budget).next(from, group);
    }

    /**
     * Replaces every match by a literal text. Returns the same object if nothing matches.
     *
     * @param room limits the text that this and other calls make together, because a pattern can match everywhere
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
            // After an empty match the search has to move on by one code point, not into the middle of a pair.
            from = match.end > match.start ? match.end : next(text, match.end);
        }
        return result == null
                ? text
                : result.append(text, copied, text.length()).toString();
    }

    /** Limits the characters that replacements may make, in all places together. */
    public static final class Room {

        private final long most;
        private long taken;

        public Room(long most) {
            this.most = most;
        }

        private void take(long characters) {
            taken += characters;
            if (taken > most) {
                throw new IllegalArgumentException(
                        "the replacements would make more than " + most + " characters of text");
            }
        }
    }

    /** Searches through one text. */
    private final class Search {

        private final String text;
        private final Budget budget;
        private final Matcher whole;
        private final Matcher withoutNewline; // null if the pattern has no $ or the text no final newline

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
                // Python's $ also matches before a final newline, so search there too. The earlier match wins.
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
