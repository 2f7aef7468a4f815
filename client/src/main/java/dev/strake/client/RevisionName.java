package dev.strake.client;

import java.util.OptionalLong;

/**
 * How somebody names a revision.
 *
 * @param text its number, a tag, {@code head}, or {@code published}: the revision that consumers hold
 */
public record RevisionName(String text) {

    public static final String HEAD = "head";
    public static final String PUBLISHED = "published";

    /** @throws IllegalArgumentException if it can be none of these */
    public RevisionName {
        boolean isBadNumber = text.matches("[-+]?[0-9]+") && !text.matches("[0-9]{1,18}");
        if (text.isEmpty() || isBadNumber) {
            throw new IllegalArgumentException("A revision has to be a number of 0 or more, a tag, head or published.");
        }
    }

    /** Whether it names a revision by a tag: one that looks like a number, or is called head or published, never does. */
    public boolean isTag() {
        return number().isEmpty() && !text.equals(HEAD) && !text.equals(PUBLISHED);
    }

    /** Its number, if it is named by that. */
    public OptionalLong number() {
        return text.matches("[0-9]+") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
