package dev.strake.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.access.AccessControl;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Malformed requests next to valid ones. If connections share buffers, bytes of a malformed request may appear in
 * another request.
 */
class MalformedRequestsTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int MALFORMED = 10_000;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\n";

    private static final List<String> REQUESTS = List.of(
            "GET /echo/%/end" + HEAD + "\r\n",
            "GET /echo/a/end HTTP/9.9\r\n\r\n",
            "GET /echo/a/end" + HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003");

    private final AtomicInteger left = new AtomicInteger(MALFORMED);
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger right = new AtomicInteger();

    @Test
    void shouldNeverMixBytesOfConnections() throws Exception {
        Bulkhead echo = new Bulkhead(
                2, 16, List.of(Route.get("/echo/{text}/end", request -> Response.text(200, request.path("text")))));
        ExecutorService clients = Executors.newFixedThreadPool(5);
        try (HttpEndpoint endpoint =
                HttpEndpoint.start(ANY_PORT, Hosts.of(ANY_PORT, List.of()), AccessControl.off(), List.of(echo))) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                String name = "client-" + i + "-";
                all.add(clients.submit(() -> sendMalformed(endpoint.port())));
                all.add(clients.submit(() -> ask(endpoint.port(), name)));
            }
            all.add(clients.submit(() -> sendAHeaderSlowly(endpoint.port())));
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(wrong).isEmpty();
        assertThat(right.get()).isGreaterThan(MALFORMED / 10);
    }

    private void sendMalformed(int port) {
        for (int number = left.decrementAndGet(); number >= 0; number = left.decrementAndGet()) {
            try (Socket socket = connect(port)) {
                socket.getOutputStream()
                        .write(REQUESTS.get(number % REQUESTS.size()).getBytes(ISO_8859_1));
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The server may reset the connection after a malformed request.
            }
        }
    }

    /* Each request contains a unique text, which the response has to echo. */
    private void ask(int port, String name) {
        try (Socket socket = connect(port);
                InputStream in = new BufferedInputStream(socket.getInputStream())) {
            for (int number = 0; left.get() > 0; number++) {
                String text = name + number;
                socket.getOutputStream().write(("GET /echo/" + text + "/end" + HEAD + "\r\n").getBytes(ISO_8859_1));
                String answer = answer(in);
                if (!answer.equals("HTTP/1.1 200 OK " + text)) {
                    wrong.add(text + ": " + answer);
                    return;
                }
                right.incrementAndGet();
            }
        } catch (IOException e) {
            wrong.add(name + ": " + e);
        }
    }

    private void sendAHeaderSlowly(int port) {
        while (left.get() > 0) {
            try (Socket socket = connect(port)) {
                socket.getOutputStream().write(("GET /echo/slow/end" + HEAD + "X-Slow: ").getBytes(ISO_8859_1));
                for (int i = 0; i < 1_000 && left.get() > 0; i++) {
                    socket.getOutputStream().write('x');
                }
                socket.getOutputStream().write("\r\n\r\n".getBytes(ISO_8859_1));
                String answer = answer(socket.getInputStream());
                if (!answer.equals("HTTP/1.1 200 OK slow")) {
                    wrong.add("slow: " + answer);
                }
            } catch (IOException e) {
                wrong.add("slow: " + e);
            }
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static String answer(InputStream in) throws IOException {
        String status = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.startsWith("Content-Length: ")) {
                length = Integer.parseInt(header.substring(16));
            }
        }
        return status + " " + new String(in.readNBytes(length), ISO_8859_1);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("cut off");
            }
            line.append((char) next);
        }
        return line.toString().trim();
    }
}
