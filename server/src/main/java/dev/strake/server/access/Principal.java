package dev.strake.server.access;

import java.util.List;

/**
 * Who asks, as proven by what came with the request.
 *
 * @param name under which what it does is recorded
 */
public record Principal(String name, List<Grant> grants) {

    /** Whoever asks where access is not controlled. */
    public static final Principal ANYBODY =
            new Principal("anybody", List.of(new Grant(Role.ADMIN, "*"), new Grant(Role.SECRETS_READER, "*")));

    public Principal {
        grants = List.copyOf(grants);
    }

    /** Whether it has a role, or one that includes it, for a workspace. */
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
