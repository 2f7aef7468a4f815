package dev.strake.server.access;

import static java.util.stream.Collectors.joining;

import com.google.re2j.Pattern;
import java.util.stream.Stream;

/**
 * A role for some workspaces, written {@code publisher@site-*}.
 *
 * @param workspaces a pattern for names of workspaces, in which {@code *} matches any characters
 */
public record Grant(Role role, String workspaces) {

    private static final String EVERY = "*";
    private static final Pattern WORKSPACES = Pattern.compile("[A-Za-z0-9._*-]{1,128}");

    /**
     * Parses a grant.
     *
     * @throws IllegalArgumentException if the text is not a grant; the message says why and ends without a full stop
     */
    public static Grant parse(String text) {
        int at = text.indexOf('@');
        String name = at < 0 ? text : text.substring(0, at);
        Role role = Role.of(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "a grant has the form ROLE@WORKSPACES, such as publisher@site-*, and its role is one of "
                                + Stream.of(Role.values()).map(Role::text).collect(joining(", "))));
        if (at < 0 || !WORKSPACES.matcher(text.substring(at + 1)).matches()) {
            throw new IllegalArgumentException(
                    name
                            + "@ has to be followed by workspaces: 1 to 128 of the characters A-Z a-z 0-9 . _ -, and * for any characters");
        }
        return new Grant(role, text.substring(at + 1));
    }

    boolean isForEvery() {
        return workspaces.equals(EVERY);
    }

    /* Matches in linear time, because a client chooses the name. */
    boolean isFor(String workspace) {
        return Pattern.matches(workspaces.replace(".", "\\.").replaceAll("\\*+", ".*"), workspace);
    }

    @Override
    public String toString() {
        return role.text() + "@" + workspaces;
    }
}
