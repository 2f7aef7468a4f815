package dev.strake.server.state;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Peers;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.tls.Tls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes a question on to the instance that can answer it, and its answer back as it comes. Once only: while tasks move,
 * two instances may each take the other for the owner. An instance that does not answer holds a thread for a bounded time
 * at most, and never all of them.
 */
final class Forwarding {

    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);

    private static final String AUTHORIZATION = "Authorization";
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration HEADERS = Duration.ofSeconds(30);
    private static final Duration PIECE = Duration.ofSeconds(10);

    /** How long a small answer may take to its end. */
    private static final Duration WHOLE = Duration.ofSeconds(20);

    private final String scheme;
    private final AtomicReference<HttpClient> http;
    private final Semaphore underWay;

    /**
     * @param tls of this instance; all have it, or none has
     * @param most questions that are passed on at a time
     */
    Forwarding(Optional<Tls> tls, int most) {
        this(tls.isPresent() ? "https" : "http", new AtomicReference<>(client(tls.map(Tls::context))), most);
        tls.ifPresent(present -> present.whenChanged(changed -> http.set(client(Optional.of(changed)))));
    }

    private Forwarding(String scheme, AtomicReference<HttpClient> http, int most) {
        this.scheme = scheme;
        this.http = http;
        this.underWay = new Semaphore(most);
    }

    /** The same for other questions, which are counted by themselves. */
    Forwarding ofAtMost(int most) {
        return new Forwarding(scheme, http, most);
    }

    /* Java's client compares the name of the other instance with its certificate by itself. */
    private static HttpClient client(Optional<SSLContext> context) {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        context.ifPresent(client::sslContext);
        return client.build();
    }

    static boolean wasForwarded(Request request) {
        return request.header(Peers.FORWARDED).isPresent();
    }

    /** The answer of another instance. */
    Response ask(String address, Request request) {
        if (!underWay.tryAcquire()) {
            return busy();
        }
        boolean passed = false;
        try {
            HttpResponse<Flow.Publisher<List<ByteBuffer>>> answer =
                    http.get().send(passedOn(address, request), BodyHandlers.ofPublisher());
            String type = answer.headers().firstValue("Content-Type").orElse("application/octet-stream");
            Passed body = new Passed();
            answer.body().subscribe(body);
            passed = true;
            Response response = Response.of(answer.statusCode(), type, body);
            Optional<String> head = answer.headers().firstValue("ETag");
            return head.isPresent() ? response.with("ETag", head.get()) : response;
        } catch (SSLException e) {
            LOG.warn(
                    "The instance at {} does not prove who it is, or does not know this one: {}",
                    address,
                    e.getMessage());
            return Response.tryAgain(
                    "OwnerNotTrusted",
                    "The instance at " + address + " has the workspace, and the two instances do not trust each other."
                            + " Whoever runs them has to look at strake.http.tls.ca and their certificates.");
        } catch (IOException e) {
            return Response.tryAgain(
                    "OwnerUnreachable",
                    "The instance at " + address + " has the workspace and does not answer. Ask again in a moment, or "
                            + "with ?from=standby.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Response.tryAgain("Stopping", "This instance is stopping.");
        } finally {
            if (!passed) {
                underWay.release();
            }
        }
    }

    /**
     * A small answer of another instance, as a tree.
     *
     * @throws IOException if it does not answer, or cannot
     */
    MapValue askForTree(String address, Request request) throws IOException {
        if (!underWay.tryAcquire()) {
            throw new IOException("too many questions are being passed on");
        }
        try {
            HttpResponse<byte[]> answer = whole(address, request);
            if (answer.statusCode() == 200 && JsonValues.read(answer.body()) instanceof MapValue tree) {
                return tree;
            }
            throw new IOException("the instance at " + address + " answered " + answer.statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("this instance is stopping", e);
        } finally {
            underWay.release();
        }
    }

    /* The client's own time limit ends with the headers. What follows them could take for ever. */
    private HttpResponse<byte[]> whole(String address, Request request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.get().sendAsync(passedOn(address, request), BodyHandlers.ofByteArray());
        try {
            return answer.get(WHOLE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("the instance at " + address + " did not answer to the end in time");
        } catch (ExecutionException e) {
            throw new IOException("the instance at " + address + " did not answer", e.getCause());
        } finally {
            answer.cancel(true); // nothing to do if it is there
        }
    }

    private HttpRequest passedOn(String address, Request request) {
        HttpRequest.Builder passed = HttpRequest.newBuilder(URI.create(scheme + "://" + address + request.target()))
                .timeout(HEADERS)
                .header(Peers.FORWARDED, "1");
        // The other instance decides for itself, by the same token.
        request.header(AUTHORIZATION).ifPresent(token -> passed.header(AUTHORIZATION, token));
        if (request.hasBody()) {
            request.header("Content-Type").ifPresent(type -> passed.header("Content-Type", type));
            passed.POST(BodyPublishers.ofByteArray(request.body()));
        }
        return passed.build();
    }

    private static Response busy() {
        return Response.tryAgain(
                "Busy", "Too many questions are being passed on to other instances. Ask again in a moment.");
    }

    /** The body of the other's answer. Asks for a piece when the one before was taken, so none piles up here. */
    private final class Passed implements Response.Body, Flow.Subscriber<List<ByteBuffer>> {

        private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
        private Flow.Subscription subscription; // may come after the first piece is asked for
        private boolean wanted;
        private boolean closed;

        /** Some bytes; none at the end, and a failure if it is not the end that was meant. */
        private record Piece(List<ByteBuffer> bytes, Throwable failure) {}

        @Override
        public boolean writeSome(OutputStream out) throws IOException {
            want();
            Piece piece;
            try {
                piece = pieces.poll(PIECE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("this instance is stopping", e);
            }
            if (piece == null) {
                throw new HttpTimeoutException("the instance that has the workspace went silent");
            }
            if (piece.failure() != null) {
                throw new IOException("the instance that has the workspace broke off", piece.failure());
            } else if (piece.bytes() == null) {
                return false;
            }
            for (ByteBuffer buffer : piece.bytes()) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                out.write(bytes);
            }
            return true;
        }

        @Override
        public void close() {
            cancel();
            underWay.release();
        }

        private synchronized void want() {
            wanted = subscription == null;
            if (subscription != null) {
                subscription.request(1);
            }
        }

        private synchronized void cancel() {
            closed = true;
            if (subscription != null) {
                subscription.cancel();
            }
        }

        @Override
        public synchronized void onSubscribe(Flow.Subscription newSubscription) {
            subscription = newSubscription;
            if (closed) {
                subscription.cancel();
            } else if (wanted) {
                subscription.request(1);
            }
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {
            pieces.add(new Piece(bytes, null));
        }

        @Override
        public void onError(Throwable failure) {
            pieces.add(new Piece(null, failure));
        }

        @Override
        public void onComplete() {
            pieces.add(new Piece(null, null));
        }
    }
}
