package dev.strake.server.page;

import dev.strake.engine.tree.Hasher;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The routes of the web page:
 *
 * <pre>
 *  /              the page
 *  /page/{file}   its scripts, styles and images
 * </pre>
 *
 * <p>The files are part of the program and need no token. {@code Content-Security-Policy} makes browsers run nothing
 * but these files, whatever a document contains, and send nothing to other servers.
 */
public final class PageRoutes {

    /** Browsers have to revalidate a cached copy, and get no content if it is current. */
    private static final String CACHE = "no-cache";

    /**
     * Permits only files of this server, and no framing. Text cannot become elements or scripts: the page's scripts
     * have no means for that except the policy {@code strake-worker}, for the single script of its worker.
     */
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types strake-worker");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "md", "text/markdown; charset=utf-8");

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}\\.(?<type>[a-z]{2,4})");

    private static final Response MISSING = Response.problem(404, "NotFound", "There is nothing at this path.");

    private static final int CONCURRENT = 2;
    private static final int QUEUED = 64;

    /** Cached files, at most as many as exist. */
    private final Map<String, Asset> assets = new ConcurrentHashMap<>();

    /** A file and its ETag. */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Asset(String contentType, byte[] content, String tag) {}

    private PageRoutes() {}

    /** Returns the routes in a separate bulkhead, so that the page opens under any other load. */
    public static Bulkhead bulkhead() {
        PageRoutes page = new PageRoutes();
        return new Bulkhead(
                CONCURRENT,
                QUEUED,
                List.of(
                        Route.get("/", request -> page.answer("index.html", request)),
                        Route.get("/page/{file}", request -> page.answer(request.path("file"), request))));
    }

    private Response answer(String name, Request request) {
        Optional<Asset> found = find(name);
        if (found.isEmpty()) {
            return MISSING;
        }
        Asset asset = found.get();
        boolean isKnown = request.header("If-None-Match").orElse("").contains(asset.tag);
        return Response.of(isKnown ? 304 : 200, asset.contentType, isKnown ? new byte[0] : asset.content)
                .with("Content-Security-Policy", POLICY)
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Opener-Policy", "same-origin")
                .with("Cross-Origin-Resource-Policy", "same-origin")
                .with("Cache-Control", CACHE)
                .with("ETag", asset.tag);
    }

    private Optional<Asset> find(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches() || !TYPES.containsKey(matcher.group("type"))) {
            return Optional.empty();
        }
        // Missing files are not cached, because clients may request any name.
        return Optional.ofNullable(assets.computeIfAbsent(
                name, each -> read(each, TYPES.get(matcher.group("type"))).orElse(null)));
    }

    private static Optional<Asset> read(String name, String contentType) {
        try (InputStream file = PageRoutes.class.getResourceAsStream(name)) {
            if (file == null) {
                return Optional.empty();
            }
            byte[] content = file.readAllBytes();
            return Optional.of(
                    new Asset(contentType, content, '"' + Hasher.hex(content).substring(0, 32) + '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
