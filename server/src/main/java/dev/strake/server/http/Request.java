package dev.strake.server.http;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.access.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A request to a route.
 *
 * @param target the path and query, still encoded
 * @param captured the decoded path segments that the pattern names in braces
 * @param query the decoded query parameters that the route declares, each no more often than declared
 * @param headers the headers by name, ignoring case; the first one if a header is repeated
 * @param principal the authenticated sender
 * @param principalNow authenticates the request again; empty if its token is no longer valid or sufficient
 * @param content the body, or null if the route takes none
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
public record Request(
        String target,
        Map<String, String> captured,
        Map<String, List<String>> query,
        UnaryOperator<String> headers,
        Principal principal,
        Supplier<Optional<Principal>> principalNow,
        byte[] content) {

    Request with(byte[] body) {
        return new Request(target, captured, query, headers, principal, principalNow, body);
    }

    /** Returns the same request with other headers. */
    public Request with(UnaryOperator<String> others) {
        return new Request(target, captured, query, others, principal, principalNow, content);
    }

    public boolean hasBody() {
        return content != null;
    }

    public byte[] body() {
        return content;
    }

    public String path(String name) {
        String value = captured.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no {" + name + "}");
        }
        return value;
    }

    /**
     * Returns the workspace in the path.
     *
     * @throws IllegalArgumentException if it is not a valid name of a workspace
     */
    public String workspace() {
        String workspace = path("workspace");
        if (!WorkspaceKey.isName(workspace)) {
            throw new IllegalArgumentException("The name of a workspace has to have " + WorkspaceKey.RULE + ".");
        }
        return workspace;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.apply(name));
    }

    public Optional<String> parameter(String name) {
        return parameters(name).stream().findFirst();
    }

    /**
     * Parses a boolean parameter.
     *
     * @param otherwise the default
     * @throws IllegalArgumentException if the value is neither true nor false
     */
    public boolean isTrue(String name, boolean otherwise) {
        return switch (parameter(name).orElse(Boolean.toString(otherwise))) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " has to be true or false.");
        };
    }

    /** Returns the type of the body. Ignores the type that curl sends by default. */
    public Optional<String> contentType() {
        return header("Content-Type").filter(type -> !type.equals("application/x-www-form-urlencoded"));
    }

    public List<String> parameters(String name) {
        return query.getOrDefault(name, List.of());
    }
}
