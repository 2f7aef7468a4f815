package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.client.RenderedDocuments;
import dev.strake.client.SecretsFromService;
import dev.strake.client.StateClient;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.kafka.KafkaSettings;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consumers of records with references get the values from the service, in the revision of each record. */
class SecretsFromServiceIT {

    private static final String SITE = """
        schema: deckhand/LayeringPolicy/v1
        metadata: {schema: metadata/Control/v1, name: policy}
        data: {layerOrder: [site]}
        ---
        schema: example/Password/v1
        metadata: {schema: metadata/Document/v1, name: db, storagePolicy: encrypted, layeringDefinition: {layer: site}}
        data: {value: VALUE, "odd key[]": [1, VALUE]}
        ---
        schema: example/Clear/v1
        metadata: {schema: metadata/Document/v1, name: clear, storagePolicy: cleartext, layeringDefinition: {layer: site}}
        data: {value: readable}
        ---
        schema: example/Chart/v1
        metadata:
          schema: metadata/Document/v1
          name: chart
          storagePolicy: cleartext
          layeringDefinition: {layer: site}
          substitutions: [{src: {schema: example/Password/v1, name: db, path: .value}, dest: {path: .password}}]
        data: {image: "web:1"}
        """;

    @TempDir
    static Path directory;

    private static final Token PUBLISHER = Token.create();
    private static final Token AUDITOR = Token.create();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @AutoClose
    private static TestStrake server;

    @BeforeAll
    static void start() throws Exception {
        Path tokens = Files.writeString(
                directory.resolve("tokens"),
                PUBLISHER.line("publisher", List.of(Grant.parse("publisher@*"))) + "\n"
                        + AUDITOR.line("auditor", List.of(Grant.parse("secrets-reader@*"))) + "\n");
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        server = TestStrake.start(
                directory.resolve("data"),
                settings -> settings.with(Catalogue.ACCESS_TOKENS, tokens)
                        .with(Catalogue.SECRETS_KEYSET, keyset)
                        .with(Catalogue.SECRETS_OUTPUT, "references"));
        for (String value : List.of("first-t0ken", "second-t0ken")) {
            HttpResponse<String> answer =
                    send("PUT", "/workspaces/site-a/buckets/all", PUBLISHER, SITE.replace("VALUE", value));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> send(String method, String path, Token token, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + token.secret())
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    private static CapturedTerminal watch(int code, String... arguments) {
        List<String> all = new ArrayList<>(List.of("watch", "-w", "site-a", "--from-beginning", "--count", "6"));
        all.addAll(List.of("-o", "json", "--bootstrap-servers", server.bootstrapServers()));
        all.addAll(List.of(arguments));
        CapturedTerminal terminal = CapturedTerminal.pipe().run(code, all.toArray(String[]::new));
        return terminal;
    }

    @Test
    void shouldShowClearTextOfEachRevisionFromTheService() {
        CapturedTerminal shown =
                watch(ExitCode.FINE, "--cleartext-secrets", "--url", server.url(), "--token", AUDITOR.secret());

        List<String> passwords = shown.out()
                .lines()
                .filter(line -> line.contains("example/Password/v1") && !line.contains("example/Chart/v1"))
                .toList();
        assertThat(passwords).hasSize(2);
        assertThat(passwords.get(0)).contains("{\"value\":\"first-t0ken\",\"odd key[]\":[1,\"first-t0ken\"]}");
        assertThat(passwords.get(1)).contains("{\"value\":\"second-t0ken\",\"odd key[]\":[1,\"second-t0ken\"]}");
        assertThat(shown.out()).contains("readable").doesNotContain("cleartext-secrets=true");
    }

    @Test
    void shouldShowReferencesWithAHintWithoutAService() {
        CapturedTerminal shown = watch(ExitCode.FINE, "--cleartext-secrets");

        assertThat(shown.out()).contains("cleartext-secrets=true#").doesNotContain("t0ken");
        assertThat(shown.err()).containsOnlyOnce("--url reads them from a running Strake");
        assertThat(watch(ExitCode.FINE).err()).doesNotContain("--url");
    }

    @Test
    void shouldReportEncryptedStorageWhileSecretsAreHidden() {
        String hidden = "\"storagePolicy\":\"encrypted\"";
        String open = "\"storagePolicy\":\"cleartext\"";

        assertThat(watch(ExitCode.FINE).out().lines().filter(line -> line.contains("example/Chart/v1")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains(hidden));
        assertThat(watch(ExitCode.FINE, "--cleartext-secrets", "--url", server.url(), "--token", AUDITOR.secret())
                        .out()
                        .lines()
                        .filter(line -> line.contains("example/Chart/v1")))
                .allSatisfy(line -> assertThat(line).contains(open));
    }

    @Test
    void shouldShowNothingWithoutPermissionForSecrets() {
        CapturedTerminal shown =
                watch(ExitCode.USAGE, "--cleartext-secrets", "--url", server.url(), "--token", PUBLISHER.secret());

        assertThat(shown.out()).doesNotContain("t0ken");
        assertThat(shown.err()).contains("secrets-reader@site-a");
    }

    @Test
    void shouldResolveEachReferenceToItsValue() throws Exception {
        MapValue data = (MapValue) last().document().orElseThrow().get("data");
        Value listed = ((ListValue) data.get("odd key[]")).get(1);

        for (Value reference : List.of(data.get("value"), listed)) {
            String address = ((Text) reference).value();
            HttpResponse<String> answer = send("GET", address.substring(0, address.indexOf('#')), AUDITOR, "");
            MapValue body = (MapValue) JsonReader.read(answer.body());
            MapValue item = (MapValue) ((ListValue) body.get("items")).get(0);
            assertThat(((MapValue) ((ListValue) item.get("selected")).get(0)).get("value"))
                    .isEqualTo(new Text("second-t0ken"));
            assertThat(send("GET", address.substring(0, address.indexOf('#')), PUBLISHER, "")
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void shouldResolveTheReferencesOfARecordForPrograms() throws Exception {
        StateClient service = new StateClient(
                URI.create(server.url()), Duration.ofSeconds(30), Optional.of(AUDITOR.secret()), Optional.empty());
        RenderedRecord record = last();

        RenderedRecord clear = new SecretsFromService(service).inClear(record);

        assertThat(((MapValue) clear.document().orElseThrow().get("data")).get("value"))
                .isEqualTo(new Text("second-t0ken"));
        assertThat(clear.document().orElseThrow().without("data"))
                .isEqualTo(record.document().orElseThrow().without("data"));
    }

    /* Returns the latest record of the password. */
    private static RenderedRecord last() throws Exception {
        RenderedRecord[] last = new RenderedRecord[1];
        try (RenderedDocuments documents = new RenderedDocuments(
                KafkaSettings.of(server.bootstrapServers()).cluster(),
                "strake.",
                "site-a",
                true,
                Duration.ofSeconds(30))) {
            documents.readToEnd(Duration.ofMinutes(1), received -> {
                if (received.message().key().text().contains("Password")) {
                    last[0] = received.message();
                }
            });
        }
        return last[0];
    }
}
