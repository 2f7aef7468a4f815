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
 * @param method by which it is asked for; one for GET is for HEAD, too. All others come with a body, which may be empty
 * @param pattern segments of the path; one in braces, as in {@code /workspaces/{workspace}/revisions}, fits any text and
 *     hands it to the answer under its name
 * @param parameters the names that may come behind the question mark, each once, or more often if a star follows it; a
 *     request with others is refused
 * @param answer called on a thread of the server, several at once
 */
public record Route(
        String method, List<String> pattern, SortedSet<String> parameters, Function<Request, Response> answer) {

    /** A route without parameters. */
    public static Route get(String pattern, Function<Request, Response> answer) {
        return get(pattern, List.of(), answer);
    }

    public static Route get(String pattern, List<String> parameters, Function<Request, Response> answer) {
        return new Route("GET", Target.segments(pattern), new TreeSet<>(parameters), answer);
    }

    /** A route that is asked with a body. */
    public static Route of(String method, String pattern, List<String> parameters, Function<Request, Response> answer) {
        return new Route(method, Target.segments(pattern), new TreeSet<>(parameters), answer);
    }

    /** What whoever asks has to be allowed. */
    public Permission permission() {
        return Permissions.of(method, String.join("/", pattern));
    }

    /** The methods that may ask for it. */
    String methods() {
        return takesBody() ? method : "GET, HEAD";
    }

    boolean takesBody() {
        return !method.equals("GET");
    }

    boolean isAskedBy(String asked) {
        return method.equals(asked) || (!takesBody() && asked.equals("HEAD"));
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
