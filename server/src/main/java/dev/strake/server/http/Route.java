package dev.strake.server.http;

import dev.strake.server.access.Permission;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * An operation of the HTTP API.
 *
 * @param method the HTTP method. A GET route also answers HEAD. Routes of other methods take a body, which may be empty
 * @param pattern the path segments; a segment in braces, as in {@code /workspaces/{workspace}/revisions}, matches any
 *     text and is captured under that name
 * @param parameters the names of the query parameters, each allowed once, or repeatedly if a star follows the name;
 *     requests with other parameters are rejected
 * @param ignoresUnknown whether unknown parameters are ignored instead, and all may be repeated
 * @param answer called concurrently, on threads of the server
 */
public record Route(
        String method,
        List<String> pattern,
        SortedSet<String> parameters,
        boolean ignoresUnknown,
        Function<Request, Response> answer) {

    private static final int MOST_REPEATED = 20;

    /** The replacement character, to which Java decodes invalid UTF-8. */
    private static final char NOT_UTF_8 = '\uFFFD';

    public static Route get(String pattern, Function<Request, Response> answer) {
        return get(pattern, List.of(), answer);
    }

    public static Route get(String pattern, List<String> parameters, Function<Request, Response> answer) {
        return of("GET", pattern, parameters, answer);
    }

    public static Route of(String method, String pattern, List<String> parameters, Function<Request, Response> answer) {
        return new Route(method, segments(pattern), new TreeSet<>(parameters), false, answer);
    }

    /** Returns the same route for clients that may add unknown parameters. */
    public Route ignoringUnknown() {
        return new Route(method, pattern, parameters, true, answer);
    }

    private static List<String> segments(String pattern) {
        return List.of(pattern.split("/", -1));
    }

    public Permission permission() {
        return Permission.of(method, path());
    }

    String path() {
        return String.join("/", pattern);
    }

    String methods() {
        return takesBody() ? method : "GET, HEAD";
    }

    boolean takesBody() {
        return !method.equals("GET");
    }

    boolean isAskedBy(String asked) {
        return method.equals(asked) || (!takesBody() && asked.equals("HEAD"));
    }

    /**
     * Parses the parameters of a request. Rejects what the client may not have meant, rather than guess.
     *
     * @param raw the query string, or null
     * @throws IllegalArgumentException if a parameter is unknown, repeated too often, or badly encoded
     */
    Map<String, List<String>> parameters(String raw) {
        Map<String, List<String>> found = new HashMap<>();
        if (raw == null || raw.isEmpty()) {
            return found;
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            boolean isRepeated = parameters.contains(name + "*");
            boolean isKnown = (parameters.contains(name) || isRepeated) && !name.endsWith("*");
            if (!isKnown && ignoresUnknown) {
                continue;
            }
            if (!isKnown) {
                throw new IllegalArgumentException(
                        parameters.isEmpty()
                                ? "This route has no parameters."
                                : "Unknown parameter. Known are: "
                                        + String.join(", ", parameters).replace("*", "") + ".");
            }
            List<String> values = found.computeIfAbsent(name, key -> new ArrayList<>());
            values.add(value);
            if (!ignoresUnknown && values.size() > (isRepeated ? MOST_REPEATED : 1)) {
                throw new IllegalArgumentException("The parameter " + name + " is given more than "
                        + (isRepeated ? MOST_REPEATED + " times." : "once."));
            }
        }
        return found;
    }

    /**
     * Decodes a path segment once. Unlike in a parameter, a plus sign stands for itself.
     *
     * @throws IllegalArgumentException if the text is not percent-encoded UTF-8
     */
    static String decodeSegment(String encoded) {
        return decode(encoded.replace("+", "%2B"));
    }

    private static String decode(String encoded) {
        String decoded;
        try {
            decoded = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw badlyEncoded();
        }
        if (decoded.indexOf(NOT_UTF_8) >= 0) {
            throw badlyEncoded();
        }
        return decoded;
    }

    private static IllegalArgumentException badlyEncoded() {
        return new IllegalArgumentException(
                "The path or a parameter is not UTF-8 in percent-encoding. Write each special byte as a percent sign "
                        + "and two hexadecimal digits.");
    }
}
