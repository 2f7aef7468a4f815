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
 * One thing that can be asked for.
 *
 * @param method by which it is asked for; one for GET is for HEAD, too. All others come with a body, which may be empty
 * @param pattern segments of the path; one in braces, as in {@code /workspaces/{workspace}/revisions}, fits any text and
 *     hands it to the answer under its name
 * @param parameters the names that may come behind the question mark, each once, or more often if a star follows it; a
 *     request with others is refused
 * @param passesOver whether other parameters are passed over instead, and each may come as often as it likes
 * @param answer called on a thread of the server, several at once
 */
public record Route(
        String method,
        List<String> pattern,
        SortedSet<String> parameters,
        boolean passesOver,
        Function<Request, Response> answer) {

    private static final int MOST_REPEATED = 20;

    /** What Java puts in the place of bytes that are no UTF-8. */
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

    /** The same route for clients that may add parameters which nobody knows. */
    public Route passingOverOthers() {
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
     * The parameters of a request, decoded. What a client did not mean is better refused than guessed.
     *
     * @param raw what stands behind the question mark; null if there is none
     * @throws IllegalArgumentException if one is not known, comes too often, or is encoded badly
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
            if (!isKnown && passesOver) {
                continue;
            }
            if (!isKnown) {
                throw new IllegalArgumentException(
                        parameters.isEmpty()
                                ? "There are no parameters here."
                                : "A parameter is not known here. Known are: "
                                        + String.join(", ", parameters).replace("*", "") + ".");
            }
            List<String> values = found.computeIfAbsent(name, key -> new ArrayList<>());
            values.add(value);
            if (!passesOver && values.size() > (isRepeated ? MOST_REPEATED : 1)) {
                throw new IllegalArgumentException("The parameter " + name + " comes more than "
                        + (isRepeated ? MOST_REPEATED + " times." : "once."));
            }
        }
        return found;
    }

    /**
     * A part of a path or of parameters, decoded once; a plus is a space.
     *
     * @throws IllegalArgumentException if it is no UTF-8 in percent-encoding
     */
    static String decode(String encoded) {
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
                "The path or a parameter is encoded badly. It has to be UTF-8, each special byte as a percent sign and two "
                        + "hexadecimal digits.");
    }
}
