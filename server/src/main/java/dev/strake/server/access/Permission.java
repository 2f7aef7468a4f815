package dev.strake.server.access;

import java.util.List;

/**
 * The permission that a route requires.
 *
 * @param method the HTTP method; GET includes HEAD
 * @param pattern the path pattern of the route
 * @param role the required role, or null if no token is needed
 */
public record Permission(String method, String pattern, Role role, Scope scope) {

    /** The permissions of all routes. */
    public static final List<Permission> ALL = List.of(
            open("/health/started"),
            open("/health/ready"),
            open("/health/live"),
            open("/openapi.json"),
            // A public key can only seal secrets, not open them.
            open("/secrets/public-key"),
            // The page contains no data; its requests for data need a token.
            open("/"),
            open("/page/{file}"),
            // Metrics name workspaces and documents. On the separate health port they need no token.
            get("/metrics", Role.READER, Scope.EVERY),
            get("/topology", Role.READER, Scope.ANY),
            get("/slow", Role.READER, Scope.ANY),
            get("/info", Role.ADMIN, Scope.EVERY),
            get("/workspaces", Role.READER, Scope.ANY),
            read("revisions"),
            read("tags"),
            read("documents"),
            read("rendered"),
            read("problems"),
            read("buckets"),
            read("validations"),
            read("explain"),
            read("affected"),
            read("graph"),
            read("diff/{from}/{to}"),
            read("why"),
            get("/events", Role.READER, Scope.ANY),
            read("events"),
            write("PUT", "/buckets/{bucket}", Role.PUBLISHER),
            write("POST", "/buckets/{bucket}/documents", Role.PUBLISHER),
            write("DELETE", "/buckets/{bucket}/documents", Role.PUBLISHER),
            write("POST", "/rollback", Role.PUBLISHER),
            write("PUT", "/revisions/{revision}/tags/{tag}", Role.PUBLISHER),
            write("DELETE", "/revisions/{revision}/tags/{tag}", Role.PUBLISHER),
            write("POST", "/revisions/{revision}/validations/{name}", Role.PUBLISHER),
            write("DELETE", "", Role.ADMIN),
            read("changes/{change}"),
            open("/deckhand/{workspace}/versions"),
            open("/deckhand/{workspace}/api/v1.0/health"),
            deckhand("GET", "/revisions", Role.READER),
            deckhand("GET", "/revisions/{revision}", Role.READER),
            // To see secrets in clear text, the principal needs secrets-reader, too.
            deckhand("GET", "/revisions/{revision}/documents", Role.READER),
            deckhand("GET", "/revisions/{revision}/rendered-documents", Role.READER),
            deckhand("GET", "/revisions/{revision}/diff/{other}", Role.READER),
            deckhand("GET", "/revisions/{revision}/deepdiff/{other}", Role.READER),
            deckhand("GET", "/revisions/{revision}/tags", Role.READER),
            deckhand("GET", "/revisions/{revision}/tags/{tag}", Role.READER),
            deckhand("POST", "/revisions/{revision}/tags/{tag}", Role.PUBLISHER),
            deckhand("DELETE", "/revisions/{revision}/tags/{tag}", Role.PUBLISHER),
            deckhand("DELETE", "/revisions/{revision}/tags", Role.PUBLISHER),
            deckhand("GET", "/revisions/{revision}/validations", Role.READER),
            deckhand("GET", "/revisions/{revision}/validations/detail", Role.READER),
            deckhand("GET", "/revisions/{revision}/validations/{name}", Role.READER),
            deckhand("GET", "/revisions/{revision}/validations/{name}/entries/{id}", Role.READER),
            deckhand("POST", "/revisions/{revision}/validations/{name}", Role.PUBLISHER),
            deckhand("PUT", "/buckets/{bucket}/documents", Role.PUBLISHER),
            deckhand("POST", "/rollback/{revision}", Role.PUBLISHER),
            deckhand("DELETE", "/revisions", Role.ADMIN),
            // A plan changes nothing, so readers may ask for it.
            new Permission("POST", "/workspaces/{workspace}/plan", Role.READER, Scope.THIS));

    /** The workspaces for which the role is required. */
    public enum Scope {
        /** The workspace in the path. */
        THIS("the workspace of the path"),
        /** At least one workspace; the response omits workspaces that the principal may not read. */
        ANY("any workspace"),
        /** All workspaces, by a grant for {@code *}. */
        EVERY("all workspaces");

        private final String text;

        Scope(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    private static Permission open(String pattern) {
        return new Permission("GET", pattern, null, Scope.ANY);
    }

    private static Permission get(String pattern, Role role, Scope scope) {
        return new Permission("GET", pattern, role, scope);
    }

    private static Permission read(String path) {
        return get("/workspaces/{workspace}/" + path, Role.READER, Scope.THIS);
    }

    private static Permission deckhand(String method, String path, Role role) {
        return new Permission(method, "/deckhand/{workspace}/api/v1.0" + path, role, Scope.THIS);
    }

    private static Permission write(String method, String path, Role role) {
        return new Permission(method, "/workspaces/{workspace}" + path, role, Scope.THIS);
    }

    /** Returns the permission of a route. A route that is not in the table requires an admin of all workspaces. */
    public static Permission of(String method, String pattern) {
        return ALL.stream()
                .filter(each -> each.method().equals(method) && each.pattern().equals(pattern))
                .findFirst()
                .orElse(new Permission(method, pattern, Role.ADMIN, Scope.EVERY));
    }

    public boolean isOpen() {
        return role == null;
    }

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
