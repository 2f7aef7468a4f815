package dev.strake.server.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an issuer of tokens, found by its URL (OpenID Connect Discovery 1.0, section 4), and kept here. A
 * thread of its own fetches them, so no request waits for the issuer:
 *
 * <pre>
 *   every 5 minutes ─────────────────────────┐
 *   after a failure, every 10 s ─────────────┤──► issuer/.well-known/openid-configuration ──► jwks_uri ──► keys
 *   a token with a key that is not known ────┘    once in 10 s at the most
 * </pre>
 *
 * <p>While the issuer is away, the last keys go on for a day.
 */
final class IssuerKeys implements JWKSource<SecurityContext>, AutoCloseable {

    static final String DISCOVERY = "/.well-known/openid-configuration";

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(10);
    private static final Duration WITHOUT_ISSUER = Duration.ofDays(1);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** Bytes of an answer of the issuer, and keys in it. Real ones have a hundredth. */
    private static final int MOST_BYTES = 256 << 10;

    private static final int MOST_KEYS = 100;
    private static final int LEAST_RSA_BITS = 2_048;

    private final String issuer;
    private final HttpClient http;
    private final long atMostEveryNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private boolean wanted = true;
    private boolean closed;
    private long lastAttempt;
    private volatile Fetched fetched = new Fetched(new JWKSet(), Instant.EPOCH);
    private volatile String failure = "";

    private record Fetched(JWKSet keys, Instant at) {}

    /**
     * Begins to fetch them.
     *
     * @param trusted whom to trust to be the issuer; whom Java trusts if it is empty
     */
    IssuerKeys(String issuer, Optional<SSLContext> trusted) {
        this(issuer, trusted, AT_MOST_EVERY);
    }

