package dev.strake.server.access;

import java.util.List;

/**
 * The authenticated sender of a request.
 *
 * @param name the name under which its actions are recorded
 */
public record Principal(String name, List<Grant> grants) {

    /** The principal of every request if access control is off. */
    public static final Principal ANYBODY =
            new Principal("anybody", List.of(new Grant(Role.ADMIN, "*"), new Grant(Role.SECRETS_READER, "*")));

    public Principal {
        grants = List.copyOf(grants);
    }

    /** Whether the principal has the role, or one that includes it, for a workspace. */
    public boolean has(Role role, String workspace) {
        return grants.stream().anyMatch(grant -> grant.role().includes(role) && grant.isFor(workspace));
    }

    boolean hasForAny(Role role) {
        return grants.stream().anyMatch(grant -> grant.role().includes(role));
    }

    boolean hasForEvery(Role role) {
        return grants.stream().anyMatch(grant -> grant.role().includes(role) && grant.isForEvery());
    }
}
