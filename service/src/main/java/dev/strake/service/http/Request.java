package dev.strake.service.http;

import java.util.Map;
import java.util.Optional;

/**
 * What a route is asked.
 *
 * @param captured the parts of the path that the route names in braces, decoded
 * @param query the parameters behind the question mark, decoded; the last one wins where a name comes twice
 */
public record Request(Map<String, String> captured, Map<String, String> query) {

    public String path(String name) {
        String value = captured.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no {" + name + "}");
        }
        return value;
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }
}
