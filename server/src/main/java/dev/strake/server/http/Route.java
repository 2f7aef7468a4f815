package dev.strake.server.http;

import dev.strake.server.access.Permission;
import dev.strake.server.access.Permissions;
import java.util.List;
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
        return new Route("GET", segments(pattern), new TreeSet<>(parameters), answer);
    }

    /** A route that is asked with a body. */
    public static Route of(String method, String pattern, List<String> parameters, Function<Request, Response> answer) {
        return new Route(method, segments(pattern), new TreeSet<>(parameters), answer);
    }

    private static List<String> segments(String pattern) {
        return List.of(pattern.split("/", -1));
    }

    /** What whoever asks has to be allowed. */
    public Permission permission() {
        return Permissions.of(method, path());
    }

    String path() {
        return String.join("/", pattern);
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
}
