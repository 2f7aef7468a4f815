package dev.strake.server.access;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a principal may do with a workspace.
 *
 * <pre>
 *   admin ──► publisher ──► reader ◄── secrets-reader        each includes what it points to
 * </pre>
 *
 * <p>An admin does not read secrets: operators of workspaces need not see the secrets in them.
 */
public enum Role {
    /** Reads documents, rendered documents, revisions and problems, and plans changes. */
    READER,
    /** Also publishes changes. */
    PUBLISHER,
    /** Also reads secret values. */
    SECRETS_READER,
    /** Also deletes workspaces; with a grant for all workspaces, also sees the setup of the service. */
    ADMIN;

    /** Returns the name used in token files and messages, for example {@code secrets-reader}. */
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
