package dev.strake.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One thing that can be asked for.
 *
 * @param pattern segments of the path; one in braces, as in {@code /workspaces/{workspace}/revisions}, fits any text and
 *     hands it to the answer under its name
 * @param answer called on a thread of the server, several at once
 */
public record Route(List<String> pattern, Function<Request, Response> answer) {

    public static Route get(String pattern, Function<Request, Response> answer) {
        return new Route(segments(pattern), answer);
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
                captured.put(wanted.substring(1, wanted.length() - 1), decode(path.get(i)));
            } else if (!wanted.equals(path.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(captured);
    }

    static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    static String decode(String encoded) {
        return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
    }
}
