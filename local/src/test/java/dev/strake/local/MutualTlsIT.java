package dev.strake.local;

import static dev.strake.local.TwoInstances.WORKSPACES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.Server;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.testing.TestAuthority;
import dev.strake.testing.TestAuthority.Issued;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances that prove to one another who they are. */
class MutualTlsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String SITE = """
            [{"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "%s"},
              "data": {"layerOrder": ["site"]}}]
            """;
    private static final TestAuthority AUTHORITY = TestAuthority.create();
    private static final TestAuthority STRANGER = TestAuthority.create();

    @TempDir
    static Path directory;

    private static TwoInstances both;
    private static Server one;
    private static Server other;

    @BeforeAll
    static void startTwoInstances() throws Exception {
        both = TwoInstances.start(directory, "localhost", MutualTlsIT::secured);
        one = both.one();
        other = both.other();
        both.publishToAll(SITE);
    }

    @AfterAll
    static void stop() {
        both.close();
    }

    private static Settings secured(String name) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Issued issued = AUTHORITY.issue(TestAuthority.ask("localhost"));
        return Settings.defaults()
                .with(Catalogue.THREADS, 1)
                .with(Catalogue.DATA, home.resolve("data"))
                .with(Catalogue.HTTP_TLS_CERTIFICATE, Files.writeString(home.resolve("tls.crt"), issued.pem()))
                .with(Catalogue.HTTP_TLS_KEY, Files.writeString(home.resolve("tls.key"), issued.key()))
                .with(Catalogue.HTTP_TLS_CA, AUTHORITY.file(home));
    }

    private static HttpResponse<String> get(SSLContext as, Server server, String workspace, String... headers)
            throws Exception {
        URI uri = URI.create("https://localhost:" + server.httpPort() + "/workspaces/" + workspace + "/documents");
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TIMEOUT);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newBuilder().sslContext(as).build().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void shouldAnswerClientsWithoutACertificateForEveryWorkspaceWhicheverInstanceIsAsked() throws Exception {
        for (int i = 0; i < WORKSPACES; i++) {
            for (Server each : List.of(one, other)) {
                HttpResponse<String> answer = get(AUTHORITY.client(), each, "site-" + i);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body()).contains("\"name\":\"site-" + i + "\"");
            }
        }
    }

    @Test
    void shouldTakeAQuestionThatIsPassedOnFromAnInstanceAlone() throws Exception {
        String elsewhere = "site-"
                + IntStream.range(0, WORKSPACES)
                        .filter(i -> !one.pipeline().placement().holds("site-" + i))
                        .findFirst()
                        .orElseThrow();
        String[] passedOn = {"Strake-Forwarded", "1"};

        HttpResponse<String> withoutCertificate = get(AUTHORITY.client(), other, elsewhere, passedOn);
        assertThat(withoutCertificate.statusCode()).isEqualTo(403);
        assertThat(withoutCertificate.body()).contains("NotAnInstance").doesNotContain("layerOrder");

        SSLContext instance = AUTHORITY.client(AUTHORITY.issue(TestAuthority.ask("strake-3")));
        assertThat(get(instance, other, elsewhere, passedOn).body()).contains("layerOrder");

        SSLContext stranger = AUTHORITY.client(STRANGER.issue(TestAuthority.ask("strake-3")));
        assertThat(outcome(stranger, elsewhere, passedOn)).doesNotContain("layerOrder");
    }

    @Test
    void shouldTellAnAddressOfHttpsWhereThereIsACertificate() throws Exception {
        Settings settings = secured("alone").with(Catalogue.HTTP_PORT, 0);
        try (LocalServer local = LocalServer.start(settings)) {
            assertThat(local.url()).startsWith("https://127.0.0.1:");
            URI live = URI.create(local.url().replace("127.0.0.1", "localhost") + "/health/live");
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .sslContext(AUTHORITY.client())
                    .build()
                    .send(HttpRequest.newBuilder(live).timeout(TIMEOUT).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }

    /* A certificate of another authority may be refused by the handshake, or count as none. */
    private static String outcome(SSLContext as, String workspace, String... headers) throws Exception {
        try {
            HttpResponse<String> answer = get(as, other, workspace, headers);
            assertThat(answer.statusCode()).isEqualTo(403);
            return answer.body();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
