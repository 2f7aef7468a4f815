package dev.strake.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.StateClient;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Deadlines.Patience;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.tls.Tls;
import dev.strake.testing.TestAuthority;
import dev.strake.testing.TestAuthority.Issued;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP with TLS, tested over sockets that show the bytes on the wire. */
@Execution(ExecutionMode.CONCURRENT)
class SecuredEndpointTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final TestAuthority AUTHORITY = TestAuthority.create();
    private static final TestAuthority STRANGER = TestAuthority.create();

    @TempDir
    Path directory;

    private final Issued first = AUTHORITY.issue(TestAuthority.ask("localhost", "127.0.0.1", "strake.example"));
    private Tls tls;
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        install(first);
        start(Settings.defaults());
    }

    private void start(Settings settings) throws IOException {
        start(settings, Patience.USUAL);
    }

    private void start(Settings settings, Patience patience) throws IOException {
        stop();
        tls = Tls.of(settings.with(Catalogue.HTTP_TLS_CERTIFICATE, certificate())
                        .with(Catalogue.HTTP_TLS_KEY, key()))
                .orElseThrow();
        Bulkhead bulkhead = new Bulkhead(
                2,
                4,
                List.of(
                        Route.get(
                                "/workspaces/a/hello",
                                request -> Response.of(
                                        200, "application/json", "{\"hello\":\"world\"}".getBytes(US_ASCII))),
                        Route.get("/hello", request -> Response.text(200, "hello"))));
        endpoint = HttpEndpoint.start(
                ANY_PORT,
                Optional.of(tls),
                Hosts.of(ANY_PORT, List.of("strake.example")),
                AccessControl.off(),
                List.of(bulkhead),
                new ForeignApis(List.of()),
                patience);
    }

    @AfterEach
    void stop() {
        if (endpoint != null) {
            endpoint.close();
            tls.close();
        }
    }

    private Path certificate() {
        return directory.resolve("tls.crt");
    }

    private Path key() {
        return directory.resolve("tls.key");
    }

    private void install(Issued issued) throws IOException {
        for (String each : List.of("tls.crt", "tls.key")) {
            Path file = Files.writeString(
                    directory.resolve(each + ".new"), each.equals("tls.crt") ? issued.pem() : issued.key());
            Files.move(file, directory.resolve(each), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldAcceptSafeProtocols(String protocol) throws Exception {
        try (SSLSocket socket = connect(AUTHORITY.client(), "localhost")) {
            socket.setEnabledProtocols(new String[] {protocol});
            assertThat(ask(socket, "/hello", "localhost")).contains("200 OK", "hello");
            assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
        }
    }

    @Test
    void shouldRefuseOlderProtocols() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            // A ClientHello of TLS 1.1 with one cipher that all servers had then; Java itself does not send it.
            String hello =
                    "160301002f" + "0100002b" + "0302" + "00".repeat(32) + "00" + "0002" + "002f" + "0100" + "0000";
            socket.getOutputStream().write(bytes(hello));
            byte[] answer = socket.getInputStream().readAllBytes();
            assertThat(answer.length == 0 || answer[0] == 0x15)
                    .as("an alert or nothing")
                    .isTrue();
        }
    }

    private static byte[] bytes(String hexadecimal) {
        byte[] number = new BigInteger("01" + hexadecimal, 16).toByteArray();
        return java.util.Arrays.copyOfRange(number, 1, number.length);
    }

    @Test
    void shouldAnswerNothingWithoutEncryption() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            socket.getOutputStream().write("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(readAll(socket), US_ASCII)).doesNotContain("hello", "HTTP");
        }
        StateClient client = client("http", Optional.empty());
        assertThatThrownBy(() -> client.ask("a", "hello")).hasMessageContaining("https://");
    }

    private static byte[] readAll(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }

    @Test
    void shouldAnswerOnlyClientsThatTrustItsAuthority() throws Exception {
        SSLContext trusting = TrustedCertificates.context(AUTHORITY.file(directory));
        assertThat(client("https", Optional.of(trusting)).ask("a", "hello").has("hello"))
                .isTrue();
        SSLContext other = TrustedCertificates.context(STRANGER.file(directory));
        assertThatThrownBy(() -> client("https", Optional.of(other)).ask("a", "hello"))
                .hasMessageContaining("--ca-file");
        assertThatThrownBy(() -> client("https", Optional.empty()).ask("a", "hello"))
                .hasMessageContaining("--ca-file");
        install(AUTHORITY.issue(TestAuthority.ask("another.example")));
        await().atMost(Duration.ofMinutes(10))
                .until(() -> tls.context() != null
                        && !serial().equals(first.certificate().getSerialNumber()));
        assertThatThrownBy(() -> client("https", Optional.of(trusting)).ask("a", "hello"))
                .hasMessageContaining("its certificate has the name in --url");
    }

    private StateClient client(String scheme, Optional<SSLContext> trusted) {
        return new StateClient(
                URI.create(scheme + "://127.0.0.1:" + endpoint.port()),
                Duration.ofSeconds(10),
                Optional.empty(),
                trusted);
    }

    @Test
    void shouldReloadTheCertificateAndKeepOpenConnections() throws Exception {
        Issued second = AUTHORITY.issue(TestAuthority.ask("localhost"));
        try (SSLSocket kept = connect(AUTHORITY.client(), "localhost")) {
            assertThat(ask(kept, "/hello", "localhost")).contains("200 OK");
            install(second);
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> serial().equals(second.certificate().getSerialNumber()));
            assertThat(ask(kept, "/hello", "localhost")).contains("200 OK");
            assertThat(((X509Certificate) kept.getSession().getPeerCertificates()[0]).getSerialNumber())
                    .isEqualTo(first.certificate().getSerialNumber());
        }
        assertThat(tls.isOutdated()).isFalse();
    }

    @Test
    void shouldKeepTheCertificateUntilTheNewOneIsUsable() throws Exception {
        Issued second = AUTHORITY.issue(TestAuthority.ask("localhost"));
        Files.writeString(certificate(), second.pem());
        await().atMost(Duration.ofMinutes(10)).until(tls::isOutdated);
        assertThat(serial()).isEqualTo(first.certificate().getSerialNumber());
        Files.writeString(key(), second.key());
        await().atMost(Duration.ofMinutes(10)).until(() -> !tls.isOutdated());
        assertThat(serial()).isEqualTo(second.certificate().getSerialNumber());
    }

    private BigInteger serial() throws IOException {
        try (SSLSocket socket = connect(AUTHORITY.client(), "localhost")) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    @Test
    void shouldAnswerOnlyForTheHostOfTheHandshake() throws Exception {
        try (SSLSocket socket = connect(AUTHORITY.client(), "strake.example")) {
            assertThat(ask(socket, "/hello", "localhost")).contains("421", "MisdirectedRequest");
            assertThat(ask(socket, "/hello", "STRAKE.example:8080")).contains("200 OK");
        }
        try (SSLSocket socket = connect(AUTHORITY.client(), "elsewhere.example")) {
            assertThat(ask(socket, "/hello", "elsewhere.example")).contains("421", "loopback");
        }
        try (SSLSocket socket = connect(AUTHORITY.client(), null)) {
            assertThat(ask(socket, "/hello", "127.0.0.1")).contains("200 OK");
        }
    }

    @Test
    void shouldAcceptForwardedRequestsFromInstancesOnly() throws Exception {
        start(Settings.defaults().with(Catalogue.HTTP_TLS_CA, AUTHORITY.file(directory)));
        try (SSLSocket socket = connect(AUTHORITY.client(), "localhost")) {
            assertThat(ask(socket, "/hello", "localhost")).contains("200 OK");
            assertThat(ask(socket, "/hello", "localhost\r\nStrake-Forwarded: 1"))
                    .contains("403", "NotAnInstance");
        }
        Issued instance = AUTHORITY.issue(TestAuthority.ask("strake-1.strake"));
        try (SSLSocket socket = connect(AUTHORITY.client(instance), "localhost")) {
            assertThat(ask(socket, "/hello", "localhost\r\nStrake-Forwarded: 1"))
                    .contains("200 OK");
        }
        for (Issued wrong : List.of(
                AUTHORITY.issue(TestAuthority.ask("a").forServersAlone()),
                AUTHORITY.issue(TestAuthority.ask("a").expired()),
                STRANGER.issue(TestAuthority.ask("strake-1.strake")))) {
            assertThatThrownBy(() -> askWith(wrong)).isInstanceOf(IOException.class);
        }
    }

    private String askWith(Issued own) throws IOException {
        try (SSLSocket socket = connect(AUTHORITY.client(own), "localhost")) {
            return ask(socket, "/hello", "localhost\r\nStrake-Forwarded: 1");
        } catch (SSLException e) {
            throw new IOException(e);
        }
    }

    @Test
    void shouldCloseAnEndlessHandshakeButNoBusyConnection() throws Exception {
        start(Settings.defaults(), new Patience(Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofMinutes(10)));
        try (Socket drips = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
                SSLSocket busy = connect(AUTHORITY.client(), "localhost")) {
            drips.setSoTimeout(1);
            await().atMost(Duration.ofMinutes(10))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        assertThat(ask(busy, "/hello", "localhost")).contains("200 OK");
                        return !drip(drips);
                    });
            assertThat(ask(busy, "/hello", "localhost")).contains("200 OK");
        }
    }

    private int dripped;

    /* Sends a TLS record byte by byte that announces more bytes than follow. */
    private boolean drip(Socket socket) throws IOException {
        byte[] begin = bytes("1603014000" + "01003ffc" + "0303");
        try {
            socket.getOutputStream().write(dripped < begin.length ? begin[dripped] : 0);
            dripped++;
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void shouldRefuseToStartWithUnusableFiles() throws Exception {
        Files.delete(key());
        Settings settings = Settings.defaults()
                .with(Catalogue.HTTP_TLS_CERTIFICATE, certificate())
                .with(Catalogue.HTTP_TLS_KEY, key());
        assertThatThrownBy(() -> Tls.of(settings))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll("strake.http.tls.certificate", "tls.key cannot be read");
        assertThatThrownBy(() -> Tls.of(Settings.defaults().with(Catalogue.HTTP_TLS_KEY, key())))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("needs a certificate");
        assertThat(Tls.of(Settings.defaults())).isEmpty();
    }

    private SSLSocket connect(SSLContext context, String name) throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", endpoint.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    /* Reads one response by its Content-Length; the connection stays open. */
    private static String ask(SSLSocket socket, String path, String host) throws IOException {
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(US_ASCII));
        StringBuilder head = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after " + head);
            }
            head.append((char) next);
        }
        int length = Integer.parseInt(head.toString().replaceFirst("(?s).*Content-Length: ([0-9]+).*", "$1"));
        return head + new String(in.readNBytes(length), US_ASCII);
    }
}
