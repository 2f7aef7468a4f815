package dev.strake.server.state;

import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Passes a question on to the instance that can answer it, and its answer back as it comes. Once only: while tasks move,
 * two instances may each take the other for the owner.
 */
final class Forwarding {

    private static final String FORWARDED = "Strake-Forwarded";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /* Half of the server's threads: with all of them two instances could wait for each other and answer nobody. */
    private final Semaphore places = new Semaphore(8);
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    static boolean wasForwarded(Request request) {
        return request.header(FORWARDED).isPresent();
    }

    /** The answer of another instance. */
    Response ask(String address, Request request) {
        if (!places.tryAcquire()) {
            return Response.problem(
                    503, "Busy", "Too many questions are being passed on to other instances. Ask again.");
        }
        try {
            HttpRequest question = HttpRequest.newBuilder(URI.create("http://" + address + request.target()))
                    .timeout(TIMEOUT)
                    .header(FORWARDED, "1")
                    .build();
            HttpResponse<InputStream> answer = http.send(question, HttpResponse.BodyHandlers.ofInputStream());
            String type = answer.headers().firstValue("Content-Type").orElse("application/octet-stream");
            return new Response(answer.statusCode(), type, out -> {
                try (InputStream body = answer.body()) {
                    body.transferTo(out);
                }
            });
        } catch (IOException e) {
            return Response.problem(
                    503,
                    "OwnerUnreachable",
                    "The instance at " + address + " has the workspace and does not answer. Ask again in a moment, or "
                            + "with ?from=standby.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Response.problem(503, "Stopping", "This instance is stopping.");
        } finally {
            places.release();
        }
    }
}
