package dev.strake.server.access;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.client.tls.UnusableFileException;
import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Unauthenticated;
import dev.strake.server.access.AccessControl.Undecided;
import dev.strake.server.access.AccessControl.Verdict;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WatchedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Validates tokens of Keystone and finds their principals and grants. Answers of Keystone are cached for five minutes,
 * so a revoked token is rejected after that time at the latest. While Keystone does not answer, a cached answer stays
 * valid until the token expires.
 */
final class KeystoneTokens implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeystoneTokens.class);

    private static final Duration CACHED = Duration.ofMinutes(5);
    private static final Duration CACHED_UNKNOWN = Duration.ofSeconds(10);

    /** How long a cached answer is reused before the next request to an unavailable Keystone. */
    private static final Duration CACHED_WHILE_AWAY = Duration.ofSeconds(30);

    private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(10);
    private static final Duration CHECK_EVERY = Duration.ofSeconds(5);

    private static final int MOST_TOKENS = 10_000;
    private static final int THREADS = 8;
    private static final int MOST_WAITING = 256;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    /** Matches Fernet and JWS tokens, and those of other providers in Keystone. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.=-]{16,8192}");

    private static final Unauthenticated UNKNOWN = new Unauthenticated(
            true,
            "Keystone does not accept the token: it is unknown, expired, or restricted by access rules or a binding. "
                    + "Get another one.");
    private static final Undecided AWAY = new Undecided(
            "KeystoneAway",
            "The token cannot be checked, because Keystone does not answer or refuses this service. Try again later; "
                    + "the log of Strake says why.");

    private final Keystone keystone;
    private final WatchedFiles<byte[]> credentials;
    private final WatchedFiles<GroupFile> roles;
    private final Clock clock;

    /* By hashes of tokens. Each entry has the weight 1. */
    private final BoundedCache<String, CachedUser> known = new BoundedCache<>(MOST_TOKENS);
    private final BoundedCache<String, CachedUser> unknown = new BoundedCache<>(MOST_TOKENS);
    private final Map<String, CompletableFuture<CachedUser>> inFlight = new ConcurrentHashMap<>();
    private final Semaphore waiting = new Semaphore(MOST_WAITING);
    private final ScheduledExecutorService threads;

    /** An answer of Keystone, and until when the cache may return it. */
    private record CachedUser(Optional<KeystoneUser> user, Instant until) {}

    private KeystoneTokens(
            Keystone keystone, WatchedFiles<byte[]> credentials, WatchedFiles<GroupFile> roles, Clock clock) {
        this.keystone = keystone;
        this.credentials = credentials;
        this.roles = roles;
        this.clock = clock;
        this.threads = Executors.newScheduledThreadPool(THREADS, task -> {
            Thread made = new Thread(task, "keystone");
            made.setDaemon(true);
            return made;
        });
        var unused =
                threads.scheduleWithFixedDelay(keystone::renewIfDue, 0, CHECK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Creates the validator from the settings. Empty if no Keystone is configured.
     *
     * @throws MisconfiguredException if only some of the settings are present, or if a file cannot be used
     */
    static Optional<KeystoneTokens> of(Settings settings) {
        return of(settings, Clock.systemUTC());
    }

    static Optional<KeystoneTokens> of(Settings settings, Clock clock) {
        Optional<String> url = settings.get(Catalogue.KEYSTONE_URL);
        Optional<Path> credentialsFile = settings.get(Catalogue.KEYSTONE_CREDENTIALS);
        Optional<Path> rolesFile = settings.get(Catalogue.KEYSTONE_ROLES);
        if (url.isEmpty() && credentialsFile.isEmpty() && rolesFile.isEmpty()) {
            return Optional.empty();
        }
        if (url.isEmpty() || credentialsFile.isEmpty() || rolesFile.isEmpty()) {
            throw new MisconfiguredException("%s, %s and %s belong together: set all three of them, or none."
                    .formatted(
                            Catalogue.KEYSTONE_URL.name(),
                            Catalogue.KEYSTONE_CREDENTIALS.name(),
                            Catalogue.KEYSTONE_ROLES.name()));
        }
        if (!isUsable(url.get())) {
            throw new MisconfiguredException(Catalogue.KEYSTONE_URL.name()
                    + " has to be an address such as https://keystone:5000/v3, without a user, a query or a fragment.");
        }
        if (!IssuerKeys.isSafe(url.get())) {
            LOG.warn(
                    "{} is an address without TLS, so tokens and credentials can be read on the network, and answers "
                            + "forged. Use https.",
                    Catalogue.KEYSTONE_URL.name());
        }
        Optional<SSLContext> trusted = settings.get(Catalogue.KEYSTONE_CA).map(TrustedCertificates::context);
        WatchedFiles<GroupFile> roles = new WatchedFiles<>(
                Catalogue.KEYSTONE_ROLES,
                List.of(rolesFile.get()),
                contents -> GroupFile.read(contents.get(rolesFile.get())));
        try {
            WatchedFiles<byte[]> credentials = new WatchedFiles<>(
                    Catalogue.KEYSTONE_CREDENTIALS,
                    List.of(credentialsFile.get()),
                    contents -> credentials(contents.get(credentialsFile.get())));
            return Optional.of(new KeystoneTokens(
                    new Keystone(url.get(), trusted, credentials, clock, BETWEEN_FAILURES), credentials, roles, clock));
        } catch (RuntimeException e) {
            roles.close();
            throw e;
        }
    }

    private static boolean isUsable(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null
                    && uri.getFragment() == null;
        } catch (IllegalArgumentException e) {
            return false; // not a URL
        }
    }

    /* Messages quote nothing of the file. */
    private static byte[] credentials(byte[] content) throws UnusableFileException {
        try {
            if (JsonReader.read(content) instanceof MapValue body
                    && !body.map("auth").map("identity").items("methods").isEmpty()) {
                return content;
            }
        } catch (IllegalArgumentException | StackOverflowError e) {
            // reported below
        }
        throw new UnusableFileException(
                "it has to be the JSON that Keystone wants for a token: {\"auth\": {\"identity\": {\"methods\": […], …}}}.");
    }

    static boolean isOne(String token) {
        return TOKEN.matcher(token).matches() && !Token.isOne(token);
    }

    /** Finds the principal of a token; does not check permissions. */
    CompletableFuture<Verdict> judge(String token) {
        return user(token).thenApply(this::verdict).exceptionally(away -> AWAY);
    }

    private Verdict verdict(CachedUser answer) {
        if (answer.user().isEmpty()) {
            return UNKNOWN;
        }
        KeystoneUser user = answer.user().get();
        return user.expires().isAfter(clock.instant())
                ? new Allowed(new Principal(user.name(), roles.current().grants(user.groups())))
                : new Unauthenticated(true, "The token has expired.");
    }

    private CompletableFuture<CachedUser> user(String token) {
        String hash = Token.hashed(token);
        CachedUser before = Optional.ofNullable(known.get(hash)).orElseGet(() -> unknown.get(hash));
        if (before != null && before.until().isAfter(clock.instant())) {
            return CompletableFuture.completedFuture(before);
        }
        CompletableFuture<CachedUser> answer = inFlight.computeIfAbsent(hash, first -> ask(token, hash));
        if (answer.isDone()) {
            inFlight.remove(hash, answer);
        }
        return answer.copy().orTimeout(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /*
     * Concurrent requests with the same token share one request to Keystone. Later requests use the cache, and so get
     * no answer older than it permits.
     */
    private CompletableFuture<CachedUser> ask(String token, String hash) {
        if (!waiting.tryAcquire()) {
            return CompletableFuture.failedFuture(new IOException("too many requests to Keystone are in progress"));
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return askNow(token, hash);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } finally {
                        waiting.release();
                        inFlight.remove(hash);
                    }
                },
                threads);
    }

    private CachedUser askNow(String token, String hash) throws IOException {
        CachedUser answer;
        try {
            answer = cached(keystone.user(token));
        } catch (IOException e) {
            answer = prolonged(hash, e);
        }
        (answer.user().isPresent() ? known : unknown).put(hash, answer, 1);
        (answer.user().isPresent() ? unknown : known).remove(hash);
        return answer;
    }

    private CachedUser cached(Optional<KeystoneUser> user) {
        Instant now = clock.instant();
        Instant until = now.plus(user.isPresent() ? CACHED : CACHED_UNKNOWN);
        return new CachedUser(user, until);
    }

    private CachedUser prolonged(String hash, IOException away) throws IOException {
        CachedUser before = known.get(hash);
        if (before == null) {
            throw away;
        }
        return new CachedUser(before.user(), clock.instant().plus(CACHED_WHILE_AWAY));
    }

    /** Whether older roles are in use because the current file cannot be used. */
    boolean isOutdated() {
        return roles.isFailed();
    }

    /** Whether Keystone did not answer the last request, or the current credentials file cannot be used. */
    boolean isAway() {
        return keystone.isAway() || credentials.isFailed();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        roles.close();
        credentials.close();
    }
}
