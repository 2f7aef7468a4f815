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
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.Callback;

/**
 * What a route answers.
 *
 * @param status of HTTP
 * @param contentType with its character set
 * @param retryAfter seconds after which asking again may help
 * @param headers further ones, by name
 * @param body written piece by piece, so that an answer may be larger than memory
 */
public record Response(
        int status, String contentType, Optional<Integer> retryAfter, Map<String, String> headers, Body body) {

    /**
     * A body in pieces. Between two pieces its thread waits until the client has taken the first one.
     *
     * <p>What it throws before the first piece is full becomes an answer of its own; later it breaks the connection off,
     * which the client notices.
     */
    @FunctionalInterface
    public interface Body {

        /**
         * Writes the next piece; some ten thousand bytes are a good size. Writes nothing if the next piece has not come
         * within a second or so, and is asked again.
         *
         * @return whether there is more
         */
        boolean writeSome(OutputStream out) throws IOException;

        /** Called once, after the last piece or when the client has gone; also if no piece was asked for. */
        default void close() {}
    }

    /** What a body throws that cannot go on, for a reason that the client is told if it has not got a piece yet. */
    public static final class BrokenOffException extends IOException {

        private static final long serialVersionUID = 1L;

        private final transient Response instead;

        public BrokenOffException(Response instead, Throwable cause) {
            super("answered " + instead.status() + " instead", cause);
            this.instead = instead;
        }

        Response instead() {
            return instead;
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    public static Response of(int status, String contentType, Body body) {
        return new Response(status, contentType, Optional.empty(), Map.of(), body);
    }

    /** The same answer with one header more. */
    public Response with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Response(status, contentType, retryAfter, more, body);
    }

    /** An answer from bytes that are there. JSON ends with a new line, so that the prompt of a shell is not put behind it. */
    public static Response of(int status, String contentType, byte[] content) {
        boolean endsLine = content.length > 0 && content[content.length - 1] == '\n';
        return of(status, contentType, out -> {
            out.write(content);
            if (contentType.startsWith("application/json") && !endsLine) {
                out.write('\n');
            }
            return false;
        });
    }

    /** A JSON answer of maps, lists, text, numbers and booleans. */
    public static Response json(int status, Map<String, ?> content) {
        try {
            return of(status, "application/json", JSON.writeValueAsBytes(content));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a plain map: " + content.keySet(), e);
        }
    }

    /** An answer to be read by people. */
    public static Response text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** A refusal in the one form all refusals have. */
    public static Response problem(int status, String code, String message) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("code", code);
        content.put("message", message);
        return json(status, content);
    }

    void writeHead(org.eclipse.jetty.server.Response to) {
        to.setStatus(status);
        to.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        to.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        to.getHeaders().put("X-Content-Type-Options", "nosniff"); // what a document holds is nothing to run
        retryAfter.ifPresent(seconds -> to.getHeaders().put(HttpHeader.RETRY_AFTER, seconds));
        headers.forEach(to.getHeaders()::put);
    }

    /** Sends an answer whose content is one piece, without waiting. */
    void send(org.eclipse.jetty.server.Response to, Callback end) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            body.writeSome(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        writeHead(to);
        to.write(true, ByteBuffer.wrap(content.toByteArray()), end);
    }

    /** The refusal of what is too much at the moment. */
    static Response busy() {
        return tryAgain("Busy", "Too many answers are under way, or this instance is stopping. Ask again in a moment.");
    }

    /** A refusal for now. */
    public static Response tryAgain(String code, String message) {
        Response problem = problem(503, code, message);
        return new Response(problem.status(), problem.contentType(), Optional.of(1), Map.of(), problem.body());
    }
}
