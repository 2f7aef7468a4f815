package dev.strake.client;

import java.util.OptionalLong;

/**
 * A reference to a revision by a client.
 *
 * @param text its number, a tag, {@code head}, or {@code published}: the revision that consumers hold
 */
public record RevisionName(String text) {

    public static final String HEAD = "head";
    public static final String PUBLISHED = "published";

    /** @throws IllegalArgumentException if the text is none of these */
    public RevisionName {
        boolean isBadNumber = text.matches("[-+]?[0-9]+") && !text.matches("[0-9]{1,18}");
        if (text.isEmpty() || isBadNumber) {
            throw new IllegalArgumentException("A revision has to be a number of 0 or more, a tag, head or published.");
        }
    }

    /** Whether the text is a tag. Numbers, {@code head} and {@code published} are no tags. */
    public boolean isTag() {
        return number().isEmpty() && !text.equals(HEAD) && !text.equals(PUBLISHED);
    }

    /** The number of the revision, if the text is a number. */
    public OptionalLong number() {
        return text.matches("[0-9]+") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
