package dev.strake.remote.fetch.source;

import static dev.strake.remote.fetch.attempt.Story.things;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.policy.Network;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.testing.SourceServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any failure of a source, the last good content stays. The status describes the failure without quoting it. */
class FailuresTest {

    private static final String TOKEN = "planted-token-7f3a";

    private SourceServer server;
    private Story story;
    private HttpSource impatient;

    @BeforeEach
    void start() throws Exception {
        server = new SourceServer();
        story = new Story(policy(Duration.ofMinutes(1)));
        impatient = new HttpSource(policy(Duration.ofSeconds(1)));
        resource(server.url("/a"));
        server.text("/a", things("good"));
        story.attempt(Status.State.OK);
    }

    private static FetchPolicy policy(Duration timeout) {
        return new FetchPolicy(List.of(), List.of(Network.of("127.0.0.1")), List.of(), 200_000, timeout);
    }

    @AfterEach
    void stop() {
        story.close();
        impatient.close();
        server.close();
    }

    private void resource(String url) {
        story.resource("requests: [{options: {url: '{}?t=" + TOKEN + "', headers: {X-Token: " + TOKEN + "}}}]", url);
    }

    private void shouldFail(String code, String... words) throws Exception {
        Status failed = story.attempt(Status.State.FAILED);
        assertThat(failed.code()).isEqualTo(code);
        for (String word : words) {
            assertThat(failed.message()).contains(word);
        }
        assertThat(failed.toString()).doesNotContain(TOKEN, "token-in-an-answer");
        assertThat(story.names()).containsExactly("good");
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 204, 400, 401, 403, 404, 418, 500, 503})
    void shouldAcceptOnlyResponsesWithStatus200(int status) throws Exception {
        server.on("/a", exchange -> SourceServer.send(exchange, status, new byte[0]));
        shouldFail("SourceAnswer", "answers " + status);
    }

    @Test
    void shouldNotWaitForever() throws Exception {
        story.sources.put(RemoteResource.Backend.GENERIC, new UrlSource(impatient));
        server.on("/a", exchange -> {
            try {
                Thread.sleep(20_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        });
        shouldFail("SourceUnreachable", "did not answer within 1 s");
    }

    @Test
    void shouldNotReadForever() throws Exception {
        server.endless("/a");
        shouldFail("SourceTooLarge", "more than 200,000 bytes");
        assertThat(server.endlessBytes())
                .as("taken, into the buffers of both sides too")
                .isLessThan(50 << 20);
    }

    @Test
    void shouldNotReadTheBodyOfARedirectForever() throws Exception {
        server.endless("/a", 302);
        server.text("/b", things("good"));
        story.attempt(Status.State.OK);
        assertThat(server.endlessBytes()).isLessThan(50 << 20);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500})
    void shouldNotReadAnInvalidResponseForever(int status) throws Exception {
        server.endless("/a", status);
        shouldFail("SourceAnswer", "answers " + status);
        assertThat(server.endlessBytes()).isLessThan(50 << 20);
    }

    @Test
    void shouldNotReadATricklingResponseForever() throws Exception {
        story.sources.put(RemoteResource.Backend.GENERIC, new UrlSource(impatient));
        server.on("/a", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write('#');
                    exchange.getResponseBody().flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        });
        shouldFail("SourceUnreachable", "did not answer within 1 s");
    }

    @Test
    void shouldNotDecompressMoreThanTheLimit() throws Exception {
        server.gzip("/a", new byte[50 << 20]);
        shouldFail("SourceTooLarge", "more than 200,000 bytes");
    }

    @Test
    void shouldDecompressResponses() throws Exception {
        server.gzip("/a", things("packed", "good").getBytes(StandardCharsets.UTF_8));
        story.attempt(Status.State.OK);
        assertThat(story.names()).containsExactly("good", "packed");
    }

    @Test
    void shouldRefuseATruncatedResponse() throws Exception {
        server.truncated("/a", things("good", "x", "y", "z"));
        shouldFail("SourceUnreachable");
    }

    @Test
    void shouldRefuseAResponseWhoseConnectionIsReset() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread resetting = new Thread(() -> {
                try (Socket socket = listening.accept()) {
                    socket.setSoLinger(true, 0);
                } catch (java.io.IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            resetting.start();
            resource("http://127.0.0.1:" + listening.getLocalPort() + "/a");
            shouldFail("SourceUnreachable");
            resetting.join();
        }
    }

    @Test
    void shouldReportARefusedConnection() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        resource("http://127.0.0.1:" + port + "/a");
        shouldFail("SourceUnreachable", "the connection failed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE html><html><body>Sign in: please</body></html>",
                "just words",
                "a: [1, 2",
                "a: 1\na: 2\n",
                "schema: example/Thing/v1\n",
                "- 1\n- 2\n",
                "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nschema: 1\n",
                "{\"schema\": \"example/Thing/v1\", \"metadata\": {}",
                "apiVersion: v1\nkind: Pod\n"
            })
    void shouldRefuseInvalidDocuments(String text) throws Exception {
        server.text("/a", text);
        shouldFail("InvalidContent", server.url("/a"));
    }

    @Test
    void shouldNotExpandAnAliasBomb() throws Exception {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String use = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", java.util.Collections.nCopies(9, use))));
        }
        server.text("/a", bomb.toString());
        shouldFail("InvalidContent");
    }

    @Test
    void shouldRefuseADuplicateDocument() throws Exception {
        server.text("/a", things("good", "x", "x"));
        shouldFail("InvalidContent", "x] appears twice", ":11", ":20");
    }

    @Test
    void shouldRefuseAResponseOverTheLimit() throws Exception {
        server.text("/a", "# comment\n".repeat(500_000) + things("good"));
        shouldFail("SourceTooLarge");
    }

    @Test
    void shouldFollowARedirectWithoutLeakingCredentials() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/b", exchange -> {
            seen.set(Map.copyOf(exchange.getRequestHeaders()).toString());
            SourceServer.send(exchange, 200, things("good", "there").getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        other.start();
        try {
            server.redirect("/a", "/here")
                    .redirect("/here", "http://127.0.0.1:" + other.getAddress().getPort() + "/b");
            story.attempt(Status.State.OK);
            assertThat(story.names()).containsExactly("good", "there");
            assertThat(seen.get()).doesNotContain(TOKEN);
            assertThat(server.asked.get(server.asked.size() - 1).header("X-token"))
                    .isEqualTo(TOKEN);
        } finally {
            other.stop(0);
        }
    }

    @Test
    void shouldNotFollowRedirectsForever() throws Exception {
        server.redirect("/a", "/a");
        shouldFail("SourceAnswer", "more than 5 redirects");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/"})
    void shouldNotFollowARedirectToAnotherScheme(String url) throws Exception {
        server.redirect("/a", url);
        shouldFail("FetchRefused", "redirects from http to");
    }

    @Test
    void shouldNotFollowARedirectToAPrivateAddress() throws Exception {
        server.redirect("/a", "http://169.254.169.254/latest/meta-data/");
        shouldFail("FetchRefused", "169.254.169.254 has a private address");
        server.redirect("/a", "http://[::ffff:10.0.0.1]/");
        shouldFail("FetchRefused", "private address");
    }
}
