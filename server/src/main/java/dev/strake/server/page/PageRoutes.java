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
 * The routes of the page:
 *
 * <pre>
 *  /              the page
 *  /page/{file}   scripts, styles and pictures that it is made of
 * </pre>
 *
 * <p>They are files of the program and need no token. Whatever a document holds, a browser runs nothing but these files, and
 * sends nothing to others: {@code Content-Security-Policy} says so.
 */
public final class PageRoutes {

    /** A browser has to ask whether its copy is still right, and is told so without the file. */
    private static final String CACHE = "no-cache";

    /**
     * Nothing but files of this server; no frame around them. Text cannot become elements or scripts: the page's own
     * scripts have no way to do that but one, named {@code strake-worker}, for the one script of its worker.
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

    /** Files that were asked for: as many as there are, at the most. */
    private final Map<String, Asset> assets = new ConcurrentHashMap<>();

    /** A file, and how a browser recognizes that it has it. */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Asset(String contentType, byte[] content, String tag) {}

    private PageRoutes() {}

    /** The routes, apart from others: the page opens, whatever else is asked. */
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
        // What is not there is not kept: anybody may ask for any name.
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
