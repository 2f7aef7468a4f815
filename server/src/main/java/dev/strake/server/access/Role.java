package dev.strake.server.access;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What somebody may do with a workspace.
 *
 * <pre>
 *   admin ──► publisher ──► reader ◄── secrets-reader        each includes what it points to
 * </pre>
 *
 * <p>An admin is no reader of secrets: whoever runs workspaces need not see what is secret in them.
 */
public enum Role {
    /** Reads documents, rendered documents, revisions and problems, and plans changes. */
    READER,
    /** Publishes changes as well. */
    PUBLISHER,
    /** Reads secret values as well. */
    SECRETS_READER,
    /** Deletes workspaces as well; with all workspaces, sees how the service is set up. */
    ADMIN;

    /** The name in token files and messages, such as {@code secrets-reader}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Role> of(String text) {
        return Stream.of(values()).filter(role -> role.text().equals(text)).findFirst();
    }

    boolean includes(Role other) {
        return this == other || other == READER || (this == ADMIN && other == PUBLISHER);
    }
}
