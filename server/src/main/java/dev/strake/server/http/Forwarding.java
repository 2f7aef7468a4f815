package dev.strake.server.http;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.server.tls.Tls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards a request to the instance that can answer it, and streams back the response. A request is forwarded only
 * once, because two instances may each take the other for the owner while tasks move. An instance that does not answer
 * holds a thread for a bounded time, and the number of such threads is limited.
 */
public final class Forwarding {

    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration HEADERS = Duration.ofSeconds(30);

    /** The request headers to forward. The other instance authenticates the request itself, with the same token. */
    private static final List<String> FORWARDED_HEADERS = List.of(
            "Authorization",
            "X-Auth-Token",
            "Content-Type",
            "If-None-Match",
            "Idempotency-Key",
            "X-End-User",
            "X-Context-Marker");

    private static final List<String> PASSED_BACK = List.of("ETag", "Retry-After", "Warning");

    private static final int PIECE_BYTES = 16 << 10;

    private static final String UNLISTED = "has some of the workspaces and does not list them. Try again in a moment.";

    private final String scheme;
    private final AtomicReference<HttpClient> http;
    private final Semaphore underWay;
    private final Duration headers;
    private final Duration longestSilence;

    /**
     * @param tls the TLS setup of this instance; either all instances use TLS or none
     * @param most how many requests may be forwarded concurrently
     */
    public Forwarding(Optional<Tls> tls, int most) {
        this(tls, most, Duration.ofSeconds(10));
    }

    /** @param longestSilence how long to wait for the next chunk of a response */
    Forwarding(Optional<Tls> tls, int most, Duration longestSilence) {
        this(
                tls.isPresent() ? "https" : "http",
                new AtomicReference<>(client(tls.map(Tls::context))),
                most,
                HEADERS,
                longestSilence);
        tls.ifPresent(present -> present.whenChanged(changed -> http.set(client(Optional.of(changed)))));
    }

    private Forwarding(
            String scheme, AtomicReference<HttpClient> http, int most, Duration headers, Duration longestSilence) {
        this.scheme = scheme;
        this.headers = headers;
        this.http = http;
        this.underWay = new Semaphore(most);
        this.longestSilence = longestSilence;
    }

    /** Returns a copy with a separate limit of concurrent requests. */
    public Forwarding ofAtMost(int most) {
        return new Forwarding(scheme, http, most, headers, longestSilence);
    }

    /** Returns a copy with a separate limit, for responses that take up to the given time to begin. */
    public Forwarding waiting(Duration forHeaders, int most) {
        return new Forwarding(scheme, http, most, forHeaders, longestSilence);
    }

    /* Java's client verifies by default that the certificate names the host. */
    private static HttpClient client(Optional<SSLContext> context) {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        context.ifPresent(client::sslContext);
        return client.build();
    }

    public static boolean wasForwarded(Request request) {
        return request.header(Peers.FORWARDED).isPresent();
    }

    /** Returns the response of the instance that owns the workspace. */
    public Response ask(String address, Request request) {
        return ask(address, request.hasBody() ? "POST" : "GET", request);
    }

    /** As {@link #ask(String, Request)}, with any method. */
    public Response ask(String address, String method, Request request) {
        return ask(
                address,
                method,
                request,
                "has the workspace and does not answer. Try again in a moment, or with ?from=standby.");
    }

    /* Callers supply the message for an instance that cannot be reached. */
    private Response ask(String address, String method, Request request, String unreachable) {
        if (!underWay.tryAcquire()) {
            throw RefusedException.tryAgain(
                    "Busy", "Too many requests are being forwarded to other instances. Try again in a moment.");
        }
        boolean passed = false;
        try {
            HttpResponse<InputStream> answer =
                    http.get().send(passedOn(address, method, request), BodyHandlers.ofInputStream());
            Map<String, String> back = new LinkedHashMap<>();
            PASSED_BACK.forEach(name -> answer.headers().firstValue(name).ifPresent(value -> back.put(name, value)));
            String type = answer.headers().firstValue("Content-Type").orElse(null);
            passed = true;
            return new Response(answer.statusCode(), type, back, new ForwardedBody(answer.body()));
        } catch (SSLException e) {
            LOG.warn(
                    "The instance at {} and this one do not trust each other's certificates: {}",
                    address,
                    e.getMessage());
            throw RefusedException.tryAgain(
                    "OwnerNotTrusted",
                    "The instance at " + address + " has the workspace, but it and this one do not trust each other."
                            + " Ask their operator to check strake.http.tls.ca and the certificates.");
        } catch (IOException e) {
            throw unreachable(address, unreachable);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RefusedException.tryAgain("Stopping", "This instance is stopping.");
        } finally {
            if (!passed) {
                underWay.release();
            }
        }
    }

    /** Returns a small JSON response of another instance as a tree. */
    public MapValue askForTree(String address, Request request) {
        Response answer = ask(address, "GET", request, UNLISTED);
        try {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            answer.body().writeTo(whole);
            if (answer.status() == 200 && JsonReader.read(whole.toByteArray()) instanceof MapValue tree) {
                return tree;
            }
            LOG.warn("The instance at {} answered {}", address, answer.status());
        } catch (IOException | IllegalArgumentException e) { // truncated, or not JSON
            LOG.warn("The instance at {} did not answer to the end: {}", address, e.getMessage());
        } finally {
            answer.body().close();
        }
        throw unreachable(address, UNLISTED);
    }

    private static UnreachableException unreachable(String address, String what) {
        return new UnreachableException(
                Response.tryAgain("OwnerUnreachable", "The instance at " + address + " " + what));
    }

    /** The other instance does not answer. */
    public static final class UnreachableException extends RefusedException {

        private static final long serialVersionUID = 1L;

        private UnreachableException(Response instead) {
            super(instead);
        }
    }

    private HttpRequest passedOn(String address, String method, Request request) {
        HttpRequest.Builder passed = HttpRequest.newBuilder(URI.create(scheme + "://" + address + request.target()))
                .timeout(headers)
                .header(Peers.FORWARDED, "1");
        FORWARDED_HEADERS.forEach(name -> request.header(name).ifPresent(value -> passed.header(name, value)));
        passed.method(method, request.hasBody() ? BodyPublishers.ofByteArray(request.body()) : BodyPublishers.noBody());
        return passed.build();
    }

    /** Streams the body of a response. The client's timeout ends with the headers, so each chunk has its own. */
    private final class ForwardedBody implements Response.Body {

        private final InputStream answer;

        ForwardedBody(InputStream answer) {
            this.answer = answer;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            byte[] piece = new byte[PIECE_BYTES];
            for (int length = read(piece); length >= 0; length = read(piece)) {
                out.write(piece, 0, length);
            }
        }

        private int read(byte[] piece) throws IOException {
            CompletableFuture<Void> came = new CompletableFuture<>();
            var unused = came.orTimeout(longestSilence.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(silence -> {
                        closeAnswer();
                        return null;
                    });
            try {
                return answer.read(piece);
            } catch (IOException e) {
                throw new IOException("the instance that has the workspace broke off, or went silent", e);
            } finally {
                came.complete(null);
            }
        }

        private void closeAnswer() {
            try {
                answer.close();
            } catch (IOException e) {
                LOG.debug("An answer was not closed", e);
            }
        }

        @Override
        public void close() {
            closeAnswer();
            underWay.release();
        }
    }
}
