package dev.strake.server.writing;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static dev.strake.server.Installation.document;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.server.CapturedLog;
import dev.strake.server.Installation;
import dev.strake.server.Server;
import dev.strake.server.access.AuditLog;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.settings.Catalogue;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("logs")
class WritingIT {

    private static final Token PUBLISHER = Token.create();
    private static final Token ADMIN = Token.create();

    @TempDir
    static Path directory;

    private static Installation strake;
    private static Server server;
    private static CapturedLog audit;

    @BeforeAll
    static void start() throws Exception {
        Path tokens = Files.writeString(
                directory.resolve("tokens"),
                PUBLISHER.line("ci-site", List.of(Grant.parse("publisher@*"))) + "\n"
                        + ADMIN.line("root", List.of(Grant.parse("admin@*"))) + "\n");
        audit = CapturedLog.of(AuditLog.LOGGER);
        strake = new Installation("writing", directory, 2)
                .with(Catalogue.CHANGE_BYTES, 20 << 20)
                .with(Catalogue.ACCESS_TOKENS, tokens);
        server = strake.startServer();
    }

    @AfterAll
    static void stop() {
        strake.close();
        audit.close();
    }

    private HttpResponse<String> write(String method, String path, String body, String... headers) throws Exception {
        return strake.send(PUBLISHER, method, path, body, headers);
    }

    private HttpResponse<String> write(int status, String method, String path, String body, String... headers)
            throws Exception {
        return strake.send(status, PUBLISHER, method, path, body, headers);
    }

    private String get(String path) throws Exception {
        return write("GET", path, "").body();
    }

    @Test
    void shouldAnswerEachKindOfChangeWithItsOutcome() throws Exception {
        HttpResponse<String> put = write(
                200,
                "PUT",
                "/workspaces/kinds/buckets/b?author=Ada&message=wh%C3%BC",
                POLICY + document("web", 1),
                "Content-Type",
                "application/yaml",
                "Idempotency-Key",
                "first one");
        assertThat(put.headers().firstValue("ETag")).hasValue("\"1\"");
        assertThat(put.body())
                .contains(
                        "\"changeId\":\"first one\"", "\"status\":\"rendered\"", "\"type\":\"dev.strake.bucket.put\"");
        assertThat(get("/workspaces/kinds/revisions")).contains("\"author\":\"Ada\"", "\"message\":\"whü\"");

        String json =
                "{\"schema\":\"example/Server/v1\",\"metadata\":{\"schema\":\"metadata/Document/v1\",\"name\":\"db\",\"storagePolicy\":\"cleartext\","
                        + "\"layeringDefinition\":{\"layer\":\"site\"}},\"data\":{}}";
        HttpResponse<String> post =
                write("POST", "/workspaces/kinds/buckets/b/documents", json, "Content-Type", "application/json");
        assertThat(post.body()).contains("\"status\":\"rendered\"", "\"revision\":2", "\"added\":1");
        HttpResponse<String> delete = write(
                "DELETE",
                "/workspaces/kinds/buckets/b/documents",
                "[{schema: example/Server/v1, layer: site, name: web}]");
        assertThat(delete.body()).contains("\"status\":\"rendered\"", "\"revision\":3", "\"removed\":1");
        write(200, "PUT", "/workspaces/kinds/revisions/1/tags/good", "{ticket: OPS-7}");
        assertThat(get("/workspaces/kinds/tags")).contains("\"tag\":\"good\"", "\"ticket\":\"OPS-7\"");
        write(200, "DELETE", "/workspaces/kinds/revisions/1/tags/good", "");
        assertThat(get("/workspaces/kinds/tags")).doesNotContain("good");
        assertThat(write("POST", "/workspaces/kinds/rollback", "{revision: 1}").body())
                .contains("\"status\":\"rendered\"", "\"revision\":4");
        assertThat(write("PUT", "/workspaces/kinds/buckets/b?dry-run=true", POLICY)
                        .body())
                .contains("\"status\":\"planned\"");
        write(403, "DELETE", "/workspaces/kinds", "");
        assertThat(strake.send(ADMIN, "DELETE", "/workspaces/kinds", "").body())
                .contains("dev.strake.workspace.delete");
        assertThat(get("/workspaces/kinds/documents")).doesNotContain("example/Server");
    }

