package dev.strake.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

/** An HTTP source with good and bad responses, which records its requests. */
public final class SourceServer implements AutoCloseable {

    static {
        // Without this, each response of more than one packet is delayed by 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answering> paths = new ConcurrentHashMap<>();
    private final AtomicLong endless = new AtomicLong();
    public final List<Asked> asked = new CopyOnWriteArrayList<>();

    /**
     * A request, recorded as soon as it arrives.
     *
     * @param answered the status; 0 until the response is sent, which the client may receive earlier
     */
    public record Asked(String path, String query, Map<String, List<String>> headers, AtomicInteger answered) {

        public int status() {
            return answered.get();
        }

        /** Returns the first value of a header, or an empty text. */
        public String header(String name) {
            return headers.getOrDefault(name, List.of("")).get(0);
        }
    }

    /** Writes the response of a path, and returns its status. */
    public interface Answering {
        int answer(HttpExchange exchange) throws IOException;
    }

    public SourceServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            Answering answering = paths.getOrDefault(exchange.getRequestURI().getPath(), SourceServer::notFound);
            AtomicInteger answered = new AtomicInteger();
            asked.add(new Asked(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestURI().getQuery(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    answered));
            try {
                answered.set(answering.answer(exchange));
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    public SourceServer on(String path, Answering answering) {
        paths.put(path, answering);
        return this;
    }

    /** Serves a text with an ETag, and 304 if the client already has it. */
    public SourceServer text(String path, String text) {
        String etag = "\"" + Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, 12) + "\"";
        return on(path, exchange -> {
            exchange.getResponseHeaders().set("ETag", etag);
            if (etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
                return 304;
            }
            return send(exchange, 200, text.getBytes(StandardCharsets.UTF_8));
        });
    }

    public SourceServer status(String path, int status) {
        return on(path, exchange -> send(exchange, status, "token-in-an-answer".getBytes(StandardCharsets.UTF_8)));
    }

    public SourceServer redirect(String path, String to) {
        return on(path, exchange -> {
            exchange.getResponseHeaders().set("Location", to);
            exchange.sendResponseHeaders(302, -1);
            return 302;
        });
    }

    /** Serves endless bytes, and counts them. */
    public SourceServer endless(String path) {
        return endless(path, 200);
    }

    /** Serves endless bytes with a status; a redirect points to {@code /b}. */
    public SourceServer endless(String path, int status) {
        return on(path, exchange -> {
            exchange.getResponseHeaders().set("Location", "/b");
            exchange.sendResponseHeaders(status, 0);
            OutputStream out = exchange.getResponseBody();
            byte[] line = "# and so on\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
            while (true) {
                out.write(line);
                endless.addAndGet(line.length);
            }
        });
    }

    /** Returns the number of endless bytes written. */
    public long endlessBytes() {
        return endless.get();
    }

    /** Serves half of the announced bytes. */
    public SourceServer truncated(String path, String text) {
        return on(path, exchange -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
            exchange.getResponseBody().flush();
            exchange.close();
            return 200;
        });
    }

    public SourceServer gzip(String path, byte[] content) {
        return on(path, exchange -> {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(content);
            }
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            return send(exchange, 200, packed.toByteArray());
        });
    }

    public static int send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        return status;
    }

    private static int notFound(HttpExchange exchange) throws IOException {
        return send(exchange, 404, new byte[0]);
    }

    /** Returns the requests for a path so far, oldest first. */
    public List<Asked> asked(String path) {
        return asked.stream().filter(each -> each.path().equals(path)).toList();
    }

    public long count(String path) {
        return asked.stream().filter(each -> each.path().equals(path)).count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
