package dev.strake.server.http;

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

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.apply(name));
    }

    public Optional<String> parameter(String name) {
        return parameters(name).stream().findFirst();
    }

    /** The values of a parameter that may come more than once, in their order. */
    public List<String> parameters(String name) {
        return query.getOrDefault(name, List.of());
    }
}
