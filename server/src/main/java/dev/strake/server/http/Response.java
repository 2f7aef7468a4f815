package dev.strake.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a route answers.
 *
 * @param status of HTTP
 * @param contentType with its character set
 * @param body written straight to the connection, so that an answer may be larger than memory
 */
public record Response(int status, String contentType, Body body) {

    /** Writes a body. What it throws after the first byte breaks the connection off, which the client notices. */
    @FunctionalInterface
    public interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A JSON answer, from bytes that are JSON already. */
    public static Response json(int status, byte[] json) {
        return new Response(status, "application/json", out -> out.write(json));
    }

    /** A JSON answer of maps, lists, text, numbers and booleans. */
    public static Response json(int status, Map<String, ?> content) {
        try {
            return json(status, JSON.writeValueAsBytes(content));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a plain map: " + content.keySet(), e);
        }
    }

    /** An answer to be read by people. */
    public static Response text(int status, String text) {
        return new Response(
                status, "text/plain; charset=utf-8", out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A refusal in the one form all refusals have. */
    public static Response problem(int status, String code, String message) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("code", code);
        content.put("message", message);
        return json(status, content);
    }
}
