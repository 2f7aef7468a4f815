package dev.strake.serdes.change;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many documents a change may remove. A folder that was not checked out whole, or a command that failed half-way, removes
 * far more than its author can have meant.
 *
 * @param documents this many in any case
 * @param percent and this part of all there are, if that is more
 * @param isGuard whether it is {@link #GUARD}, which has no such numbers
 */
public record RemovalLimit(int documents, int percent, boolean isGuard) {

    /** What {@link #parse} reads, in words that end the sentence "it has to be". */
    public static final String RULE =
            "a number of documents (20), a part of the bucket (10%), or both (10,10%): the greater one counts; or guard: a third or one, and never all";

    /** A change may remove all documents. */
    public static final RemovalLimit NONE = new RemovalLimit(0, 100);

    /**
     * What nobody needs to be asked about: a third of the documents, or a single one, if something of what was there stays.
     * Whoever means more says so.
     */
    public static final RemovalLimit GUARD = new RemovalLimit(0, 0, true);

    private static final String GUARD_TEXT = "guard";

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})|(?:([0-9]{1,9}),)?([0-9]{1,2}|100)%");

    public RemovalLimit(int documents, int percent) {
        this(documents, percent, false);
    }

    /** The limit of a change whose author says none: who deletes names what goes, and whoever replaces all does not. */
    public static RemovalLimit of(ChangeType type) {
        return type == ChangeType.BUCKET_PUT || type == ChangeType.ROLLBACK ? GUARD : NONE;
    }

    /**
     * Reads a limit.
     *
     * @throws IllegalArgumentException if the text breaks the {@link #RULE}
     */
    public static RemovalLimit parse(String text) {
        if (text.equals(GUARD_TEXT)) {
            return GUARD;
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no limit of removals: it has to be " + RULE);
        }
        return matcher.group(1) != null
                ? new RemovalLimit(Integer.parseInt(matcher.group(1)), 0)
                : new RemovalLimit(
                        matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)));
    }

    /** The most that may be removed of so many documents. */
    public long of(int held) {
        return isGuard
                ? Math.min(Math.max(1, held / 3), Math.max(0, held - 1))
                : Math.max(documents, (long) held * percent / 100);
    }

    /** The limit as {@link #parse} reads it. */
    @Override
    public String toString() {
        if (isGuard) {
            return GUARD_TEXT;
        }
        return percent == 0 ? documents + "" : (documents == 0 ? "" : documents + ",") + percent + "%";
    }
}
