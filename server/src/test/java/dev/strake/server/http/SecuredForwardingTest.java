package dev.strake.server.http;

import static dev.strake.server.http.TestRequests.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.server.access.AccessControl;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.tls.Tls;
import dev.strake.testing.TestAuthority;
import dev.strake.testing.TestAuthority.Issued;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances with and without mutual TLS. */
class SecuredForwardingTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final TestAuthority AUTHORITY = TestAuthority.create();
    private static final Request QUESTION = TestRequests.of("/workspaces/a/documents", Map.of(), Map.of())
            .with(Map.of("Authorization", "Bearer planted")::get);

    @TempDir
    Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Tls tls(TestAuthority authority, String... names) throws Exception {
        Issued issued = authority.issue(TestAuthority.ask(names));
        Path certificate =
                Files.writeString(Files.createTempFile(directory, "tls", ".pem"), issued.pem() + issued.key());
        Tls tls = Tls.of(Settings.defaults()
                        .with(Catalogue.HTTP_TLS_CERTIFICATE, certificate)
                        .with(Catalogue.HTTP_TLS_CA, authority.file(directory)))
                .orElseThrow();
        open.add(tls);
        return tls;
    }

    /* An instance that responds with the token of the request. */
    private String owner(Tls tls) throws Exception {
        Route route = Route.get(
                "/workspaces/{workspace}/documents",
                request -> Response.text(200, request.header("Authorization").orElse("none")));
        HttpEndpoint endpoint = HttpEndpoint.start(
                ANY_PORT,
                Optional.of(tls),
                Hosts.of(ANY_PORT, List.of()),
                AccessControl.off(),
                List.of(new Bulkhead(1, 2, List.of(route))),
                List.of());
        open.add(endpoint);
        return "127.0.0.1:" + endpoint.port();
    }

    @Test
    void shouldForwardARequestAndItsTokenToATrustedInstance() throws Exception {
        String owner = owner(tls(AUTHORITY, "127.0.0.1"));
        Response answer = new Forwarding(Optional.of(tls(AUTHORITY, "strake-1.strake")), 2).ask(owner, QUESTION);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(read(answer)).isEqualTo("Bearer planted");
    }

    @Test
    void shouldSendNoTokenToAnUntrustedInstance() throws Exception {
        Forwarding forwarding = new Forwarding(Optional.of(tls(AUTHORITY, "strake-1.strake")), 2);
        for (String other :
                List.of(owner(tls(TestAuthority.create(), "127.0.0.1")), owner(tls(AUTHORITY, "strake-2.strake")))) {
            RefusedException refused =
                    catchThrowableOfType(RefusedException.class, () -> forwarding.ask(other, QUESTION));
            assertThat(refused.instead().status()).isEqualTo(503);
            assertThat(read(refused.instead()))
                    .contains("OwnerNotTrusted", "strake.http.tls.ca")
                    .doesNotContain("planted");
        }
    }

    @Test
    void shouldRefuseARequestFromAForeignInstance() throws Exception {
        TestAuthority others = TestAuthority.create();
        String owner = owner(tls(AUTHORITY, "127.0.0.1"));
        Forwarding forwarding = new Forwarding(Optional.of(tls(others, "strake-1.strake")), 2);
        assertThatThrownBy(() -> forwarding.ask(owner, QUESTION)).isInstanceOf(RefusedException.class);
    }
}
