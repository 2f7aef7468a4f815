package dev.strake.server.http;

import dev.strake.server.access.Permission;
import dev.strake.server.access.Permissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One thing that can be asked for.
 *
 * @param takesBody whether it is asked for by POST, with a body; all others by GET or HEAD
 * @param pattern segments of the path; one in braces, as in {@code /workspaces/{workspace}/revisions}, fits any text and
 *     hands it to the answer under its name
 * @param parameters the names that may come behind the question mark, each once, or more often if a star follows it; a
 *     request with others is refused
 * @param answer called on a thread of the server, several at once
 */
public record Route(
        boolean takesBody, List<String> pattern, SortedSet<String> parameters, Function<Request, Response> answer) {

    /** A route without parameters. */
    public static Route get(String pattern, Function<Request, Response> answer) {
        return get(pattern, List.of(), answer);
    }

    public static Route get(String pattern, List<String> parameters, Function<Request, Response> answer) {
        return new Route(false, Target.segments(pattern), new TreeSet<>(parameters), answer);
    }

    /** A route that is asked with a body. It changes nothing: the body is what the question is about. */
    public static Route post(String pattern, List<String> parameters, Function<Request, Response> answer) {
        return new Route(true, Target.segments(pattern), new TreeSet<>(parameters), answer);
    }

    /** What whoever asks has to be allowed. */
    public Permission permission() {
        return Permissions.of(takesBody ? "POST" : "GET", String.join("/", pattern));
    }

    /** The methods that may ask for it. */
    String methods() {
        return takesBody ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
    }

    boolean isAskedBy(String method) {
        return takesBody ? method.equals("POST") : method.equals("GET") || method.equals("HEAD");
    }

    /** What the path captures if it fits. The path is still encoded, so a %2F is part of a segment. */
    Optional<Map<String, String>> match(List<String> path) {
        if (path.size() != pattern.size()) {
            return Optional.empty();
        }
        Map<String, String> captured = new HashMap<>();
        for (int i = 0; i < path.size(); i++) {
            String wanted = pattern.get(i);
            if (wanted.startsWith("{")) {
                captured.put(wanted.substring(1, wanted.length() - 1), path.get(i));
            } else if (!wanted.equals(path.get(i))) {
                return Optional.empty();
            }
        }
        captured.replaceAll((name, encoded) -> Target.decode(encoded));
        return Optional.of(captured);
    }
}