    IssuerKeys(String issuer, Optional<SSLContext> trusted, Duration atMostEvery) {
        this.issuer = issuer;
        this.atMostEveryNanos = atMostEvery.toNanos();
        HttpClient.Builder client =
                HttpClient.newBuilder().connectTimeout(CONNECT).followRedirects(HttpClient.Redirect.NEVER);
        trusted.ifPresent(client::sslContext);
        this.http = client.build();
        Thread thread = new Thread(this::run, "issuer-keys");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Whether keys may be fetched from a URL: only with TLS, unless it is this machine.
     *
     * @param url as a setting or the issuer has it
     */
    static boolean isSafe(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null
                    && uri.getUserInfo() == null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme()) && isLoopback(uri.getHost())));
        } catch (IllegalArgumentException e) {
            return false; // no address at all
        }
    }

    private static boolean isLoopback(String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        return address.getAddress() != null && address.getAddress().isLoopbackAddress();
    }

    @Override
    public List<JWK> get(JWKSelector selector, SecurityContext context) throws KeySourceException {
        return selector.select(current());
    }

    private JWKSet current() {
        Fetched last = fetched;
        return last.at().plus(WITHOUT_ISSUER).isAfter(Instant.now()) ? last.keys() : new JWKSet();
    }

    /** Whether there are any. */
    boolean isEmpty() {
        return current().isEmpty();
    }

    boolean has(String id) {
        return current().getKeyByKeyId(id) != null;
    }

    /**
     * Asks for newer keys.
     *
     * @return whether they will be tried to be fetched now; false if they were just fetched
     */
    boolean refresh() {
        lock.lock();
        try {
            if (!wanted && lastAttempt != 0 && System.nanoTime() - lastAttempt < atMostEveryNanos) {
                return false;
            }
            wanted = true;
            asked.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the last attempt failed, so that older keys are in force, or none. */
    boolean isFailed() {
        return !failure.isEmpty();
    }

    private void run() {
        try {
            while (awaitTurn()) {
                Fetched next = fetch();
                lock.lock();
                try {
                    // Together, so that whoever finds a key missing in new ones does not ask for them once more.
                    fetched = next;
                    wanted = false;
                    lastAttempt = System.nanoTime();
                } finally {
                    lock.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitTurn() throws InterruptedException {
        lock.lock();
        try {
            long left = isFailed() ? atMostEveryNanos : EVERY.toNanos();
            while (!wanted && !closed && left > 0) {
                left = asked.awaitNanos(left);
            }
            wanted = true; // whoever comes while they are fetched need not ask again
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /* The same as before if they cannot be fetched. */
    private Fetched fetch() throws InterruptedException {
        Fetched result = fetched;
        String now = "";
        try {
            result = new Fetched(fetchedKeys(), Instant.now());
        } catch (IOException e) {
            now = e.getMessage();
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            now = "it answers with something else (" + e.getClass().getSimpleName() + ")";
        }
        if (!now.isEmpty() && !now.equals(failure)) {
            LOG.warn(
                    "The keys of the issuer {} cannot be fetched: {}. {}",
                    issuer,
                    now,
                    result.keys().isEmpty()
                            ? "There are none yet, so its tokens are not taken."
                            : "Those of " + result.at() + " go on for a day at the most.");
        } else if (now.isEmpty() && isFailed()) {
            LOG.info("The keys of the issuer {} could be fetched again.", issuer);
        }
        failure = now;
        return result;
    }

    private JWKSet fetchedKeys() throws IOException, ParseException, InterruptedException {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        String discovery = get(base + DISCOVERY);
        Object itself = JSONObjectUtils.parse(discovery).get("issuer");
        if (!issuer.equals(itself)) {
            throw new IOException(
                    "what answers there says that it is another issuer; strake.access.jwt.issuer has to be"
                            + " exactly what it says");
        }
        String place = JSONObjectUtils.getString(JSONObjectUtils.parse(discovery), "jwks_uri");
        if (place == null || !isSafe(place)) {
            throw new IOException("its jwks_uri is no address with https");
        }
        List<JWK> keys = JWKSet.parse(get(place)).getKeys().stream()
                .filter(IssuerKeys::isForSignatures)
                .toList();
        if (keys.isEmpty() || keys.size() > MOST_KEYS) {
            throw new IOException("it has " + keys.size() + " keys that can be used, and not 1 to " + MOST_KEYS);
        }
        return new JWKSet(keys);
    }

    /* Symmetric keys among public ones would let anybody who can read them sign. */
    private static boolean isForSignatures(JWK key) {
        boolean fits = KeyType.EC.equals(key.getKeyType())
                || (KeyType.RSA.equals(key.getKeyType()) && key.size() >= LEAST_RSA_BITS);
        return fits && (key.getKeyUse() == null || KeyUse.SIGNATURE.equals(key.getKeyUse()));
    }

    private String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(ANSWER)
                .header("Accept", "application/json")
                .build();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        CompletableFuture<HttpResponse<Void>> coming = http.sendAsync(
                request,
                BodyHandlers.ofByteArrayConsumer(piece ->
                        piece.filter(bytes -> body.size() <= MOST_BYTES).ifPresent(body::writeBytes)));
        try {
            // The limit of a request ends with the header of its answer; this one holds for the body, too.
            HttpResponse<Void> answer = coming.get(ANSWER.toSeconds(), TimeUnit.SECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException(url + " answers " + answer.statusCode());
            } else if (body.size() > MOST_BYTES) {
                throw new IOException(url + " answers more than " + MOST_BYTES + " bytes");
            }
            return body.toString(StandardCharsets.UTF_8);
        } catch (ExecutionException e) {
            String why = e.getCause().getMessage();
            throw new IOException(
                    url + " does not answer (" + e.getCause().getClass().getSimpleName()
                            + (why == null ? "" : ", " + why) + ")",
                    e.getCause());
        } catch (TimeoutException e) {
            coming.cancel(true);
            throw new IOException(url + " does not answer within " + ANSWER.toSeconds() + " s", e);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            asked.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
