package dev.strake.server.http;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.access.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What a route is asked.
 *
 * @param target path and parameters as they came, encoded
 * @param captured the parts of the path that the route names in braces, decoded
 * @param query the parameters behind the question mark, decoded; only such as the route knows, each as often as it says
 * @param headers by name, whatever its case; the first one where a name comes twice
 * @param principal who asks
 * @param principalNow who that is by now; empty if what came with the request is not enough any more
 * @param content the body; null unless the route takes one
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

    /** The same request with other headers. */
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
     * The workspace that the path names.
     *
     * @throws IllegalArgumentException if none can have that name
     */
    public String workspace() {
        String workspace = path("workspace");
        if (!WorkspaceKey.isName(workspace)) {
            throw new IllegalArgumentException("The name of a workspace has to be " + WorkspaceKey.RULE + ".");
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
     * A parameter that is true or false.
     *
     * @param otherwise where it is not given
     * @throws IllegalArgumentException if it is neither
     */
    public boolean isTrue(String name, boolean otherwise) {
        return switch (parameter(name).orElse(Boolean.toString(otherwise))) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " has to be true or false.");
        };
    }

    /** The type of the body. What curl says of each body if it is not told otherwise counts as nothing. */
    public Optional<String> contentType() {
        return header("Content-Type").filter(type -> !type.equals("application/x-www-form-urlencoded"));
    }

    public List<String> parameters(String name) {
        return query.getOrDefault(name, List.of());
    }
}
