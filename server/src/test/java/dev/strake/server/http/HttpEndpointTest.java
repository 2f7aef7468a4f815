package dev.strake.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.server.OperatorRoutes;
import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Deadlines.Patience;
import dev.strake.server.metrics.Metrics;
import dev.strake.server.pipeline.Health;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class HttpEndpointTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicReference<Health> ready =
            new AtomicReference<>(new Health(false, "REBALANCING", "tasks are being assigned"));
    private final AtomicReference<Metrics.Details> details = new AtomicReference<>(new Metrics.Details(0, 2, 3.5));
    private final Metrics metrics = new Metrics(Duration.ofSeconds(1));
    private final AtomicInteger pieces = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        start(Patience.USUAL);
    }

    /* Restarts the endpoint with short timeouts for clients. */
    private void startImpatiently() throws IOException {
        endpoint.close();
        start(new Patience(Duration.ofMillis(800), Duration.ofMinutes(10), Duration.ofMillis(800)));
    }

    private void start(Patience patience) throws IOException {
        Health running = new Health(true, "RUNNING", null);
        Health.Probes probes = new Health.Probes(() -> running, ready::get, () -> running);
        List<Bulkhead> bulkheads = new ArrayList<>(OperatorRoutes.bulkheads(
                metrics.registry(), probes, details::get, new TreeMap<>(Map.of("kafka", "4.3.1"))));
        bulkheads.add(new Bulkhead(
                4,
                0,
                List.of(
                        Route.get(
                                "/echo/{text}/end",
                                List.of("more", "else"),
                                request -> Response.text(
                                        200,
                                        request.path("text")
                                                + request.parameter("more").orElse("-"))),
                        Route.get(
                                "/many",
                                List.of("each*"),
                                request -> Response.text(200, String.join(" ", request.parameters("each")))),
                        Route.get("/endless", request -> Response.of(200, "text/plain", new Endless())),
                        Route.get(
                                "/breaks-off",
                                request -> Response.of(200, "text/plain", out -> {
                                    out.write(new byte[100_000]);
                                    pieces.incrementAndGet();
                                    out.write(new byte[100_000]);
                                    pieces.incrementAndGet();
                                    throw new IllegalStateException("secret");
                                })),
                        Route.get(
                                "/errs",
                                List.of("after"),
                                request -> Response.of(
                                        200,
                                        "text/plain",
                                        new Erring(request.parameter("after").orElseThrow()))),
                        Route.get("/waits", request -> {
                            TestRequests.await(letGo);
                            return Response.text(200, "done");
                        }))));
        bulkheads.add(new Bulkhead(
                2,
                0,
                100_000,
                200_000,
                List.of(Route.of(
                        "POST",
                        "/length/{text}",
                        List.of("more"),
                        request -> Response.text(200, Integer.toString(request.body().length))))));
        bulkheads.add(new Bulkhead(1, 1, List.of(Route.get("/alone", request -> {
            TestRequests.await(letGo);
            return Response.text(200, "done");
        }))));
        endpoint = HttpEndpoint.start(
                ANY_PORT,
                Optional.empty(),
                Hosts.of(ANY_PORT, List.of("strake-0.strake:8080")),
                AccessControl.off(),
                bulkheads,
                new ForeignApis(List.of()),
                patience);
    }

    /** An endless body, which counts its pieces. */
    private final class Endless implements Response.Body {

        @Override
        public void writeTo(OutputStream out) throws IOException {
            while (true) {
                out.write(new byte[16 << 10]);
                pieces.incrementAndGet();
            }
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    /** Throws an error after the given number of pieces. */
    private final class Erring implements Response.Body {

        private final int most;

        Erring(String pieces) {
            most = Integer.parseInt(pieces);
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            for (int i = 0; i < most; i++) {
                out.write(new byte[16 << 10]);
            }
            throw new StackOverflowError("secret");
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    @AfterEach
    void stop() {
        letGo.countDown();
        endpoint.close();
        metrics.close();
    }

    @Test
    void shouldServeMetricsInPrometheusFormat() throws Exception {
        HttpResponse<String> response = get(200, "/metrics");
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(response.body()).contains("strake_changes_total{status=\"rendered\"} 0.0", "jvm_memory_used_bytes");
        HttpRequest newer = HttpRequest.newBuilder(uri("/metrics"))
                .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")
                .build();
        assertThat(client.send(newer, BodyHandlers.ofString()).body()).endsWith("# EOF\n");
    }

    @Test
    void shouldFollowTheStateOfThePipeline() throws Exception {
        get(200, "/health/live");
        assertThat(get("/health/started").body()).isEqualTo("{\"status\":\"UP\",\"state\":\"RUNNING\"}\n");
        get(503, "/health/ready");
        assertThat(get("/health/ready").body()).isEqualTo("""
            {"status":"DOWN","state":"REBALANCING","reason":"tasks are being assigned","problems":2,"stalenessSeconds":3.5,"kafka":"4.3.1"}
            """);
        details.set(new Metrics.Details(1_200, 0, 0));
        assertThat(get("/health/ready").body()).contains("\"reason\":\"restoring, 1,200 records are left\"");
        ready.set(new Health(true, "RUNNING", null));
        get(200, "/health/ready");
    }

    @Test
    void shouldAnswerUnknownPathsWithJson() throws Exception {
        for (String path : List.of("/", "/nothing", "/metrics/", "/metrics/more", "/echo/end")) {
            HttpResponse<String> response = get(404, path);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(response.body()).contains("\"code\":\"NotFound\"").endsWith("}\n");
            assertThat(response.headers().firstValueAsLong("Content-Length"))
                    .hasValue(response.body().length());
        }
    }

    @Test
    void shouldRefuseOtherMethodsAndListTheAllowedOnes() throws Exception {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "BREW")) {
            HttpResponse<String> response = send(method, "/metrics", BodyPublishers.ofString("x"));
            assertThat(response.statusCode()).as(method).isEqualTo(405);
            assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
            assertThat(response.body()).contains("MethodNotAllowed");
        }
        HttpResponse<String> response = send("OPTIONS", "/metrics", BodyPublishers.noBody());
        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
    }

    @Test
    void shouldReadBodiesUpToTheLimit() throws Exception {
        for (int length : new int[] {0, 1, 65_536, 100_000}) {
            HttpResponse<String> response = send("POST", "/length/a", BodyPublishers.ofByteArray(new byte[length]));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("" + length);
        }
    }

    @Test
    void shouldAnswerHeadAsGetWithoutTheBody() throws Exception {
        for (String path : List.of("/health/live", "/health/ready", "/nothing", "/endless", "/echo/a/end?x=1")) {
            HttpResponse<String> response = send("HEAD", path, BodyPublishers.noBody());
            assertThat(response.body()).isEmpty();
            if (!path.equals("/endless")) {
                HttpResponse<String> whole = get(path);
                assertThat(response.statusCode()).as(path).isEqualTo(whole.statusCode());
                assertThat(response.headers().firstValue("Content-Type"))
                        .isEqualTo(whole.headers().firstValue("Content-Type"));
            }
            // The header may be missing, because HEAD builds no body; 0 would be wrong.
            assertThat(response.headers().firstValue("Content-Length")).as(path).isNotEqualTo(Optional.of("0"));
        }
        assertThat(closed.await(10, TimeUnit.MINUTES)).isTrue();
        assertThat(pieces).hasValue(0);
    }

    @Test
    void shouldRefuseUnknownParameters() throws Exception {
        for (String path :
                List.of("/echo/a/end?les=1", "/echo/a/end?more=1&more=2", "/echo/a/end?=", "/echo/a/end?&")) {
            assertThat(get(400, path).body()).contains("\"code\":\"BadRequest\"");
        }
        for (int i = 0; i < 5; i++) { // more requests than the endpoint handles at once
            assertThat(get("/echo/a/end?les=1").body()).contains("Known are: else, more.");
        }
        assertThat(get("/echo/a/end?more=1&more=2").body()).contains("more is given more than once");
        assertThat(get("/health/live?verbose").body()).contains("This route has no parameters.");
    }

    @Test
    void shouldAcceptARepeatedParameterWhereARouteAllowsIt() throws Exception {
        assertThat(get("/many?each=a&each=b").body()).isEqualTo("a b");
        assertThat(get("/many").body()).isEmpty();
        assertThat(get("/many?" + "each=a&".repeat(20) + "each=a").body()).contains("each is given more than 20 times");
        get(400, "/many?each*=a");
    }

    @Test
    void shouldRefuseInvalidEncodings() throws Exception {
        for (String path : List.of("/echo/%ff/end", "/echo/%zz/end", "/echo/%4/end", "/echo/a/end?more=%C3")) {
            assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .as(path)
                    .startsWith("HTTP/1.1 400 ")
                    .contains("\"code\":\"BadRequest\"");
        }
    }

    @Test
    void shouldRefuseUnparsableRequestsWithJson() throws Exception {
        String close = "Host: localhost\r\nConnection: close\r\n\r\n";
        assertThat(raw("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n" + close))
                .startsWith("HTTP/1.1 414 ")
                .contains("\"code\":\"BadRequest\"");
        assertThat(raw("GET /health/live HTTP/1.1\r\nX: " + "a".repeat(20_000) + "\r\n" + close))
                .startsWith("HTTP/1.1 431 ")
                .contains("\"code\":\"BadRequest\"", "16 KiB", "token");
        assertThat(raw("GET /health/live HTTP/9.9\r\n" + close))
                .startsWith("HTTP/1.1 505 ")
                .contains("\"code\":\"BadRequest\"");
        assertThat(raw("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ").contains("\"code\":\"BadRequest\"");
    }

    @Test
    void shouldAnswerToTheNamesOfThisMachineOnly() throws Exception {
        for (String host : List.of(
                "localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:80", "strake-0.strake", "strake-0.strake:1")) {
            assertThat(withHost(host)).as(host).startsWith("HTTP/1.1 200 ");
        }
        for (String host : List.of("evil.example", "evil.example:8080", "127.0.0.1.evil.example", "192.168.0.1")) {
            assertThat(withHost(host)).as(host).startsWith("HTTP/1.1 421 ").contains("strake.http.advertised");
        }
        assertThat(raw("GET http://evil.example/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .doesNotStartWith("HTTP/1.1 200 ");
    }

    @Test
    void shouldAnswerBesideAThousandIdleConnections() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 1_000; i++) {
                Socket socket = connect();
                idle.add(socket);
                if (i % 2 == 0) {
                    write(socket, "GET /endless HTTP/1.1\r\nHost:");
                }
            }
            get(200, "/health/live");
            get(200, "/echo/a/end");
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void shouldAnswerOthersAndDisconnectClientsThatDoNotRead() throws Exception {
        endpoint.close();
        start(new Patience(Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofSeconds(5)));
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) { // of four slots
                slow.add(askWithoutReading());
            }
            get(200, "/echo/a/end");
            // The slot of a response is free shortly after its client has received it.
            await().atMost(Duration.ofMinutes(10))
                    .ignoreExceptionsInstanceOf(AssertionError.class)
                    .until(() -> {
                        slow.add(askWithoutReading());
                        return true;
                    });
            get(503, "/echo/a/end");
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> get("/echo/a/end").statusCode() == 200);
            closed.await();
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private Socket askWithoutReading() throws IOException {
        Socket socket = connect();
        write(socket, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
        return socket;
    }

    @Test
    void shouldQueueSomeRequests() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> three = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            HttpRequest request = HttpRequest.newBuilder(uri("/alone")).build();
            three.add(client.sendAsync(request, BodyHandlers.ofString()));
        }
        CompletableFuture.anyOf(three.toArray(CompletableFuture[]::new)).get();
        letGo.countDown();
        List<Integer> answers = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> each : three) {
            answers.add(each.get().statusCode());
        }
        assertThat(answers).containsExactlyInAnyOrder(200, 200, 503);
    }

    @Test
    void shouldRefuseTooManyRequestsAndStillReportHealth() throws Exception {
        BlockingQueue<HttpResponse<String>> answers = new LinkedBlockingQueue<>();
        List<CompletableFuture<Boolean>> asked = new ArrayList<>();
        for (int i = 0; i < 6; i++) { // four are handled at once
            HttpRequest request = HttpRequest.newBuilder(uri("/waits")).build();
            asked.add(client.sendAsync(request, BodyHandlers.ofString()).thenApply(answers::add));
        }
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> refused = answers.take();
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(refused.body()).contains("\"code\":\"Busy\"");
        }
        get(200, "/health/live");
        get(200, "/metrics");
        letGo.countDown();
        for (int i = 0; i < 4; i++) {
            assertThat(answers.take().body()).isEqualTo("done");
        }
        assertThat(asked).allMatch(CompletableFuture::join);
        get(200, "/echo/a/end");
    }

    @Test
    void shouldAbortAResponseThatFailsHalfway() {
        assertThatThrownBy(() -> get("/breaks-off")).isInstanceOf(IOException.class);
        assertThat(pieces).hasValue(2);
    }

    @Test
    void shouldReleaseTheSlotWhenAnErrorIsThrown() throws Exception {
        for (int i = 0; i < 6; i++) { // more requests than the endpoint handles at once
            assertThat(get(500, "/errs?after=0").body())
                    .contains("InternalError")
                    .doesNotContain("secret");
            assertThatThrownBy(() -> get("/errs?after=20")).isInstanceOf(IOException.class);
        }
        assertThat(closes).hasValue(12);
    }

    @Test
    void shouldCloseConnectionsWithAnEndlessHeader() throws Exception {
        startImpatiently();
        try (Socket socket = connect()) {
            socket.setSoTimeout(20);
            write(socket, "GET /health/live HTTP/1.1\r\n");
            assertThatThrownBy(() -> {
                        while (isOpen(socket)) {
                            write(socket, "X: y\r\n");
                        }
                        throw new IOException("closed");
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldCloseConnectionsThatStayIdle() throws Exception {
        startImpatiently();
        try (Socket silent = connect();
                Socket afterAnAnswer = connect()) {
            write(afterAnAnswer, "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(new String(afterAnAnswer.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void shouldBlameTheClientForABodyInBrokenChunks() throws Exception {
        for (String chunks : List.of("zz\r\nhello\r\n", "5\r\nhello!!!\r\n0\r\n\r\n")) {
            assertThat(raw("POST /length/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("\"code\":\"BadRequest\"");
        }
    }

    private static boolean isOpen(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    @Test
    void shouldDecodePathAndQueryOnce() throws Exception {
        assertThat(get("/echo/a%2Fb%20c%2520/end?more=1%262").body()).isEqualTo("a/b c%201&2");
        assertThat(get("/echo/a+b/end?more=c+d").body()).isEqualTo("a+bc d");
    }

    @Test
    void shouldReportABusyPort() {
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port());
        assertThatThrownBy(() -> HttpEndpoint.start(taken, Hosts.of(taken, List.of()), AccessControl.off(), List.of())
                        .close())
                .isInstanceOf(BindException.class)
                .hasMessageContainingAll(Integer.toString(endpoint.port()), "--http-port");
    }

    private String withHost(String host) throws IOException {
        return raw("GET /health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            write(socket, request);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, BodyPublishers.noBody());
    }

    private HttpResponse<String> get(int status, String path) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(status);
        return response;
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri(path)).method(method, body).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + endpoint.port() + path);
    }
}
