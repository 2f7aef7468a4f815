package dev.strake.server.access;

import dev.strake.server.settings.WatchedFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of Keystone, the identity service of OpenStack, which validates tokens. The client gets its own token with the
 * configured credentials, and renews it before it expires or when Keystone rejects it.
 *
 * @see <a href="https://docs.openstack.org/api-ref/identity/v3/#authentication-and-token-management">Keystone's API</a>
 */
final class Keystone {

    private static final Logger LOG = LoggerFactory.getLogger(Keystone.class);

    /** The timeout for a complete response. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration RENEWED_BEFORE_END = Duration.ofMinutes(2);
    private static final int MOST_BYTES = 256 << 10;
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1,8192}");
    private static final String X_SUBJECT_TOKEN = "X-Subject-Token";

    private final URI tokens;
    private final WatchedFiles<byte[]> credentials;
    private final Clock clock;
    private final Duration betweenFailures;
    private final HttpClient http;
    private volatile Own own;
    private Instant notBefore = Instant.MIN;
    private String refusal = "";
    private volatile String failure = "";

    /** The token with which this service authenticates. */
    private record Own(String token, Instant expires) {}

    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Answer(int status, Optional<String> token, byte[] body) {}

    /**
     * @param url with or without {@code /v3}
     * @param credentials the body of {@code POST /v3/auth/tokens}
     * @param betweenFailures how long to wait after a failed login; Keystone may lock an account after too many
     */
    Keystone(
            String url,
            Optional<SSLContext> trusted,
            WatchedFiles<byte[]> credentials,
            Clock clock,
            Duration betweenFailures) {
        String base = url.replaceAll("/+$", "");
        this.tokens = URI.create((base.endsWith("/v3") ? base : base + "/v3") + "/auth/tokens?nocatalog");
        this.credentials = credentials;
        this.clock = clock;
        this.betweenFailures = betweenFailures;
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(PATIENCE);
        trusted.ifPresent(client::sslContext);
        this.http = client.build();
    }

    /**
     * Returns the user of a token; empty if Keystone does not know the token, or no longer does.
     *
     * @throws IOException if the token cannot be validated; the message says why
     */
    Optional<KeystoneUser> user(String token) throws IOException {
        try {
            Optional<KeystoneUser> user = asked(token);
            succeeded();
            return user;
        } catch (IOException e) {
            failed(e);
            throw e;
        }
    }

    /** Renews the token of this service if it is about to expire, so that no request has to wait for a new one. */
    void renewIfDue() {
        try {
            Own before = own;
            if (!own(null, RENEWED_BEFORE_END).equals(before)) {
                succeeded();
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    /** Whether Keystone did not answer the last request, or refused it. */
    boolean isAway() {
        return !failure.isEmpty();
    }

    private void succeeded() {
        if (isAway()) {
            LOG.info("Keystone at {} answers again.", tokens.getAuthority());
        }
        failure = "";
    }

    private void failed(IOException e) {
        String reason = String.valueOf(e.getMessage());
        if (!reason.equals(failure)) {
            LOG.warn("Keystone at {} cannot check tokens: {}.", tokens.getAuthority(), reason);
        }
        failure = reason;
    }

    private Optional<KeystoneUser> asked(String token) throws IOException {
        Own used = own(null, Duration.ZERO);
        Answer answer = ask(token, used);
        if (answer.status() == 401) {
            answer = ask(token, own(used, Duration.ZERO));
        }
        return switch (answer.status()) {
            case 200 -> KeystoneUser.of(answer.body());
            case 404 -> Optional.empty();
            case 401 -> throw new IOException("it rejects the token that it gave to this service");
            case 403 ->
                throw new IOException(
                        "the user of strake.access.keystone.credentials may not check tokens; give it the role "
                                + "service or admin");
            default -> throw new IOException("it answers with status " + answer.status());
        };
    }

    private Answer ask(String token, Own used) throws IOException {
        try {
            return send(HttpRequest.newBuilder(tokens)
                    .header("X-Auth-Token", used.token())
                    .header(X_SUBJECT_TOKEN, token));
        } catch (IOException e) {
            forget(used); // so that renewIfDue detects when Keystone answers again
            throw e;
        }
    }

    private synchronized void forget(Own used) {
        if (used.equals(own)) {
            own = null;
        }
    }

    /* Returns a token other than the rejected one, valid for at least the given time. */
    private synchronized Own own(Own refused, Duration left) throws IOException {
        Instant now = clock.instant();
        if (own != null && !own.equals(refused) && now.plus(left).isBefore(own.expires())) {
            return own;
        }
        if (now.isBefore(notBefore)) {
            throw new IOException(refusal);
        }
        try {
            own = authenticated();
            return own;
        } catch (IOException e) {
            notBefore = clock.instant().plus(betweenFailures);
            refusal = e.getMessage();
            throw e;
        }
    }

    private Own authenticated() throws IOException {
        Answer answer = send(HttpRequest.newBuilder(tokens)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(credentials.current())));
        if (answer.status() == 401) {
            throw new IOException("it rejects strake.access.keystone.credentials");
        } else if (answer.status() != 201) {
            throw new IOException("it answers with status " + answer.status() + " to the credentials of this service");
        }
        String token = answer.token()
                .filter(text -> TOKEN.matcher(text).matches())
                .orElseThrow(() -> new IOException("it answers without a token to the credentials of this service"));
        return new Own(token, KeystoneUser.expiry(answer.body()));
    }

    private Answer send(HttpRequest.Builder request) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> sent =
                http.sendAsync(request.header("Accept", "application/json").build(), head -> new SmallBody());
        try {
            HttpResponse<byte[]> response = sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(response.statusCode(), response.headers().firstValue(X_SUBJECT_TOKEN), response.body());
        } catch (TimeoutException e) {
            throw new IOException("it does not answer in " + PATIENCE.toSeconds() + " seconds", e);
        } catch (ExecutionException e) {
            String why = e.getCause() instanceof TooLongException
                    ? "its answer is too long"
                    : "it cannot be reached (" + e.getCause().getClass().getSimpleName() + ")";
            throw new IOException(why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("this instance is stopping", e);
        } finally {
            sent.cancel(true);
        }
    }

    private static final class TooLongException extends IOException {}

    /** Collects a small body, and cancels the response if it gets too large. */
    private static final class SmallBody implements BodySubscriber<byte[]> {

        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private Flow.Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return whole;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> pieces) {
            for (ByteBuffer piece : pieces) {
                byte[] bytes = new byte[piece.remaining()];
                piece.get(bytes);
                read.writeBytes(bytes);
            }
            if (read.size() > MOST_BYTES) {
                subscription.cancel();
                whole.completeExceptionally(new TooLongException());
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            whole.complete(read.toByteArray());
        }
    }
}
