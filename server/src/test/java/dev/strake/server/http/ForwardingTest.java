package dev.strake.server.http;

import static dev.strake.server.http.TestRequests.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests forwarded to an instance that answers late, partially, or never. */
class ForwardingTest {

    private static final Request QUESTION = TestRequests.of("/workspaces/a/documents", Map.of(), Map.of());

    private final Forwarding forwarding = new Forwarding(Optional.empty(), 2);
    private final Forwarding impatient = new Forwarding(Optional.empty(), 2, Duration.ofMillis(200));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> connections = new ArrayList<>();
    private ServerSocket other;

    @BeforeEach
    void listen() throws IOException {
        other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket each : connections) {
            each.close();
        }
        other.close();
        threads.shutdownNow();
    }

    @Test
    void shouldStreamAResponseBack() throws Exception {
        answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
        Response response = ask();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.contentType()).isEqualTo("application/json");
        assertThat(read(response)).isEqualTo("{}");
    }

    @Test
    void shouldForwardTheToken() throws Exception {
        Request question = QUESTION.with(Map.of("Authorization", "Bearer planted")::get);
        var unused = threads.submit(() -> forwarding.ask("127.0.0.1:" + other.getLocalPort(), question));
        try (Socket socket = other.accept()) {
            byte[] came = new byte[4_096];
            int length = socket.getInputStream().read(came);
            assertThat(new String(came, 0, length, StandardCharsets.US_ASCII))
                    .contains("Authorization: Bearer planted\r\n", "Strake-Forwarded: 1\r\n");
        }
    }

    @Test
    void shouldForwardAWriteWithItsMethodHeadersAndBody() throws Exception {
        Map<String, String> headers =
                Map.of("Idempotency-Key", "once", "X-End-User", "ann", "Content-Type", "application/x-yaml");
        Request write = TestRequests.of("/deckhand/a/api/v1.0/buckets/b/documents", Map.of(), Map.of())
                .with(headers::get)
                .with("a: 1".getBytes(StandardCharsets.US_ASCII));
        var unused = threads.submit(() -> forwarding.ask("127.0.0.1:" + other.getLocalPort(), "PUT", write));
        try (Socket socket = other.accept()) {
            StringBuilder came = new StringBuilder();
            byte[] piece = new byte[4_096];
            while (came.indexOf("a: 1") < 0) {
                int length = socket.getInputStream().read(piece);
                came.append(new String(piece, 0, length, StandardCharsets.US_ASCII));
            }
            assertThat(came.toString())
                    .startsWith("PUT /deckhand/a/")
                    .contains(
                            "Idempotency-Key: once\r\n", "X-End-User: ann\r\n", "Content-Type: application/x-yaml\r\n");
        }
    }

    @Test
    void shouldReturnRetryAfterAndWarnings() throws Exception {
        answer("HTTP/1.1 503 Busy\r\nRetry-After: 5\r\nWarning: 299 - \"x\"\r\nContent-Length: 0\r\n\r\n");
        assertThat(ask().headers()).containsOnly(Map.entry("Retry-After", "5"), Map.entry("Warning", "299 - \"x\""));
    }

    @Test
    void shouldLimitForwardedRequests() throws Exception {
        var unused = threads.submit(this::ask);
        connections.add(other.accept());
        answer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome");
        Response second = ask();
        assertThat(second.status()).isEqualTo(200);
        assertThatThrownBy(this::ask)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.instead().headers()).containsKey("Retry-After"));

        second.body().close();
        answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(read(ask())).isEqualTo("{}");
    }

    @Test
    void shouldCountPlansSeparately() throws Exception {
        Forwarding ofPlans = forwarding.ofAtMost(1);
        String address = "127.0.0.1:" + other.getLocalPort();
        var unused = threads.submit(() -> ofPlans.ask(address, QUESTION));
        connections.add(other.accept());
        assertThatThrownBy(() -> ofPlans.ask(address, QUESTION)).isInstanceOf(RefusedException.class);
        answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(read(ask())).isEqualTo("{}");
    }

    @Test
    void shouldNotWaitForeverForTheRestOfASmallResponse() {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{");
        assertThatThrownBy(() -> impatient.askForTree("127.0.0.1:" + other.getLocalPort(), QUESTION))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void shouldAbortWhenTheOtherInstanceGoesSilent() throws Exception {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome");
        Response response = impatient.ask("127.0.0.1:" + other.getLocalPort(), QUESTION);
        assertThatThrownBy(() -> read(response)).isInstanceOf(IOException.class).hasMessageContaining("went silent");
        response.body().close();
    }

    @Test
    void shouldAbortWhenTheOtherInstanceAborts() throws Exception {
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n");
        Response response = ask();
        connections.get(0).close();
        assertThatThrownBy(() -> read(response)).isInstanceOf(IOException.class).hasMessageContaining("broke off");
        response.body().close();
    }

    private void answer(String text) {
        threads.execute(() -> {
            try {
                Socket socket = other.accept();
                connections.add(socket);
                if (socket.getInputStream().read(new byte[4_096]) > 0) {
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private Response ask() {
        return forwarding.ask("127.0.0.1:" + other.getLocalPort(), QUESTION);
    }
}
