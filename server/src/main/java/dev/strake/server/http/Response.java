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
 * What a route answers.
 *
 * @param status of HTTP
 * @param contentType with its character set; null where nothing follows
 * @param headers further ones, by name
 */
public record Response(int status, String contentType, Map<String, String> headers, Body body) {

    /** The content of an answer, which may be larger than memory: its thread waits while the client reads. */
    @FunctionalInterface
    public interface Body {

        /**
         * Writes the content. Some ten thousand bytes are sent together, or what there is at a flush.
         *
         * <p>What is thrown before anything was sent becomes an answer of its own; later it breaks the connection off, which
         * the client notices.
         */
        void writeTo(OutputStream out) throws IOException;

        /** Called once, when all is sent or the client has gone; also if nothing was asked for. */
        default void close() {}
    }

    /**
     * Why a request is not answered as it was meant, as the content of an answer. Where a {@link ForeignApi} is spoken it is
     * said in the form of that, everywhere else as JSON.
     *
     * @param code names the reason for programs
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

    /** An answer from bytes that are there. JSON ends with a new line, so that the prompt of a shell is not put behind it. */
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

    /** An answer without content, which has no type. */
    public static Response empty(int status) {
        return of(status, null, out -> {});
    }

    /** A refusal in the one form all refusals have, see {@link Refusal}. */
    public static Response problem(int status, String code, String message) {
        return of(status, "application/json", new Refusal(code, message));
    }

    void writeHead(org.eclipse.jetty.server.Response to) {
        to.setStatus(status);
        if (contentType != null) {
            to.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        }
        to.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        to.getHeaders().put("X-Content-Type-Options", "nosniff"); // what a document holds is nothing to run
        headers.forEach(to.getHeaders()::put);
    }

    /** Sends an answer whose content is one piece, without waiting. */
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
