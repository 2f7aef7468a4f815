package dev.strake.server.deckhand;

import dev.strake.engine.tree.Text;
import dev.strake.server.access.Principal;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.ForeignApi;
import dev.strake.server.http.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths of Deckhand's API, and what all its responses have in common. Each workspace has its own API:
 *
 * <pre>
 *  /deckhand/{workspace}/api/v1.0/…   /deckhand/{workspace}/versions
 *  /api/v1.0/…                        /versions                         for the workspace named in the settings
 * </pre>
 */
public final class DeckhandApi implements ForeignApi {

    static final String ROOT = "/deckhand/{workspace}";
    static final String VERSION = Failures.VERSION;
    static final String API = ROOT + "/api/" + VERSION;

    static final String END_USER = "X-End-User";
    static final String CONTEXT_MARKER = "X-Context-Marker";

    private static final Pattern VERSION_IN_PATH = Pattern.compile("^/deckhand/[^/]*/api/(v[0-9.]+)(?:/|$)");

    /** The names of Deckhand's framework for errors of Strake's dispatcher. */
    private static final Map<String, String> NAMES = Map.of(
            "BadRequest", "HTTPBadRequest",
            "Unauthorized", "HTTPUnauthorized",
            "Forbidden", "HTTPForbidden",
            "NotFound", "HTTPRouteNotFound",
            "MethodNotAllowed", "HTTPMethodNotAllowed",
            "TooLarge", "HTTPPayloadTooLarge",
            "EncodedBody", "HTTPUnsupportedMediaType",
            "ForeignOrigin", "HTTPForbidden",
            "InternalError", "HTTPInternalServerError");

    private final Optional<String> workspace;

    /** @param workspace the workspace whose API also has the short address */
    public DeckhandApi(Optional<String> workspace) {
        this.workspace = workspace;
    }

    @Override
    public String meant(String path) {
        boolean isShort = path.equals("/versions") || path.startsWith("/api/");
        return isShort ? workspace.map(name -> "/deckhand/" + name + path).orElse(path) : path;
    }

    @Override
    public boolean isAt(String path) {
        return path.startsWith("/deckhand/");
    }

    @Override
    public Response refusal(String path, int status, Response.Refusal refusal) {
        String type = status == 503 ? "HTTPServiceUnavailable" : NAMES.getOrDefault(refusal.code(), refusal.code());
        Matcher version = VERSION_IN_PATH.matcher(path);
        return Failures.response(
                status,
                version.find() ? version.group(1) : "N/A",
                type,
                refusal.message(),
                List.of(Failures.message(new Text(refusal.message()))));
    }

    @Override
    public Response options() {
        return YamlAnswers.of(200, List.of());
    }

    @Override
    public Map<String, String> headers(String path, UnaryOperator<String> headers, Principal principal) {
        Map<String, String> answer = new LinkedHashMap<>();
        if (path.endsWith("/health")) {
            return answer;
        }
        answer.put("X-Deckhand-Req", "req-" + UUID.randomUUID());
        answer.put("X-User-Name", principal == null ? "" : principal.name());
        for (String echoed : List.of(CONTEXT_MARKER, END_USER)) {
            String value = headers.apply(echoed);
            if (value != null) {
                answer.put(echoed, value);
            }
        }
        return answer;
    }
}
