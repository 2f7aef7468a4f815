package dev.strake.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A Keystone on its own port. It answers {@code /v3/auth/tokens} as documented in the Identity API v3, unless the test
 * sets another response.
 */
public final class TestKeystone implements AutoCloseable {

    public static final String PASSWORD = "the password of strake itself";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Clock clock;
    private final Map<String, Description> issued = new ConcurrentHashMap<>();
    private final Set<String> own = ConcurrentHashMap.newKeySet();
    private final AtomicInteger authentications = new AtomicInteger();
    private final AtomicInteger validations = new AtomicInteger();
    private volatile String password = PASSWORD;
    private volatile int instead;
    private volatile boolean isAllowed = true;
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile UnaryOperator<String> change = text -> text;

    /** The description of a token in responses, and when the token expires. */
    private record Description(String text, Instant expires, boolean hasAccessRules) {}

    private TestKeystone(HttpServer server, Clock clock) {
        this.server = server;
        this.clock = clock;
    }

    public static TestKeystone start(Clock clock) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TestKeystone keystone = new TestKeystone(server, clock);
        server.setExecutor(keystone.threads);
        server.createContext("/identity/v3/auth/tokens", keystone::answer);
        server.start();
        return keystone;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/identity/v3";
    }

    /** Returns the credentials of the user {@code strake}, in the format of Keystone's documentation. */
    public static String byPassword(String password) {
        return """
                {"auth": {"identity": {"methods": ["password"], "password": {"user": {
                  "name": "strake", "domain": {"name": "Default"}, "password": "%s"}}},
                 "scope": {"project": {"name": "service", "domain": {"name": "Default"}}}}}
                """.formatted(password);
    }

    static String byApplicationCredential(String secret) {
        return """
                {"auth": {"identity": {"methods": ["application_credential"],
                  "application_credential": {"id": "423f19a4ac1e4f48bbb4180756e6eb6c", "secret": "%s"}}}}
                """.formatted(secret);
    }

    /** Issues a token that is valid for an hour, for a user and a project of the domain Default. */
    public String token(String user, String project, String... roles) {
        String scope = """
                "project": {"id": "5b50efd009b540559104ee3c03bbb2b7", "name": "%s", "domain": {"id": "default", "name": "Default"}}, "is_domain": false,
                "roles": [%s],""".formatted(
                project,
                Stream.of(roles)
                        .map(role -> "{\"id\": \"5090055d6bd547dc83e0e8f070803708\", \"name\": \"" + role + "\"}")
                        .collect(joining(", ")));
        return issue(fernet(), user, scope, clock.instant().plusSeconds(3_600));
    }

    /** Issues a token without a scope, and so without roles. */
    String unscoped(String user) {
        return issue(fernet(), user, "", clock.instant().plusSeconds(3_600));
    }

    /** Issues a token in JWS format. Keystone names no issuer in it. */
    String jws(String user, String role) {
        String token = Stream.of(
                        "{\"alg\":\"ES256\",\"typ\":\"JWT\"}", "{\"sub\":\"x\",\"exp\":4102444800}", "signature")
                .map(part -> Base64.getUrlEncoder().withoutPadding().encodeToString(part.getBytes(UTF_8)))
                .collect(joining("."));
        return issue(
                token,
                user,
                "\"roles\": [{\"name\": \"" + role + "\"}],",
                clock.instant().plusSeconds(3_600));
    }

    String issue(String token, String user, String more, Instant expires) {
        String text = """
                {"token": {"methods": ["password"], "audit_ids": ["3T2dc1CGQxyJsHdDu1xkcw"],
                 "user": {"id": "id-of-%s", "name": "%s", "password_expires_at": null, "domain": {"id": "default", "name": "Default"}},
                 %s
                 "issued_at": "2015-11-07T01:58:43.578929Z", "expires_at": "%s"}}""".formatted(user, user, more, expires);
        issued.put(token, new Description(text, expires, more.contains("access_rules")));
        return token;
    }

    static String fernet() {
        byte[] bits = new byte[96];
        RANDOM.nextBytes(bits);
        return "gAAAAAB" + Base64.getUrlEncoder().encodeToString(bits);
    }

    void revoke(String token) {
        issued.remove(token);
    }

    /** The tokens issued to Strake. */
    public Set<String> ofStrake() {
        return Set.copyOf(own);
    }

    /** Revokes all tokens issued to Strake. */
    void forgetOwn() {
        own.clear();
    }

    void takePassword(String other) {
        password = other;
    }

    void allow(boolean mayValidate) {
        isAllowed = mayValidate;
    }

    /** Answers every request with a status; 0 restores normal responses. */
    public void answer(int status) {
        instead = status;
    }

    void answerAs(UnaryOperator<String> changed) {
        change = changed;
    }

    /** Delays all responses until the latch is open. */
    CountDownLatch hold() {
        held = new CountDownLatch(1);
        return held;
    }

    int authentications() {
        return authentications.get();
    }

    int validations() {
        return validations.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isPost = exchange.getRequestMethod().equals("POST");
            (isPost ? authentications : validations).incrementAndGet();
            held.await();
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            if (instead != 0) {
                exchange.getResponseHeaders().set("Location", url() + "/auth/tokens");
                error(exchange, instead);
            } else if (isPost) {
                authenticate(exchange, body);
            } else {
                validate(exchange);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void authenticate(HttpExchange exchange, String body) throws IOException {
        if (!body.contains('"' + password + '"')) {
            error(exchange, 401);
            return;
        }
        String token = fernet();
        issue(token, "strake", "", clock.instant().plusSeconds(3_600));
        own.add(token);
        send(exchange, 201, token);
    }

    private void validate(HttpExchange exchange) throws IOException {
        String mine = exchange.getRequestHeaders().getFirst("X-Auth-Token");
        String subject = exchange.getRequestHeaders().getFirst("X-Subject-Token");
        if (mine == null || !own.contains(mine) || !isGood(mine, exchange)) {
            error(exchange, 401);
        } else if (!isAllowed) {
            error(exchange, 403);
        } else if (!isGood(subject, exchange)) {
            error(exchange, 404);
        } else {
            send(exchange, 200, subject);
        }
    }

    /* Keystone validates restricted tokens only for services that declare to enforce access rules. */
    private boolean isGood(String token, HttpExchange exchange) {
        Description description = issued.get(token);
        return description != null
                && description.expires().isAfter(clock.instant())
                && (!description.hasAccessRules()
                        || exchange.getRequestHeaders().containsKey("OpenStack-Identity-Access-Rules"));
    }

    private void send(HttpExchange exchange, int status, String token) throws IOException {
        exchange.getResponseHeaders().set("X-Subject-Token", token);
        send(exchange, status, change.apply(issued.get(token).text()).getBytes(UTF_8));
    }

    private static void error(HttpExchange exchange, int status) throws IOException {
        String text = "{\"error\": {\"code\": %d, \"title\": \"No\", \"message\": \"No.\"}}".formatted(status);
        send(exchange, status, text.getBytes(UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        held.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
