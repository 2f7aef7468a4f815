package dev.strake.server.access;

import static dev.strake.server.access.Permission.open;
import static dev.strake.server.access.Role.ADMIN;
import static dev.strake.server.access.Role.PUBLISHER;
import static dev.strake.server.access.Role.READER;

import dev.strake.server.access.Permission.Scope;
import java.util.List;

/** The one table of what each route needs. A route that nobody entered needs an admin of everything. */
public final class Permissions {

    public static final List<Permission> ALL = List.of(
            open("/health/started"),
            open("/health/ready"),
            open("/health/live"),
            open("/openapi.json"),
            // A public key: with it secrets can be sealed, and not opened.
            open("/secrets/public-key"),
            // The page itself tells nothing; what it asks for needs a token.
            open("/"),
            open("/page/{file}"),
            // Names workspaces and documents. On the port that is for health and metrics alone everything is open.
            get("/metrics", READER, Scope.EVERY),
            get("/topology", READER, Scope.ANY),
            get("/info", ADMIN, Scope.EVERY),
            get("/workspaces", READER, Scope.ANY),
            read("revisions"),
            read("tags"),
            read("documents"),
            read("rendered"),
            read("problems"),
            read("buckets"),
            read("explain"),
            read("affected"),
            read("graph"),
            read("diff/{from}/{to}"),
            read("why"),
            get("/events", READER, Scope.ANY),
            read("events"),
            write("PUT", "/buckets/{bucket}", PUBLISHER),
            write("POST", "/buckets/{bucket}/documents", PUBLISHER),
            write("DELETE", "/buckets/{bucket}/documents", PUBLISHER),
            write("POST", "/rollback", PUBLISHER),
            write("PUT", "/revisions/{revision}/tags/{tag}", PUBLISHER),
            write("DELETE", "/revisions/{revision}/tags/{tag}", PUBLISHER),
            write("DELETE", "", ADMIN),
            read("changes/{change}"),
            // It changes nothing, so whoever may read may ask what a change would do.
            new Permission("POST", "/workspaces/{workspace}/plan", READER, Scope.THIS));

    private Permissions() {}

    private static Permission get(String pattern, Role role, Scope scope) {
        return new Permission("GET", pattern, role, scope);
    }

    private static Permission read(String path) {
        return get("/workspaces/{workspace}/" + path, READER, Scope.THIS);
    }

    private static Permission write(String method, String path, Role role) {
        return new Permission(method, "/workspaces/{workspace}" + path, role, Scope.THIS);
    }

    /** What a route needs. */
    public static Permission of(String method, String pattern) {
        return ALL.stream()
                .filter(each -> each.method().equals(method) && each.pattern().equals(pattern))
                .findFirst()
                .orElse(new Permission(method, pattern, ADMIN, Scope.EVERY));
    }
}
