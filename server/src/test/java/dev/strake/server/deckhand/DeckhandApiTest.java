package dev.strake.server.deckhand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.server.access.AccessControl;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.http.TestRequests;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests rejected before they reach a route, with errors in the format of Deckhand's API. */
class DeckhandApiTest {

    private static final String ROOT = "/deckhand/w/api/v1.0";

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private AccessControl access;
    private HttpEndpoint endpoint;
    private Token reader;

    @BeforeEach
    void start() throws IOException {
        reader = Token.create();
        Path tokens = Files.writeString(
                directory.resolve("tokens"), reader.line("ci", List.of(Grant.parse("reader@w"))) + "\n");
        Bulkhead bulkhead = new Bulkhead(
                1,
                0,
                10,
                10,
                List.of(
                        Route.get(DeckhandApi.API + "/revisions", request -> {
                                    waits.countDown();
                                    TestRequests.await(letGo);
                                    return Response.empty(204);
                                })
                                .ignoringUnknown(),
                        Route.get(DeckhandApi.API + "/revisions/{revision}", request -> {
                            throw new IllegalStateException("secret");
                        }),
                        Route.of(
                                "POST",
                                DeckhandApi.API + "/rollback/{revision}",
                                List.of(),
                                request -> Response.empty(201)),
                        Route.get("/elsewhere", request -> Response.empty(204))));
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        access = AccessControl.of(Settings.defaults().with(Catalogue.ACCESS_TOKENS, tokens));
        endpoint = HttpEndpoint.start(
                anyPort,
                Optional.empty(),
                Hosts.of(anyPort, List.of()),
                access,
                List.of(bulkhead),
                List.of(new DeckhandApi(Optional.of("w"))));
    }

    @AfterEach
    void stop() {
        letGo.countDown();
        endpoint.close();
        access.close();
        threads.shutdownNow();
    }

    @Test
    void shouldAnswerEveryErrorInTheFormatOfTheApi() throws Exception {
        String token = "Authorization: Bearer " + reader.secret() + "\r\n";
        Map<String, String> expected = new TreeMap<>(Map.of(
                "GET " + ROOT + "/nothing HTTP/1.1\r\n",
                "404 Not Found HTTPRouteNotFound v1.0",
                "GET /deckhand/w/nothing HTTP/1.1\r\n",
                "404 Not Found HTTPRouteNotFound N/A",
                "GET /api/v2.0/nothing HTTP/1.1\r\n",
                "404 Not Found HTTPRouteNotFound v2.0",
                "PUT " + ROOT + "/revisions HTTP/1.1\r\n",
                "405 Method Not Allowed HTTPMethodNotAllowed v1.0",
                "GET " + ROOT + "/revisions HTTP/1.1\r\n",
                "401 Unauthorized HTTPUnauthorized v1.0",
                "GET " + ROOT + "/revisions?x=%zz HTTP/1.1\r\n" + token,
                "400 Bad Request HTTPBadRequest v1.0",
                "GET " + ROOT + "/revisions/1 HTTP/1.1\r\n" + token,
                "500 Internal Server Error HTTPInternalServerError v1.0",
                "POST " + ROOT + "/rollback/1 HTTP/1.1\r\n" + token,
                "403 Forbidden HTTPForbidden v1.0",
                "POST " + ROOT + "/rollback/1 HTTP/1.1\r\nOrigin: http://elsewhere\r\n",
                "403 Forbidden HTTPForbidden v1.0"));
        for (Map.Entry<String, String> each : expected.entrySet()) {
            MapValue body = ask(each.getKey());
            assertThat(body.text("code") + " " + body.map("details").text("errorType") + " " + body.text("apiVersion"))
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
            assertThat(body.text("message")).doesNotContain("secret");
        }
    }

    @Test
    void shouldAnswerInTheFormatOfTheApiWhenBusy() throws Exception {
        String request =
                "GET /api/v1.0/revisions?unknown=1 HTTP/1.1\r\nAuthorization: Bearer " + reader.secret() + "\r\n";
        var unused = threads.submit(() -> raw(request));
        TestRequests.await(waits);
        String busy = raw(request);
        assertThat(busy).startsWith("HTTP/1.1 503").contains("Retry-After: 1\r\n", "X-Context-Marker: 5f1c\r\n");
        assertThat(body(busy).text("code")).isEqualTo("503 Service Unavailable");
    }

    @Test
    void shouldNotChangeOtherPaths() throws Exception {
        assertThat(raw("GET /nothing HTTP/1.1\r\n"))
                .contains("application/json")
                .doesNotContain("X-Deckhand-Req");
    }

    private MapValue ask(String request) throws Exception {
        String answer = raw(request);
        assertThat(answer).contains("Content-Type: application/x-yaml\r\n", "X-Deckhand-Req: req-");
        return body(answer);
    }

    private static MapValue body(String answer) {
        return Answer.read(answer.substring(answer.indexOf("\r\n\r\n") + 4)).get(0);
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            String whole = request + "Host: localhost\r\nX-Context-Marker: 5f1c\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(whole.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
