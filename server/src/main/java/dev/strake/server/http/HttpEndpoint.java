package dev.strake.server.http;

import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP server over the JDK's own: GET only, no TLS, no authentication, and therefore on the loopback interface
 * unless told otherwise.
 */
public final class HttpEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final int THREADS = 16;

    static {
        // Without it each request on a kept connection waits 40 ms for a delayed acknowledgement. Read once, when the
        // server's classes are loaded.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final List<Route> routes;

    private HttpEndpoint(HttpServer server, ExecutorService threads, List<Route> routes) {
        this.server = server;
        this.threads = threads;
        this.routes = routes;
    }

    /**
     * Starts to answer.
     *
     * @param address where to listen; port 0 is any free one
     * @param routes tried in order, the first that fits answers
     * @throws BindException if the port is busy or the address not one of this machine
     */
    public static HttpEndpoint start(InetSocketAddress address, List<Route> routes) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (BindException e) {
            BindException readable =
                    new BindException("HTTP cannot listen on %s port %d: %s. Choose another port with --http-port."
                            .formatted(address.getHostString(), address.getPort(), e.getMessage()));
            readable.initCause(e);
            throw readable;
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
        });
        HttpEndpoint endpoint = new HttpEndpoint(server, threads, List.copyOf(routes));
        server.setExecutor(threads);
        server.createContext("/", endpoint::handle);
        server.start();
        return endpoint;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Stops listening; requests under way are cut off. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Response response =
                    answer(exchange.getRequestMethod(), exchange.getRequestURI(), exchange.getRequestHeaders());
            exchange.getResponseHeaders().set("Content-Type", response.contentType());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            if (response.status() == 405) {
                exchange.getResponseHeaders().set("Allow", "GET");
            }
            // Length 0 means: chunked, as long as it gets.
            exchange.sendResponseHeaders(response.status(), 0);
            try (OutputStream out = exchange.getResponseBody()) {
                response.body().writeTo(out);
            }
        }
    }

    private Response answer(String method, URI uri, Headers headers) {
        if (!method.equals("GET")) {
            return Response.problem(405, "MethodNotAllowed", "Only GET is answered here.");
        }
        try {
            List<String> path = Route.segments(uri.getRawPath());
            for (Route route : routes) {
                Optional<Map<String, String>> captured = route.match(path);
                if (captured.isPresent()) {
                    return route.answer()
                            .apply(new Request(target(uri), captured.get(), query(uri), headers::getFirst));
                }
            }
            return Response.problem(404, "NotFound", "There is nothing at this path.");
        } catch (IllegalArgumentException e) {
            return Response.problem(400, "BadRequest", e.getMessage());
        } catch (RuntimeException e) {
            // The client learns that it failed, the log where; neither gets the message, which might quote a document.
            String frames = Stream.of(e.getStackTrace())
                    .limit(8)
                    .map(frame -> "\n  at " + frame)
                    .collect(joining());
            LOG.error("{} while answering {}{}", e.getClass().getName(), uri.getPath(), frames);
            return Response.problem(500, "InternalError", "Strake failed to answer; its log says more.");
        }
    }

    private static String target(URI uri) {
        return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> parameters = new HashMap<>();
        String raw = uri.getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                parameters.put(Route.decode(name), Route.decode(value));
            }
        }
        return parameters;
    }
}