    @Test
    void shouldApplyAChangeWithARepeatedKeyOnce() throws Exception {
        String[] key = {"Idempotency-Key", "once"};
        assertThat(write("PUT", "/workspaces/once/buckets/b", POLICY, key).body())
                .contains("\"status\":\"rendered\"");
        write("PUT", "/workspaces/once/buckets/b", POLICY + document("web", 1));
        assertThat(write("PUT", "/workspaces/once/buckets/b", POLICY, key).body())
                .contains("\"status\":\"duplicate\"", "\"revision\":2");
    }

    @Test
    void shouldRefuseAChangeOfAnOutdatedHead() throws Exception {
        String path = "/workspaces/heads/buckets/b";
        HttpResponse<String> first = write("PUT", path, POLICY, "If-None-Match", "*");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        write(412, "PUT", path, POLICY, "If-None-Match", "*");
        assertThat(write("GET", "/workspaces/heads/documents", "").headers().firstValue("ETag"))
                .hasValue(tag);
        write(200, "PUT", path, POLICY + document("a", 1), "If-Match", tag);
        assertThat(write(412, "PUT", path, POLICY, "If-Match", tag).body()).contains("RevisionConflict");
    }

    @Test
    void shouldKeepThePolicyOfABucketOnRequest() throws Exception {
        String path = "/workspaces/keep/buckets/b";
        write("PUT", path, POLICY + document("web", 1));
        assertThat(write("PUT", path + "?as-deckhand=true", document("web", 2)).body())
                .contains("\"status\":\"rendered\"", "LayeringPolicyKept");
        assertThat(write("POST", "/workspaces/keep/plan?bucket=b&as-deckhand=true", document("web", 3))
                        .body())
                .contains("\"removed\":0", "LayeringPolicyKept");
        assertThat(write("PUT", path, document("web", 2)).body()).contains("LayeringPolicyNotFound");
    }

    @Test
    void shouldMapRejectionsToStatusCodes() throws Exception {
        write("PUT", "/workspaces/why/buckets/b", POLICY + document("web", 1));
        assertThat(write(409, "PUT", "/workspaces/why/buckets/other", document("web", 2))
                        .body())
                .contains("DuplicateDocumentExists");
        write(422, "PUT", "/workspaces/why/buckets/b", "{schema: 1");
        assertThat(write("PUT", "/workspaces/why/buckets/b?max-removals=0", POLICY)
                        .body())
                .contains("TooManyRemovals");
        for (String nothingStays : List.of("[]", document("other", 1))) {
            assertThat(write("PUT", "/workspaces/why/buckets/b", nothingStays).body())
                    .contains("TooManyRemovals", "none would be left");
        }
        assertThat(write("POST", "/workspaces/why/rollback", "{revision: 0}").body())
                .contains("TooManyRemovals", "none would be left");
        assertThat(write("POST", "/workspaces/why/rollback?max-removals=100%25&dry-run=true", "{revision: 0}")
                        .body())
                .contains("planned");
        write(422, "POST", "/workspaces/why/rollback", "{revision: 99}");
        HttpResponse<String> broken = write(
                "POST",
                "/workspaces/why/buckets/b/documents",
                document("child", 1).replace("site}", "nowhere}"));
        assertThat(broken.statusCode()).as(broken.body()).isIn(200, 422);
    }

