package dev.strake.server.http;

import dev.strake.server.access.Principal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Requests without a connection, blocked requests, and the text of responses. */
public final class TestRequests {

    private TestRequests() {}

    /** Returns an anonymous request without headers and body. */
    public static Request of(String path, Map<String, String> places, Map<String, List<String>> parameters) {
        return new Request(
                path, places, parameters, name -> null, Principal.ANYBODY, () -> Optional.of(Principal.ANYBODY), null);
    }

    /** Blocks a request until the test releases it. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the whole body of a response. */
    public static String read(Response response) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        response.body().writeTo(bytes);
        response.body().close();
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
