package dev.strake.serdes.change;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits how many documents a change may remove. An incomplete checkout, or a command that failed half-way, would
 * remove far more documents than the author intended.
 *
 * @param documents the number of documents that may always be removed
 * @param percent the percentage of documents that may be removed, if that is more
 * @param isGuard whether this is {@link #GUARD}, which ignores both numbers
 */
public record RemovalLimit(int documents, int percent, boolean isGuard) {

    /** The syntax that {@link #parse} accepts, in words that complete the sentence "it has to be". */
    public static final String RULE =
            "a number of documents (20), a part of the bucket (10%), the greater of both (10,10%), or guard (a third or one, but never all)";

    /** Allows a change to remove all documents. */
    public static final RemovalLimit NONE = new RemovalLimit(0, 100);

    /**
     * Allows a third of the documents, or a single one, but never all of them. An author who intends to remove more
     * sets another limit.
     */
    public static final RemovalLimit GUARD = new RemovalLimit(0, 0, true);

    private static final String GUARD_TEXT = "guard";

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})|(?:([0-9]{1,9}),)?([0-9]{1,2}|100)%");

    public RemovalLimit(int documents, int percent) {
        this(documents, percent, false);
    }

    /** The default limit. Deletions have none, as they name the documents. Changes that replace all have the guard. */
    public static RemovalLimit of(ChangeType type) {
        return type == ChangeType.BUCKET_PUT || type == ChangeType.ROLLBACK ? GUARD : NONE;
    }

    /**
     * Reads a limit.
     *
     * @throws IllegalArgumentException if the text violates the {@link #RULE}
     */
    public static RemovalLimit parse(String text) {
        if (text.equals(GUARD_TEXT)) {
            return GUARD;
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a limit of removals: use " + RULE);
        }
        return matcher.group(1) != null
                ? new RemovalLimit(Integer.parseInt(matcher.group(1)), 0)
                : new RemovalLimit(
                        matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)));
    }

    /** Returns how many documents may be removed from the given number of documents. */
    public long of(int held) {
        return isGuard
                ? Math.min(Math.max(1, held / 3), Math.max(0, held - 1))
                : Math.max(documents, (long) held * percent / 100);
    }

    /** The limit in the syntax that {@link #parse} accepts. */
    @Override
    public String toString() {
        if (isGuard) {
            return GUARD_TEXT;
        }
        return percent == 0 ? documents + "" : (documents == 0 ? "" : documents + ",") + percent + "%";
    }
}
