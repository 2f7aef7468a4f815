package dev.strake.cli.local;

import static dev.strake.cli.StrakeCommand.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.secret.Purpose;
import dev.strake.server.settings.Catalogue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publishing secrets by Kafka, by HTTP and from git. The topic of changes never contains them in clear text. */
class SealedPublishingIT {

    private static final String SECRET = "s3cr3t-t0ken";
    private static final String SITE = """
        schema: deckhand/LayeringPolicy/v1
        metadata: {schema: metadata/Control/v1, name: policy}
        data: {layerOrder: [site]}
        ---
        schema: example/Password/v1
        metadata: {schema: metadata/Document/v1, name: db, storagePolicy: encrypted, layeringDefinition: {layer: site}}
        data: {value: VALUE}
        """;

    @TempDir
    static Path directory;

    @AutoClose
    private static TestStrake server;

    private static String keyset;
    private static String publicKey;

    @BeforeAll
    static void start() throws Exception {
        keyset = directory.resolve("keyset").toString();
        run(ExitCode.FINE, "keys", "create", keyset);
        publicKey = Files.writeString(directory.resolve("public"), run(ExitCode.FINE, "keys", "public", keyset))
                .toString();
        server = TestStrake.start(
                directory.resolve("data"),
                settings ->
                        settings.with(Catalogue.SECRETS_KEYSET, Path.of(keyset)).with(Catalogue.REQUIRE_SEALED, true));
    }

    private static String file(String name, String value) throws Exception {
        return Files.writeString(directory.resolve(name), SITE.replace("VALUE", value))
                .toString();
    }

    private static String overKafka(int code, String command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(command, "-w", "site-a"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--bootstrap-servers", server.bootstrapServers()));
        return run(code, all.toArray(String[]::new));
    }

    private static String overHttp(int code, String command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(command, "-w", "site-a", "--url", server.url()));
        all.addAll(List.of(arguments));
        return run(code, all.toArray(String[]::new));
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @Test
    void shouldRefuseToCompareRevisionsWithoutTheirKey() throws Exception {
        for (String value : List.of("one", "two")) {
            assertThat(send("PUT", "/workspaces/site-k/buckets/default", SITE.replace("VALUE", value))
                            .statusCode())
                    .isEqualTo(200);
        }
        Keyset rotated = KeysetFile.read(Path.of(keyset)).keyset().rotated(Purpose.STORAGE);
        Keyset without = rotated;
        for (Keyset.Key key : rotated.keys()) {
            without = key.state() == Keyset.State.OLD ? without.without(key.id()) : without;
        }
        String comparison = "/workspaces/site-k/diff/1/2?changes=true";
        assertThat(send("GET", comparison, "").statusCode()).isEqualTo(200);

        new KeysetFile(without, Optional.empty()).replace(Path.of(keyset));
        try {
            await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
                HttpResponse<String> answer = send("GET", comparison, "");
                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(answer.body()).contains("\"code\":\"SecretKeyNotFound\"", "is not in the keyset");
            });
            CapturedTerminal terminal = CapturedTerminal.pipe();
            List<String> verify = List.of("verify", "-w", "site-k", "--url", server.url(), "--secrets-keyset", keyset);
            List<String> cluster = List.of("--bootstrap-servers", server.bootstrapServers());
            int code = Strake.run(
                    terminal.terminal(),
                    Stream.of(verify, cluster).flatMap(List::stream).toArray(String[]::new));
            assertThat(code).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
            assertThat(terminal.out()).as("it is not known what differs").isEmpty();
            assertThat(terminal.err()).contains("[example/Password/v1, site, db]", "Put the key back");
        } finally {
            new KeysetFile(rotated, Optional.empty()).replace(Path.of(keyset));
        }
        await().atMost(Duration.ofMinutes(10))
                .untilAsserted(() ->
                        assertThat(send("GET", comparison, "").statusCode()).isEqualTo(200));
    }

    @Test
    void shouldLeaveNoClearTextInTheTopicHoweverSecretsArrive() throws Exception {
        String first = file("first.yaml", SECRET + "-1");
        String second = file("second.yaml", SECRET + "-2");

        assertThat(overKafka(ExitCode.FINE, "publish", "--public-key", publicKey, "--wait", first))
                .contains("rendered");
        assertThat(overHttp(ExitCode.FINE, "publish", "--wait", first)).contains("unchanged");
        assertThat(overHttp(ExitCode.FINE, "plan", first)).doesNotContain(SECRET);
        assertThat(overHttp(ExitCode.DIFFERENT_OR_INVALID, "plan", "--public-key", publicKey, second))
                .contains("db")
                .doesNotContain(SECRET);
        assertThat(overHttp(ExitCode.FINE, "get", "rendered", "--cleartext-secrets", "-o", "yaml"))
                .contains(SECRET + "-1");

        String sealed = run(ExitCode.FINE, "seal", "-w", "site-a", "--public-key", publicKey, second);
        assertThat(sealed).contains("$sealed").doesNotContain(SECRET);
        String kept =
                Files.writeString(directory.resolve("sealed.yaml"), sealed).toString();
        assertThat(overKafka(ExitCode.FINE, "publish", "--wait", kept)).contains("rendered");
        assertThat(overHttp(ExitCode.FINE, "publish", "--wait", second)).contains("unchanged");

        HttpResponse<String> put =
                send("PUT", "/workspaces/site-a/buckets/default", SITE.replace("VALUE", SECRET + "-3"));
        assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
        assertThat(put.body()).contains("\"status\":\"rendered\"").doesNotContain(SECRET);
        String escaped = SITE.replace("VALUE", SECRET + "-4")
                .replace("storagePolicy: encrypted", "storagePolicy: \"\\x65ncrypted\"");
        assertThat(send("PUT", "/workspaces/site-a/buckets/default", escaped).body())
                .contains("\"status\":\"rendered\"");

        assertThat(overKafka(ExitCode.FINE, "verify", "--url", server.url(), "--secrets-keyset", keyset))
                .contains("equal");
        overKafka(ExitCode.USAGE, "verify", "--url", server.url());
        assertThat(records("strake.document-changes")).hasSizeGreaterThan(5);
        assertThat(records("strake.rendered-documents"))
                .hasSizeGreaterThan(3)
                .anyMatch(each -> each.contains("******"));
        for (String topic : List.of("document-changes", "rendered-documents", "outcomes", "render-problems")) {
            assertThat(records("strake." + topic)).as(topic).noneMatch(each -> each.contains(SECRET));
        }
        assertThat(overKafka(ExitCode.FINE, "watch", "--from-beginning", "--count", "3", "--cleartext-secrets"))
                .contains("****** ");
    }

    @Test
    void shouldRefuseClearTextFromKafka() throws Exception {
        String clear = Files.writeString(directory.resolve("clear.yaml"), SITE.replace("VALUE", "in-clear-text"))
                .toString();
        String[] command = {"publish", "-w", "site-b", "--wait", clear, "--bootstrap-servers", server.bootstrapServers()
        };

        assertThat(run(ExitCode.DIFFERENT_OR_INVALID, command)).contains("rejected");
        assertThat(send("GET", "/secrets/public-key", "").body()).isEqualTo(Files.readString(Path.of(publicKey)));
    }

    private static List<String> records(String topic) {
        return server.read(topic).stream()
                .map(record -> record.value() == null ? "" : new String(record.value(), UTF_8))
                .toList();
    }
}