    @Test
    void shouldRefuseInvalidRequests() throws Exception {
        String path = "/workspaces/w/buckets/b";
        for (String[] headers : List.of(
                new String[] {"If-Match", "*"},
                new String[] {"If-None-Match", "\"1\""},
                new String[] {"Idempotency-Key", "x".repeat(257)},
                new String[] {"Content-Type", "text/html"})) {
            write(400, "PUT", path, POLICY, headers);
        }
        for (String wrong : List.of(
                path + "?dry-run=1",
                path + "?max-removals=x",
                path + "?more=1",
                "/workspaces/a%20b/buckets/b",
                "/workspaces/w/buckets/a%20b",
                "/workspaces/w/revisions/x/tags/t")) {
            write(400, "PUT", wrong, POLICY);
        }
        HttpResponse<String> get = write(405, "GET", path, "");
        assertThat(get.headers().firstValue("Allow")).hasValue("PUT, OPTIONS");
        assertThat(write("GET", "/workspaces/w/buckets/b/documents", "")
                        .headers()
                        .firstValue("Allow"))
                .hasValue("POST, DELETE, OPTIONS");
    }

    @Test
    void shouldRefuseWritesFromPagesOfAnotherOrigin() throws Exception {
        String own = "127.0.0.1:" + server.httpPort();
        String path = "/workspaces/pages/buckets/b";
        for (String origin :
                List.of("http://evil.example", "null", "http://" + own + ".evil.example", "http://x" + own)) {
            write(403, "PUT", path, POLICY, "Origin", origin);
        }
        write(403, "PUT", path, POLICY, "Sec-Fetch-Site", "cross-site");
        write(200, "PUT", path, POLICY, "Origin", "http://" + own, "Sec-Fetch-Site", "same-origin");
    }

    @Test
    void shouldAnswerLaterIfTheClientDoesNotWait() throws Exception {
        HttpResponse<String> taken = write(
                202,
                "PUT",
                "/workspaces/later/buckets/b",
                POLICY,
                "Prefer",
                "respond-async",
                "Idempotency-Key",
                "a/b c");
        String place = taken.headers().firstValue("Location").orElseThrow();
        assertThat(place).isEqualTo("/workspaces/later/changes/a%2Fb%20c");
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(get(place)).contains("\"status\":\"rendered\""));
        write("PUT", "/workspaces/later/buckets/b", POLICY); // unchanged, and without an idempotency key
        write(404, "GET", "/workspaces/later/changes/none", "");
    }

    @Test
    void shouldPublishAChangeOfADisconnectedClient() throws Exception {
        byte[] body = POLICY.getBytes(UTF_8);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.httpPort())) {
            socket.getOutputStream()
                    .write(("PUT /workspaces/gone/buckets/b HTTP/1.1\r\n"
                                    + "Host: localhost\r\n"
                                    + "Idempotency-Key: g\r\n"
                                    + "Authorization: Bearer "
                                    + PUBLISHER.secret() + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                            .getBytes(UTF_8));
            socket.getOutputStream().write(body);
        }
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(get("/workspaces/gone/changes/g")).contains("\"status\":\"rendered\""));
    }

    @Test
    void shouldSplitALargeBodyAndRefuseATooLargeOne() throws Exception {
        StringBuilder large = new StringBuilder(POLICY);
        for (int i = 0; i < 12; i++) {
            large.append(document("large" + i, "\"" + "x".repeat(800_000) + "\""));
        }
        assertThat(write(200, "PUT", "/workspaces/large/buckets/b", large.toString())
                        .body())
                .contains("\"added\":13");
        write(413, "PUT", "/workspaces/large/buckets/b", "x".repeat(21 << 20));
    }

    @Test
    void shouldLogThePrincipalOfAWriteWithoutValues() throws Exception {
        write(
                "PUT",
                "/workspaces/audit/buckets/b",
                POLICY + document("web", "hidden-0815"),
                "Idempotency-Key",
                "x \" y");
        assertThat(audit.lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("write principal=\"ci-site\" workspace=audit bucket=b"
                                + " type=dev.strake.bucket.put change=\"x \"\" y\" bytes="));
        assertThat(audit.lines().toString()).doesNotContain("hidden-0815", PUBLISHER.secret());
    }
}
