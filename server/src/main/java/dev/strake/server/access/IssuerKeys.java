package dev.strake.server.access;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cached public keys of a token issuer, found by its URL (OpenID Connect Discovery 1.0, section 4). A dedicated
 * thread fetches the keys. The cache of the library would fetch them on the request thread, where clients without a
 * token could block all request threads while the issuer is unavailable.
 *
 * <pre>
 *   every 5 minutes ─────────────────────────┐
 *   after a failure, every 10 s ─────────────┤──► issuer/.well-known/openid-configuration ──► jwks_uri ──► keys
 *   a token with a key that is not known ────┘    once in 10 s at the most
 * </pre>
 *
 * <p>If the issuer is unavailable, the last keys stay valid for a day.
 */
final class IssuerKeys implements JWKSource<SecurityContext>, AutoCloseable {

    static final String DISCOVERY = "/.well-known/openid-configuration";

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final Duration WITHOUT_ISSUER = Duration.ofDays(1);
    private static final int CONNECT_MILLIS = 5_000;
    private static final int READ_MILLIS = 10_000;

    /** The largest accepted response, in bytes. Typical responses are a hundred times smaller. */
    private static final int MOST_BYTES = 256 << 10;

    private static final int LEAST_RSA_BITS = 2_048;

    private final String issuer;
    private final DefaultResourceRetriever http;
    private final long atMostEveryNanos;
    private final ScheduledExecutorService thread;
    private boolean isUnderWay;
    private long lastAttempt;
    private volatile CachedKeys fetched = new CachedKeys(new JWKSet(), Instant.EPOCH);
    private volatile String failure = "";

    private record CachedKeys(JWKSet keys, Instant at) {

        boolean isOlderThan(Duration age) {
            return at.plus(age).isBefore(Instant.now());
        }
    }

    /**
     * Starts to fetch the keys.
     *
     * @param trusted the certificates trusted for the issuer; those of the JVM if empty
     * @param atMostEvery the shortest time between two fetches
     */
    IssuerKeys(String issuer, Optional<SSLContext> trusted, Duration atMostEvery) {
        this.issuer = issuer;
        this.atMostEveryNanos = atMostEvery.toNanos();
        this.lastAttempt = System.nanoTime() - atMostEveryNanos;
        SSLSocketFactory sockets = trusted.map(SSLContext::getSocketFactory).orElse(null);
        this.http = new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MOST_BYTES, true, sockets);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "issuer-keys");
            made.setDaemon(true);
            return made;
        });
        var unused = thread.scheduleWithFixedDelay(this::fetchIfDue, 0, atMostEveryNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Whether keys may be fetched from a URL: it has to use TLS or name this machine.
     *
     * @param url as configured or as returned by the issuer
     */
    static boolean isSafe(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null
                    && uri.getUserInfo() == null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme()) && isLoopback(uri.getHost())));
        } catch (IllegalArgumentException e) {
            return false; // not a URL
        }
    }

    private static boolean isLoopback(String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        return address.getAddress() != null && address.getAddress().isLoopbackAddress();
    }

    @Override
    public List<JWK> get(JWKSelector selector, SecurityContext context) {
        return selector.select(current());
    }

    private JWKSet current() {
        CachedKeys last = fetched;
        return last.isOlderThan(WITHOUT_ISSUER) ? new JWKSet() : last.keys();
    }

    boolean isEmpty() {
        return current().isEmpty();
    }

    boolean has(String id) {
        return current().getKeyByKeyId(id) != null;
    }

    /** Whether the last attempt failed, so that older keys are in use, or none. */
    boolean isFailed() {
        return !failure.isEmpty();
    }

    /**
     * Requests newer keys.
     *
     * @return whether a fetch is in progress; false if the last one was too recent to start another
     */
    synchronized boolean refresh() {
        boolean isAllowed = System.nanoTime() - lastAttempt >= atMostEveryNanos;
        if (isAllowed && !isUnderWay) {
            isUnderWay = true;
            thread.execute(this::fetch);
        }
        return isUnderWay;
    }

    private void fetchIfDue() {
        if (isFailed() || fetched.isOlderThan(EVERY)) {
            refresh();
        }
    }

    private void fetch() {
        String now = "";
        try {
            fetched = new CachedKeys(fetchedKeys(), Instant.now());
        } catch (IOException e) {
            now = String.valueOf(e.getMessage());
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            now = "it does not answer with keys (" + e.getClass().getSimpleName() + ")";
        }
        if (!now.isEmpty() && !now.equals(failure)) {
            LOG.warn(
                    "The keys of the issuer {} cannot be fetched: {}. {}",
                    issuer,
                    now,
                    fetched.keys().isEmpty()
                            ? "No keys are known yet, so its tokens are rejected."
                            : "Those fetched at " + fetched.at() + " stay in use for a day.");
        } else if (now.isEmpty() && isFailed()) {
            LOG.info("The keys of the issuer {} could be fetched again.", issuer);
        }
        failure = now;
        synchronized (this) {
            isUnderWay = false;
            lastAttempt = System.nanoTime();
        }
    }

    private JWKSet fetchedKeys() throws IOException, ParseException {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        Map<String, Object> discovery = JSONObjectUtils.parse(get(base + DISCOVERY));
        if (!issuer.equals(discovery.get("issuer"))) {
            throw new IOException(
                    "the discovery document names another issuer; strake.access.jwt.issuer has to be exactly what it "
                            + "says");
        }
        String place = JSONObjectUtils.getString(discovery, "jwks_uri");
        if (place == null || !isSafe(place)) {
            throw new IOException("its jwks_uri is not an https address");
        }
        List<JWK> keys = new ArrayList<>();
        for (Map<String, Object> each : JSONObjectUtils.getJSONObjectArray(JSONObjectUtils.parse(get(place)), "keys")) {
            try {
                keys.add(JWK.parse(each));
            } catch (ParseException e) {
                // RFC 7517, section 5: one strange key does not make the others useless
            }
        }
        keys.removeIf(key -> !isForSignatures(key));
        if (keys.isEmpty()) {
            throw new IOException("it has no keys that can be used");
        }
        return new JWKSet(keys);
    }

    private String get(String url) throws IOException {
        try {
            return http.retrieveResource(URI.create(url).toURL()).getContent();
        } catch (IOException e) {
            throw new IOException(url + " does not answer (" + e.getMessage() + ")", e);
        }
    }

    /* Rejects symmetric keys: a published symmetric key would let everyone who can read it sign tokens. */
    private static boolean isForSignatures(JWK key) {
        boolean fits = KeyType.EC.equals(key.getKeyType())
                || (KeyType.RSA.equals(key.getKeyType()) && key.size() >= LEAST_RSA_BITS);
        return fits && (key.getKeyUse() == null || KeyUse.SIGNATURE.equals(key.getKeyUse()));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
