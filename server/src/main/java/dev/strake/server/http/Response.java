package dev.strake.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.Callback;

/**
 * The response of a route.
 *
 * @param status the HTTP status
 * @param contentType with its charset; null if there is no body
 * @param headers additional headers, by name
 */
public record Response(int status, String contentType, Map<String, String> headers, Body body) {

    /** The body of a response, which may be larger than memory: the writing thread blocks while the client reads. */
    @FunctionalInterface
    public interface Body {

        /**
         * Writes the body. Output is sent in chunks of some ten thousand bytes, and at each flush.
         *
         * <p>An exception before the first chunk becomes an error response. A later exception aborts the connection, so
         * that the client notices.
         */
        void writeTo(OutputStream out) throws IOException;

        /** Called once, after everything was sent or the client disconnected; also for HEAD. */
        default void close() {}
    }

    /**
     * The body of an error response. A {@link ForeignApi} formats it on its own paths; everywhere else it is JSON.
     *
     * @param code identifies the reason for programs
     */
    public record Refusal(String code, String message) implements Body {

        @Override
        public void writeTo(OutputStream out) throws IOException {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("code", code);
            content.put("message", message);
            json(200, content).body().writeTo(out);
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    public static Response of(int status, String contentType, Body body) {
        return new Response(status, contentType, Map.of(), body);
    }

    public Response with(String header, String value) {
        return withAll(Map.of(header, value));
    }

    public Response withAll(Map<String, String> others) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.putAll(others);
        return new Response(status, contentType, more, body);
    }

    /** Returns a response with the given bytes. Adds a newline to JSON, for users of a shell. */
    public static Response of(int status, String contentType, byte[] content) {
        boolean endsLine = content.length > 0 && content[content.length - 1] == '\n';
        return of(status, contentType, out -> {
            out.write(content);
            if (contentType.startsWith("application/json") && !endsLine) {
                out.write('\n');
            }
        });
    }

    public static Response json(int status, Map<String, ?> content) {
        try {
            return of(status, "application/json", JSON.writeValueAsBytes(content));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a plain map: " + content.keySet(), e);
        }
    }

    public static Response text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a response without a body and content type. */
    public static Response empty(int status) {
        return of(status, null, out -> {});
    }

    /** Returns an error in the common format, see {@link Refusal}. */
    public static Response problem(int status, String code, String message) {
        return of(status, "application/json", new Refusal(code, message));
    }

    void writeHead(org.eclipse.jetty.server.Response to) {
        to.setStatus(status);
        if (contentType != null) {
            to.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        }
        to.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        to.getHeaders().put("X-Content-Type-Options", "nosniff"); // a document must never run as a script
        headers.forEach(to.getHeaders()::put);
    }

    /** Sends a small response without blocking. */
    void send(org.eclipse.jetty.server.Response to, Callback end) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            body.writeTo(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        writeHead(to);
        to.write(true, ByteBuffer.wrap(content.toByteArray()), end);
    }

    public static Response tryAgain(String code, String message) {
        return problem(503, code, message).with("Retry-After", "1");
    }
}
