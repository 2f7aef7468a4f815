package dev.strake.server;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.strake.server.access.AuditLog;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Permission;
import dev.strake.server.access.Role;
import dev.strake.server.access.TestIssuer;
import dev.strake.server.access.TestKeystone;
import dev.strake.server.access.Token;
import dev.strake.server.http.Route;
import dev.strake.server.settings.Catalogue;
import dev.strake.testing.TestAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/** A complete server with TLS, a token file, a foreign issuer and a Keystone; every principal requests every route. */
@ResourceLock("logs")
class AccessIT {

    /** The roles that each role includes, stated independently of the code. */
    private static final Map<Role, Set<Role>> INCLUDED = Map.of(
            Role.READER, Set.of(Role.READER),
            Role.PUBLISHER, Set.of(Role.READER, Role.PUBLISHER),
            Role.SECRETS_READER, Set.of(Role.READER, Role.SECRETS_READER),
            Role.ADMIN, Set.of(Role.READER, Role.PUBLISHER, Role.ADMIN));

    @TempDir
    static Path directory;

    /** Tokens by grant, such as {@code reader@site-*}. */
    private static final Map<String, Token> TOKENS = new LinkedHashMap<>();

    private static final Queue<String> LOGGED = new ConcurrentLinkedQueue<>();
    private static final AppenderBase<ILoggingEvent> LOG = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            LOGGED.add(event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : event.getThrowableProxy().getMessage()));
        }
    };
    private static Installation strake;
    private static Server server;
    private static boolean secretsArePublished;
    private static final TestAuthority AUTHORITY = TestAuthority.create();
    private static TestIssuer issuer;
    private static TestKeystone keystone;
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().sslContext(AUTHORITY.client()).build();

    @BeforeAll
    static void start() throws Exception {
        listen();
        for (Role role : Role.values()) {
            for (String workspaces : List.of("site-*", "other", "*")) {
                TOKENS.put(role.text() + "@" + workspaces, Token.create());
            }
        }
        writeTokens();
        issuer = TestIssuer.start();
        writeGroups();
        keystone = TestKeystone.start(Clock.systemUTC());
        TestAuthority.Issued certificate = AUTHORITY.issue(TestAuthority.ask("127.0.0.1"));
        strake = new Installation("access", directory, 1)
                .with(Catalogue.HTTP_HEALTH_PORT, 0)
                .with(Catalogue.HTTP_TLS_CERTIFICATE, written("tls.pem", certificate.pem() + certificate.key()))
                .with(Catalogue.JWT_ISSUER, issuer.url())
                .with(Catalogue.JWT_AUDIENCE, TestIssuer.AUDIENCE)
                .with(Catalogue.JWT_GROUPS, directory.resolve("groups"))
                .with(Catalogue.KEYSTONE_URL, keystone.url())
                .with(
                        Catalogue.KEYSTONE_CREDENTIALS,
                        written("keystone.json", TestKeystone.byPassword(TestKeystone.PASSWORD)))
                .with(Catalogue.KEYSTONE_ROLES, directory.resolve("roles"))
                .with(Catalogue.SLOW_CHANGE, Duration.ZERO)
                .with(Catalogue.ACCESS_TOKENS, file());
        server = strake.startServer();
        for (String workspace : List.of("another", "other", "site-a", "site-b")) {
            strake.publish(workspace, POLICY);
        }
    }

    /* Captures all log lines of Strake, at every level, and those of libraries at their configured levels. */
    private static void listen() {
        LOG.setContext(root().getLoggerContext());
        LOG.start();
        root().addAppender(LOG);
        strake().addAppender(LOG);
        strake().setLevel(Level.TRACE);
        strake().setAdditive(false);
        audit().addAppender(LOG);
        audit().setLevel(Level.INFO);
        audit().setAdditive(false);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static Logger audit() {
        return (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);
    }

    private static Logger strake() {
        return (Logger) LoggerFactory.getLogger("dev.strake");
    }

    @AfterAll
    static void stop() {
        strake.close();
        issuer.close();
        keystone.close();
        strake().setAdditive(true);
        strake().setLevel(null);
        strake().detachAppender(LOG);
        audit().setAdditive(true);
        audit().setLevel(null);
        audit().detachAppender(LOG);
        root().detachAppender(LOG);
    }

    @Test
    void shouldHaveAPermissionForEveryRoute() {
        assertThat(server.routes().stream().map(Route::permission).toList())
                .containsExactlyInAnyOrderElementsOf(Permission.ALL);
    }

    @Test
    void shouldDocumentThePermissions() throws IOException {
        List<Permission> ofDeckhand = new ArrayList<>(Permission.ALL);
        ofDeckhand.removeAll(ownRoutes());
        assertThat(Files.readString(Path.of("../docs/access.md")))
                .contains(table(ownRoutes(), ""), table(ofDeckhand, "/deckhand/{workspace}"));
    }

    private static String table(List<Permission> permissions, String prefix) {
        return permissions.stream()
                .collect(Collectors.groupingBy(
                        each -> each.isOpen()
                                ? "nothing"
                                : "`" + each.role().text() + "`, "
                                        + each.scope().text(),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .entrySet()
                .stream()
                .map(each -> "| " + each.getKey() + " | " + routes(each.getValue(), prefix) + " |\n")
                .collect(Collectors.joining());
    }

    private static String routes(List<Permission> permissions, String prefix) {
        return permissions.stream()
                .collect(Collectors.groupingBy(
                        Permission::method,
                        LinkedHashMap::new,
                        Collectors.mapping(
                                each -> "`"
                                        + each.pattern()
                                                .substring(prefix.length())
                                                .replace("/workspaces/{workspace}", "…")
                                        + "`",
                                Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining("; "));
    }

    @Test
    void shouldAnswerEveryRouteOnlyWithPermission() throws Exception {
        for (Permission route : ownRoutes()) {
            for (Map.Entry<String, Token> each : TOKENS.entrySet()) {
                assertAnswered(route, each.getKey(), ask(route, each.getValue().secret()));
                assertAnswered(route, each.getKey(), ask(route, issuer.token("it", "has:" + each.getKey())));
                assertAnswered(route, each.getKey(), ask(route, ofKeystone(each.getKey())));
            }
            assertThatStrangersAreRefused(route);
        }
    }

    /* The routes without those for Deckhand's clients, which DeckhandAccessIT tests. */
    private static List<Permission> ownRoutes() {
        return Permission.ALL.stream()
                .filter(each -> !each.pattern().startsWith("/deckhand/"))
                .toList();
    }

    private static String ofKeystone(String grant) {
        String[] parts = grant.split("@", -1);
        return keystone.token("it", parts[1], "has:" + parts[0]);
    }

    private static void assertAnswered(Permission route, String grant, Answer answer) {
        String asked = route + " asked with " + grant;
        if (may(grant, route)) {
            assertThat(answer.statusCode()).as(asked).isNotIn(401, 403, 405);
        } else {
            assertThat(answer.statusCode()).as(asked).isEqualTo(403);
            assertThat(answer.body())
                    .as(asked)
                    .contains(
                            "\"code\":\"Forbidden\"", "it needs " + route.role().text());
            assertThat(answer.headers().firstValue("WWW-Authenticate"))
                    .hasValue("Bearer realm=\"strake\", error=\"insufficient_scope\"");
        }
    }

    private static boolean may(String grant, Permission route) {
        Grant held = Grant.parse(grant);
        return route.isOpen()
                || (INCLUDED.get(held.role()).contains(route.role())
                        && switch (route.scope()) {
                            case THIS -> !held.workspaces().equals("other");
                            case ANY -> true;
                            case EVERY -> held.workspaces().equals("*");
                        });
    }

    private void assertThatStrangersAreRefused(Permission route) throws Exception {
        Answer without = ask(route, null);
        Answer wrong = ask(route, Token.create().secret());
        Answer ofAnother = ask(route, another());
        if (route.isOpen()) {
            assertThat(List.of(without.statusCode(), wrong.statusCode(), ofAnother.statusCode()))
                    .doesNotContain(401, 403);
            return;
        }
        assertThat(ofAnother.statusCode()).as(route.pattern()).isEqualTo(401);
        assertThat(without.statusCode()).as(route.pattern()).isEqualTo(401);
        assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"strake\"");
        assertThat(wrong.statusCode()).as(route.pattern()).isEqualTo(401);
        assertThat(wrong.headers().firstValue("WWW-Authenticate"))
                .hasValue("Bearer realm=\"strake\", error=\"invalid_token\"");
        assertThat(without.body() + wrong.body()).contains("\"code\":\"Unauthorized\"");
    }

    /* Returns a token with a wrong signature but valid claims. */
    private static String another() {
        String token = issuer.token("it", "has:admin@*");
        String other = issuer.token("it", "has:reader@*");
        return token.substring(0, token.lastIndexOf('.')) + other.substring(other.lastIndexOf('.'));
    }

    private static void writeGroups() throws IOException {
        StringBuilder lines = new StringBuilder();
        TOKENS.keySet().forEach(grant -> lines.append("has:" + grant + " " + grant + "\n"));
        written("groups", lines.toString());
        written("roles", lines.toString().replaceAll("(has:[a-z-]+@)", "$1Default/"));
    }

    private static Path written(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void shouldAnswerEveryInvalidTokenAlike() throws Exception {
        String good = TOKENS.get("admin@*").secret();
        for (String header : List.of(
                "Basic " + good,
                good,
                "Bearer",
                "Bearer ",
                "Bearer " + good + " " + good,
                "Bearer " + good + "=",
                "Bearer, " + good,
                "Bearer " + good.toUpperCase(java.util.Locale.ROOT),
                "Bearer " + "a".repeat(15_000),
                "Bearer " + "a.".repeat(7_000),
                "Bearer " + another())) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://127.0.0.1:" + server.httpPort() + "/workspaces"))
                    .header("Authorization", header)
                    .build();
            HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(header).isEqualTo(401);
            assertThat(answer.body()).contains("\"code\":\"Unauthorized\"").doesNotContain(good);
        }
    }

    private static final String SECRET = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]}
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: VALUE
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: database
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [{src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: .password}}]
            data: {port: 5432}
            """;

    /** Each route that can return data of documents in the workspace {@code secret}. */
    private static final List<String> SHOWING = List.of(
            "documents",
            "documents?limit=1&name=password",
            "documents?revision=1",
            "documents?query=$..*",
            "rendered",
            "rendered?schema=example/Database/v1",
            "rendered?query=$.data",
            "diff/0/1?changes=true",
            "diff/1/2?changes=true",
            "explain?schema=example/Database/v1&name=database",
            "plan?type=dev.strake.bucket.put&bucket=b");

    @Test
    void shouldShowSecretsOnlyOnRequestAndWithPermission() throws Exception {
        publishSecrets();
        for (String path : SHOWING) {
            String plain = path.startsWith("plan") ? "publisher@*" : "reader@*";
            String redacted = secret(path, plain).body();
            assertThat(redacted).as(path).containsPattern("\\*{6} [0-9a-f]{16}").doesNotContain("swordfish", "marlin");
            assertThat(secret(path, "secrets-reader@*").body())
                    .as("who may see secrets is not shown them unasked")
                    .isEqualTo(redacted);
            String clear = path + (path.contains("?") ? "&" : "?") + "cleartext-secrets=";
            assertThat(secret(clear + "false", plain).body()).isEqualTo(redacted);
            assertThat(secret(clear + "maybe", plain).statusCode()).isEqualTo(400);
            assertThat(secret(clear + "true", "secrets-reader@*").body())
                    .as(path)
                    .containsPattern("swordfish|marlin")
                    .doesNotContain("******");
            assertThat(secret(path, plain).body())
                    .as("nothing keeps what was shown in clear text")
                    .isEqualTo(redacted);
            for (String grant : List.of("reader@*", "publisher@*", "admin@*", "secrets-reader@other")) {
                Answer refused = secret(clear + "true", grant);
                assertThat(refused.statusCode())
                        .as(path + " asked with " + grant)
                        .isEqualTo(403);
                assertThat(refused.body())
                        .contains(
                                "\"code\":\"Forbidden\"",
                                grant.endsWith("other") ? "reader@secret" : "secrets-reader@secret")
                        .doesNotContain("******");
            }
        }
    }

    @Test
    void shouldLogEachResponseWithSecretsAndEachRefusal() throws Exception {
        publishSecrets();
        LOGGED.clear();
        secret("rendered?name=database&query=$..password&cleartext-secrets=true", "secrets-reader@*");
        secret("rendered?name=a%0Ab%22c&cleartext-secrets=true", "reader@*");
        secret("rendered?revision=99&cleartext-secrets=true", "secrets-reader@*"); // the revision does not exist
        secret("rendered", "secrets-reader@*");
        String clear = "cleartext-secrets=true";
        secret("rendered?name=database&query=$.data.port&" + clear, "secrets-reader@*");
        secret("documents?name=policy&" + clear, "secrets-reader@*");
        secret("explain?schema=example/Database/v1&name=database&path=.port&" + clear, "secrets-reader@*");
        secret("diff/1/2?" + clear, "secrets-reader@*");
        secret("diff/1/2?name=policy&changes=true&" + clear, "secrets-reader@*");
        assertThat(LOGGED.stream().filter(line -> line.startsWith("secrets shown")))
                .hasSize(1);
        String guess = "query=$..[?(@.password=='none')].port";
        secret(
                "rendered?name=database&" + guess.replace("?(", "%3F(").replace("'", "%27") + "&" + clear,
                "secrets-reader@*");
        secret("documents?cleartext-secrets=compare", "secrets-reader@*");
        secret("diff/1/2?changes=true&" + clear, "secrets-reader@*");
        secret("plan?type=dev.strake.bucket.put&bucket=b&" + clear, "secrets-reader@*");
        assertThat(LOGGED.stream().filter(line -> line.startsWith("secrets ")).skip(2))
                .extracting(line -> line.replaceFirst(" principal=\\S+", ""))
                .containsExactly(
                        "secrets shown what=\"/workspaces/secret/rendered\" name=\"database\"",
                        "secrets read what=\"/workspaces/secret/documents\"",
                        "secrets shown what=\"/workspaces/secret/diff/1/2\"",
                        "secrets shown what=\"/workspaces/secret/plan\"");
        assertThat(LOGGED.stream().filter(line -> line.startsWith("secrets ")).limit(2))
                .containsExactly(
                        "secrets shown principal=\"has:secrets-reader@all\" what=\"/workspaces/secret/rendered\" name=\"database\"",
                        "secrets refused principal=\"has:reader@all\" what=\"/workspaces/secret/rendered\" name=\"a\\nb\\\"c\"");
    }

    @Test
    void shouldNotConfirmGuessesOfReaders() throws Exception {
        publishSecrets();
        String right = "?query=" + encoded("$..[?(@.password == 'marlin')].port");
        String wrong = "?query=" + encoded("$..[?(@.password == 'salmon')].port");
        assertThat(secret("rendered" + right, "reader@*").body())
                .isEqualTo(secret("rendered" + wrong, "reader@*").body())
                .contains("\"items\":[]");
        Answer plan = secret("plan?type=dev.strake.bucket.put&bucket=b", "reader@*");
        assertThat(plan.statusCode()).isEqualTo(403);
        assertThat(plan.body()).contains("publisher@secret or secrets-reader@secret");
    }

    @Test
    void shouldNotConfirmGuessesAtSecretsOfAnEarlierRevision() throws Exception {
        strake.publish("freed", SECRET.replace("VALUE", "swordfish"));
        strake.publish("freed", SECRET.replace("VALUE", "marlin").replace("encrypted", "cleartext"));
        await().atMost(TIMEOUT)
                .until(() ->
                        get("/workspaces/freed/rendered?revision=2", "reader@*").statusCode() == 200);
        String plan = "/workspaces/freed/plan?type=dev.strake.bucket.put&bucket=b";
        String body = SECRET.replace("VALUE", "swordfish").replace("encrypted", "cleartext");
        String reader = TOKENS.get("reader@*").secret();

        assertThat(send(plan, reader, "POST", body).statusCode()).isEqualTo(200);
        assertThat(send(plan + "&against=1", reader, "POST", body).statusCode()).isEqualTo(403);
    }

    @Test
    void shouldRedactBothSidesOfAValueThatBecomesSecret() throws Exception {
        strake.publish("becoming", SECRET.replace("VALUE", "swordfish").replace("encrypted", "cleartext"));
        strake.publish("becoming", SECRET.replace("VALUE", "marlin"));
        await().atMost(TIMEOUT)
                .until(() -> get("/workspaces/becoming/rendered?revision=2", "reader@*")
                                .statusCode()
                        == 200);
        for (String diff : List.of("diff/1/2", "diff/2/1")) {
            assertThat(get("/workspaces/becoming/" + diff + "?changes=true", "reader@*")
                            .body())
                    .contains("\"path\":\".data.password\"", "\"path\":\".data\"")
                    .containsPattern("\"before\":\"\\*{6} [0-9a-f]{16}\",\"after\":\"\\*{6} [0-9a-f]{16}\"")
                    .doesNotContain("swordfish", "marlin");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private Answer secret(String path, String grant) throws Exception {
        return send(
                "/workspaces/secret/" + path.replace("$", "%24").replace("*", "%2A"),
                TOKENS.get(grant).secret(),
                path.startsWith("plan") ? "POST" : "GET",
                SECRET.replace("VALUE", "salmon"));
    }

    /* Publishes two revisions with two passwords, once for all tests. */
    private static synchronized void publishSecrets() throws Exception {
        if (!secretsArePublished) {
            strake.publish("secret", SECRET.replace("VALUE", "swordfish"));
            strake.publish("secret", SECRET.replace("VALUE", "marlin"));
            secretsArePublished = true;
        }
        URI uri = URI.create("https://127.0.0.1:" + server.httpPort() + "/workspaces/secret/rendered?revision=2");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + TOKENS.get("reader@*").secret())
                .build();
        await().atMost(TIMEOUT)
                .until(() -> CLIENT.send(request, BodyHandlers.ofString()).statusCode() == 200);
    }

    @Test
    void shouldListOnlyReadableWorkspaces() throws Exception {
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(workspaces("reader@*", "")).contains("another", "other", "site-a", "site-b"));
        assertThat(workspaces("reader@site-*", "")).containsExactly("site-a", "site-b");
        assertThat(workspaces("secrets-reader@other", "")).containsExactly("other");
        assertThat(workspaces("reader@site-*", "?limit=1")).containsExactly("site-a");
        assertThat(get("/workspaces?limit=1", "reader@other").body()).doesNotContain("next");
        assertThat(get("/workspaces?limit=1", "reader@site-*").body()).contains("next");
    }

    @Test
    void shouldListSlowChangesOfReadableWorkspacesOnly() throws Exception {
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(named("/slow", "reader@*")).contains("another", "other", "site-a", "site-b"));
        assertThat(named("/slow", "secrets-reader@other")).containsOnly("other");
    }

    @Test
    void shouldNotRevealWhetherAnUnreadableWorkspaceExists() throws Exception {
        String there = get("/workspaces/other/documents", "reader@site-*").body();
        String absent = get("/workspaces/nowhere/documents", "reader@site-*").body();
        assertThat(absent).isEqualTo(there.replace("other", "nowhere"));
    }

    @Test
    void shouldLeaveThePortForHealthAndMetricsOpen() throws Exception {
        int port = server.healthPort().orElseThrow();
        for (String path : List.of("/health/started", "/health/live", "/health/ready", "/metrics")) {
            URI uri = URI.create("http://127.0.0.1:" + port + path);
            assertThat(CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isNotIn(401, 403, 404);
        }
        URI state = URI.create("http://127.0.0.1:" + port + "/workspaces");
        assertThat(CLIENT.send(HttpRequest.newBuilder(state).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldNeverShowATokenAndSayWhenItsFileIsOutdated() throws Exception {
        Token planted = Token.create();
        StringBuilder shown = new StringBuilder();
        String good = ofKeystone("reader@*");
        String unknown = "gAAAAAB" + planted.secret().substring(7);
        for (Permission route : ownRoutes()) {
            shown.append(ask(route, planted.secret()).body());
            shown.append(ask(route, unknown).body());
        }
        assertThat(send("/workspaces", good, "GET", "").statusCode()).isEqualTo(200);
        keystone.answer(503);
        String late = ofKeystone("reader@*");
        Answer undecided = send("/workspaces", late, "GET", "");
        assertThat(undecided.statusCode()).isEqualTo(503);
        assertThat(undecided.headers().firstValue("Retry-After")).isPresent();
        assertThat(send("/workspaces", good, "GET", "").statusCode()).isEqualTo(200);
        shown.append(undecided.body());
        assertThat(get("/metrics", "reader@*").body()).contains("strake_files_outdated{files=\"keystone\"} 1.0");
        keystone.answer(0);
        shown.append(get("/nothing?token=" + planted.secret(), "reader@*").body());
        shown.append(get("/workspaces?" + planted.secret() + "=1", "reader@*").body());
        Files.writeString(file(), "planted " + planted.secret() + " admin@*\n");
        await().atMost(TIMEOUT)
                .until(() ->
                        get("/metrics", "reader@*").body().contains("strake_files_outdated{files=\"tokens\"} 1.0"));
        assertThat(LOGGED)
                .anyMatch(line -> line.contains("strake.access.tokens")
                        && line.contains("line 1: the second word")
                        && line.contains("stays in force"));
        writeTokens();
        await().atMost(TIMEOUT)
                .until(() ->
                        get("/metrics", "reader@*").body().contains("strake_files_outdated{files=\"tokens\"} 0.0"));
        shown.append(get("/metrics", "reader@*").body());
        shown.append(get("/info", "admin@*").body());
        shown.append(planted);
        LOGGED.forEach(shown::append);
        Set<String> secrets = new TreeSet<>(Set.of(planted.secret(), good, unknown, late, TestKeystone.PASSWORD));
        secrets.addAll(keystone.ofStrake());
        TOKENS.values().forEach(token -> secrets.add(token.secret()));
        assertThat(shown.toString()).isNotEmpty().doesNotContain(secrets);
    }

    private static Path file() {
        return directory.resolve("tokens");
    }

    private static void writeTokens() throws IOException {
        StringBuilder lines = new StringBuilder();
        TOKENS.forEach((grant, token) -> lines.append(
                        token.line("has:" + grant.replace("*", "all"), List.of(Grant.parse(grant))))
                .append('\n'));
        Files.writeString(file(), lines);
    }

    private Set<String> workspaces(String grant, String parameters) throws Exception {
        return named("/workspaces" + parameters, grant);
    }

    private Set<String> named(String path, String grant) throws Exception {
        Set<String> names = new TreeSet<>();
        for (String part : get(path, grant).body().split("\"workspace\":\"", -1)) {
            names.add(part.substring(0, Math.max(0, part.indexOf('"'))));
        }
        names.remove("{");
        names.remove("");
        return names;
    }

    private Answer get(String path, String grant) throws Exception {
        return send(path, TOKENS.get(grant).secret(), "GET", POLICY);
    }

    private Answer ask(Permission route, String token) throws Exception {
        String path = route.pattern()
                .replace("{workspace}", "site-a")
                .replace("{file}", "main.js")
                .replace("{from}", "0")
                .replace("{to}", "head")
                .replace("{bucket}", "b")
                .replace("{revision}", "1")
                .replace("{tag}", "t")
                .replace("{change}", "c")
                .replace("{name}", "site-validation")
                .replace("{id}", "0");
        boolean ofDocument = path.endsWith("explain") || path.endsWith("affected") || path.endsWith("why");
        boolean writes = !route.method().equals("GET") && !path.endsWith("plan");
        String parameters =
                ofDocument ? "?schema=deckhand/LayeringPolicy/v1&name=policy" : writes ? "?dry-run=true" : "";
        return send(path + parameters, token, route.method(), POLICY);
    }

    /** An answer. An event stream is closed as soon as it begins, so its body is empty. */
    private record Answer(int statusCode, HttpHeaders headers, String body) {}

    private Answer send(String path, String token, String method, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + server.httpPort() + path))
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
        String type = answer.headers().firstValue("Content-Type").orElse("");
        try (InputStream content = answer.body()) {
            String text = type.equals("text/event-stream") ? "" : new String(content.readAllBytes(), UTF_8);
            return new Answer(answer.statusCode(), answer.headers(), text);
        }
    }
}
