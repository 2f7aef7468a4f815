package dev.strake.server.access;

/**
 * What a route needs.
 *
 * @param method GET (which HEAD is, too) or another one of HTTP
 * @param pattern of the path, as the route has it
 * @param role null if anybody may ask
 */
public record Permission(String method, String pattern, Role role, Scope scope) {

    /** For which workspaces the role is needed. */
    public enum Scope {
        /** For the one in the path. */
        THIS("the workspace of the path"),
        /** For one at least; the answer leaves out what is of others. */
        ANY("any workspace"),
        /** For all of them, by a grant for {@code *}. */
        EVERY("all workspaces");

        private final String text;

        Scope(String text) {
            this.text = text;
        }

        /** In words, as the page of the table has them. */
        public String text() {
            return text;
        }
    }

    static Permission open(String pattern) {
        return new Permission("GET", pattern, null, Scope.ANY);
    }

    public boolean isOpen() {
        return role == null;
    }

    /** Whether somebody has it, where the path names a workspace for that one. */
    boolean isHeldBy(Principal principal, String workspace) {
        return switch (scope) {
            case THIS -> principal.has(role, workspace);
            case ANY -> principal.hasForAny(role);
            case EVERY -> principal.hasForEvery(role);
        };
    }

    String missing(String workspace) {
        return switch (scope) {
            case THIS -> role.text() + "@" + workspace;
            case ANY -> role.text() + " for a workspace";
            case EVERY -> role.text() + "@*";
        };
    }
}
