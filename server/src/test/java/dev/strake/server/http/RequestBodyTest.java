package dev.strake.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Deadlines.Patience;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What happens to a body and its connection, especially if the response does not wait for the body. */
@Execution(ExecutionMode.CONCURRENT)
class RequestBodyTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int MOST = 100_000;
    private static final String LIVE = "GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n";

    /** Requests whose response does not depend on the body, with their status. */
    private static final Map<String, Integer> REFUSED = new TreeMap<>(Map.of(
            "POST /length?unknown=1 HTTP/1.1\r\nHost: localhost\r\n", 400,
            "POST /length HTTP/1.1\r\nHost: localhost\r\nOrigin: http://elsewhere\r\n", 403,
            "PUT /nothing HTTP/1.1\r\nHost: localhost\r\n", 404,
            "PUT /length HTTP/1.1\r\nHost: localhost\r\n", 405,
            "POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n", 415,
            "POST /length HTTP/1.1\r\nHost: elsewhere\r\n", 421,
            "GET /live HTTP/1.1\r\nHost: localhost\r\n", 200,
            "OPTIONS /length HTTP/1.1\r\nHost: localhost\r\n", 204));

    private final CountDownLatch waiting = new CountDownLatch(2);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        start(Patience.USUAL);
    }

    private void start(Patience patience) throws IOException {
        List<Bulkhead> bulkheads = List.of(
                new Bulkhead(1, 1, List.of(Route.get("/live", request -> Response.text(200, "alive")))),
                new Bulkhead(
                        2,
                        0,
                        MOST,
                        2 * MOST,
                        List.of(
                                Route.of(
                                        "POST",
                                        "/length",
                                        List.of("more"),
                                        request -> Response.text(200, length(request))),
                                Route.of("POST", "/waits", List.of(), request -> {
                                    waiting.countDown();
                                    TestRequests.await(letGo);
                                    return Response.text(200, length(request));
                                }))));
        endpoint = HttpEndpoint.start(
                ANY_PORT,
                Optional.empty(),
                Hosts.of(ANY_PORT, List.of()),
                AccessControl.off(),
                bulkheads,
                new ForeignApis(List.of()),
                patience);
    }

    private static String length(Request request) {
        return Integer.toString(request.hasBody() ? request.body().length : 0);
    }

    @AfterEach
    void stop() {
        letGo.countDown();
        endpoint.close();
    }

    @Test
    void shouldKeepTheConnectionWhenASmallBodyFollowsTheRefusal() throws Exception {
        for (Map.Entry<String, Integer> each : REFUSED.entrySet()) {
            try (Client client = new Client()) {
                client.send(each.getKey() + "Content-Length: 10\r\n\r\n12345");
                Answer refusal = client.read();
                assertThat(refusal.status()).as(each.getKey()).isEqualTo(each.getValue());
                assertThat(refusal.closes()).as(each.getKey()).isFalse();
                client.send("67890");
                client.send(LIVE);
                assertThat(client.read().body()).as(each.getKey()).isEqualTo("alive");
            }
        }
    }

    @Test
    void shouldAnswerBeforeALargeBodyArrives() throws Exception {
        for (Map.Entry<String, Integer> each : REFUSED.entrySet()) {
            try (Client client = new Client()) {
                client.send(each.getKey() + "Content-Length: 1000000000000\r\n\r\nx");
                assertThat(client.read().status()).as(each.getKey()).isEqualTo(each.getValue());
            }
        }
    }

    @Test
    void shouldKeepTheConnectionForABodyOfUnknownLength() throws Exception {
        for (Map.Entry<String, Integer> each : REFUSED.entrySet()) {
            try (Client client = new Client()) {
                client.send(each.getKey() + "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n");
                assertThat(client.read().status()).as(each.getKey()).isEqualTo(each.getValue());
                client.send("0\r\n\r\n" + LIVE);
                assertThat(client.read().body()).as(each.getKey()).isEqualTo("alive");
            }
        }
    }

    @Test
    void shouldAnswerClientsThatSendALargeBodyBeforeTheyRead() throws Exception {
        byte[] body = new byte[20_000_000];
        for (Map.Entry<String, Integer> each : REFUSED.entrySet()) {
            try (Client client = new Client()) {
                client.send(each.getKey() + "Content-Length: " + body.length + "\r\n\r\n");
                client.send(body);
                assertThat(client.read().status()).as(each.getKey()).isEqualTo(each.getValue());
                client.send(LIVE);
                assertThat(client.read().body()).as(each.getKey()).isEqualTo("alive");
            }
        }
    }

    @Test
    void shouldRefuseAnAnnouncedTooLargeBodyUnread() throws Exception {
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + (MOST + 1) + "\r\n\r\n");
            Answer refusal = client.read();
            assertThat(refusal.status()).isEqualTo(413);
            assertThat(refusal.body()).contains("\"code\":\"TooLarge\"", "more than " + MOST + " bytes");
        }
    }

    @Test
    void shouldRefuseATooLargeChunkedBody() throws Exception {
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 200; i++) {
                client.send("10000\r\n");
                client.send(new byte[1 << 16]);
                client.send("\r\n");
            }
            client.send("0\r\n\r\n");
            Answer refusal = client.read();
            assertThat(refusal.status()).isEqualTo(413);
            client.send(LIVE);
            assertThat(client.read().body()).isEqualTo("alive");
        }
    }

    @Test
    void shouldReadAChunkedBodyAndKeepTheConnection() throws Exception {
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("5\r\n12345\r\n");
            client.send("3\r\n678\r\n0\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("8");
            client.send(LIVE);
            assertThat(client.read().body()).isEqualTo("alive");
        }
    }

    @Test
    void shouldSendContinueOnlyForABodyThatItReads() throws Exception {
        String expects = "Expect: 100-continue\r\nContent-Length: ";
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\n" + expects + "5\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(100);
            client.send("12345");
            assertThat(client.read().body()).isEqualTo("5");
            client.send(LIVE);
            assertThat(client.read().body()).isEqualTo("alive");
        }
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\n" + expects + "500000\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(413);
        }
        for (Map.Entry<String, Integer> each : REFUSED.entrySet()) {
            try (Client client = new Client()) {
                client.send(each.getKey() + expects + "10\r\n\r\n");
                Answer refusal = client.read();
                assertThat(refusal.status()).as(each.getKey()).isEqualTo(each.getValue());
                assertThat(refusal.closes()).as(each.getKey()).isTrue(); // the client may still send the body
                assertThat(client.isAtEnd()).as(each.getKey()).isTrue();
            }
        }
    }

    @Test
    void shouldRefuseBodiesWhileBusy() throws Exception {
        try (Client first = new Client();
                Client second = new Client();
                Client third = new Client()) {
            for (Client each : List.of(first, second)) {
                each.send("POST /waits HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
            }
            TestRequests.await(waiting);
            third.send("POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12345");
            assertThat(third.read().status()).isEqualTo(503);
        }
    }

    @Test
    void shouldDisconnectAClientWhoseBodyTrickles() throws Exception {
        endpoint.close();
        start(new Patience(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofMinutes(10)));
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n");
            while (!client.isCutOff()) {
                client.trickle(1);
            }
        }
    }

    @Test
    void shouldWaitLongerForABodyThanForAHeader() throws Exception {
        endpoint.close();
        start(new Patience(Duration.ofMillis(400), Duration.ofMinutes(10), Duration.ofMinutes(10)));
        try (Client client = new Client()) {
            client.send("POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n");
            for (int i = 0; i < 20; i++) { // twice the timeout of a header, in steps of 50 ms
                client.trickle(500);
            }
            assertThat(client.read().body()).isEqualTo("10000");
        }
    }

    /** @param head status line and headers, in lower case */
    private record Answer(int status, String head, String body) {

        boolean closes() {
            return head.contains("connection: close");
        }
    }

    /** A client that sends raw bytes and reads one response at a time. */
    private final class Client implements AutoCloseable {

        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        private final InputStream in = socket.getInputStream();

        Client() throws IOException {
            socket.setSoTimeout(600_000);
            socket.setTcpNoDelay(true);
        }

        void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.US_ASCII));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        Answer read() throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("closed after: " + head.toString(StandardCharsets.US_ASCII));
                }
                head.write(next);
            }
            String text = head.toString(StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
            Matcher length = Pattern.compile("content-length: (\\d+)").matcher(text);
            byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            return new Answer(Integer.parseInt(text.substring(9, 12)), text, new String(body, StandardCharsets.UTF_8));
        }

        /* Sends slowly. The server may have closed the connection. */
        void trickle(int bytes) throws Exception {
            TimeUnit.MILLISECONDS.sleep(50);
            try {
                send(new byte[bytes]);
            } catch (SocketException e) {
                assertThat(e).hasMessageMatching("(?i).*(reset|broken|closed|aborted).*");
            }
        }

        boolean isCutOff() throws IOException {
            socket.setSoTimeout(1);
            try {
                return in.read() < 0;
            } catch (SocketTimeoutException e) {
                return false;
            } catch (SocketException e) {
                return true;
            }
        }

        boolean isAtEnd() throws IOException {
            return in.read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
