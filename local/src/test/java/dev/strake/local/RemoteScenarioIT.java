package dev.strake.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.strake.local.deploy.AsyncApi;
import dev.strake.testing.GitServer;
import dev.strake.testing.S3Stub;
import dev.strake.testing.SourceServer;
import dev.strake.testing.kubernetes.TestCluster;
import dev.strake.testing.kubernetes.TestCluster.Received;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From sources over HTTP, S3 and git to a cluster, with everything real in between: a broker, the pipeline, a fetcher and an
 * applier in processes of their own. One run, told from its begin to its end.
 */
class RemoteScenarioIT {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String WORKSPACE = "site-a";
    private static final int DOCUMENTS = 50;

    /* Secrets of the document Secret/source, by their keys. */
    private static final String IN_HEADER = "planted-header-5d1e"; // by secretKeyRef
    private static final String FROM_MAP = "planted-from-map-c3a9"; // by headersFrom
    private static final String PASSWORD = "planted-password-88f2"; // of git
    private static final String WRONG = "planted-wrong-61dd"; // of git and of S3
    private static final String BASIC = basic(PASSWORD);

    /* In the query of a URL; in what is fetched; in an answer that is an error. */
    private static final String IN_QUERY = "planted-query-77b0";
    private static final String IN_DOCUMENT = "cGxhbnRlZC1kb2N1bWVudA==";
    private static final String IN_ANSWER = "planted-answer-03ce";

    private static final List<String> PLANTED = Stream.of(
                    Stream.of(IN_HEADER, FROM_MAP, PASSWORD, WRONG, S3Stub.SECRET)
                            .flatMap(secret -> Stream.of(secret, base64(secret))),
                    Stream.of(BASIC, base64(BASIC), basic(WRONG), base64(basic(WRONG))),
                    Stream.of(IN_QUERY, IN_DOCUMENT, "planted-document", IN_ANSWER),
                    // the token with which the applier talks to the cluster
                    Stream.of("planted-token"))
            .flatMap(each -> each)
            .toList();

    /** Topics of documents: a secret is published as it is unless an installation has a keyset. */
    private static final Set<String> OF_CONTENT = Set.of("strake.document-changes", "strake.rendered-documents");

    @TempDir
    Path directory;

    private final Map<String, Process> started = new LinkedHashMap<>();
    private final Map<Integer, String> values = new TreeMap<>();
    private int groups;
    private TestStrake strake;
    private TestCluster api;
    private SourceServer source;
    private SourceServer elsewhere;
    private S3Stub bucket;
    private Git repository;
    private GitServer git;

    @BeforeEach
    void start() throws Exception {
        strake = TestStrake.start(directory.resolve("data"));
        api = TestCluster.start();
        source = new SourceServer();
        elsewhere = new SourceServer();
        bucket = new S3Stub();
        bucket.objects.put("site/one.yaml", map("of-s3", "good"));
        Path origin = directory.resolve("origin");
        repository = Git.init()
                .setDirectory(origin.toFile())
                .setInitialBranch("main")
                .call();
        Files.writeString(origin.resolve("one.yaml"), map("of-git", "good"));
        repository.add().addFilepattern(".").call();
        repository
                .commit()
                .setMessage("one")
                .setAuthor("a", "a@example.org")
                .setSign(false)
                .call();
        git = new GitServer(repository.getRepository(), BASIC);
        for (int i = 0; i < DOCUMENTS - 1; i++) {
            values.put(i, "0");
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : started.values()) {
            process.destroyForcibly().waitFor();
        }
        bucket.close();
        git.close();
        repository.close();
        source.close();
        elsewhere.close();
        api.close();
        strake.close();
    }

    @Test
    void shouldBringASourceToAClusterAndHoldWhateverFails() throws Exception {
        Map<String, SourceServer.Answering> failures = failures();
        failures.keySet().forEach(name -> source.text("/" + name, map(name, "good")));
        serveSite();
        publishResources(failures.keySet());
        startFetcher();
        startApplier();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(applied()).hasSize(DOCUMENTS + failures.size() + 2));

        for (String refused : List.of("s3-refused", "git-refused")) {
            await().atMost(PATIENCE).until(() -> isFailed(status().get(refused)));
        }

        // one document of fifty changes: one record, one request
        long records = records();
        api.requests();
        values.put(7, "1");
        serveSite();
        await().atMost(PATIENCE).until(() -> "1".equals(value("m7")));
        assertThat(records()).isEqualTo(records + 1);
        assertThat(api.objectRequests()).extracting(Received::toString).containsExactly("PATCH " + api.maps() + "m7");

        // an unchanged source is not sent again, and is no change
        int outcomes = outcomes();
        awaitAnswers("/site", 304, 3);
        assertThat(outcomes()).isEqualTo(outcomes);

        // killed with the content in its hands: nothing is lost, and nothing comes twice
        values.put(8, "2");
        serveSite();
        source.on("/site", killing("fetch"));
        started.get("fetch").waitFor();
        serveSite();
        startFetcher();
        await().atMost(PATIENCE).until(() -> "2".equals(value("m8")));
        assertThat(records()).isEqualTo(records + 2);
        assertThat(outcomes()).isEqualTo(outcomes + 1);

        // whatever fails is told, and leaves all as it was
        failures.forEach((name, answering) -> source.on("/" + name, answering));
        await().atMost(PATIENCE).untilAsserted(() -> {
            Map<String, JsonNode> status = status();
            for (String name : failures.keySet()) {
                assertThat(status.get(name).path("state").asText()).as(name).isIn("failed", "held");
                assertThat(status.get(name).path("problem").path("code").asText())
                        .as(name)
                        .isEqualTo(code(name));
                assertThat(status.get(name).path("lastSuccess").asText())
                        .as(name)
                        .isNotEmpty();
            }
        });
        assertThat(records()).isEqualTo(records + 2);
        failures.keySet().forEach(name -> assertThat(value(name)).as(name).isEqualTo("good"));
        assertThat(elsewhere.asked("/b"))
                .isNotEmpty()
                .allSatisfy(asked -> assertThat(asked.headers().toString()).doesNotContain(PLANTED));

        // a document leaves the source: that tombstone, that deletion, and the applier's own list of what it has
        api.requests();
        values.remove(48);
        serveSite();
        await().atMost(PATIENCE).until(() -> value("m48") == null);
        assertThat(records()).isEqualTo(records + 3);
        List<String> writes = new ArrayList<>();
        await().atMost(PATIENCE).untilAsserted(() -> {
            api.objectRequests().stream()
                    .filter(Received::writes)
                    .map(Received::toString)
                    .forEach(writes::add);
            assertThat(writes)
                    .containsExactly("DELETE " + api.maps() + "m48", "PUT " + api.maps() + "strake-" + WORKSPACE);
        });

        searchForWhatWasPlanted();
    }

    /* What Prometheus sees of a program: at the port that it names in its log last. */
    private String metrics(String program) throws Exception {
        Matcher address =
                Pattern.compile("Metrics: (\\S+)").matcher(Files.readString(directory.resolve(program + ".log")));
        String last = "";
        while (address.find()) {
            last = address.group(1);
        }
        String text = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(last)).build(), BodyHandlers.ofString())
                .body();
        assertThat(text).as(program).doesNotContain(PLANTED);
        return text;
    }

    /** What a source may answer instead of documents, by the name of the resource that asks for it. */
    private Map<String, SourceServer.Answering> failures() throws IOException {
        Map<String, SourceServer.Answering> failures = new LinkedHashMap<>();
        for (int status : new int[] {401, 403, 404, 500}) {
            failures.put("status-" + status, answer(status, IN_ANSWER));
        }
        // Whoever comes to another port comes without the header.
        elsewhere.on("/b", answer(401, IN_ANSWER));
        failures.put("moved", exchange -> {
            exchange.getResponseHeaders().set("Location", elsewhere.url("/b"));
            exchange.sendResponseHeaders(302, -1);
            return 302;
        });
        failures.put("slow", exchange -> {
            try {
                Thread.sleep(PATIENCE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        });
        failures.put("reset", exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write("schema: ".getBytes(UTF_8));
            throw new IOException("as if the connection broke");
        });
        failures.put("endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] line = "# and so on\n".repeat(1_000).getBytes(UTF_8);
            while (true) {
                exchange.getResponseBody().write(line);
            }
        });
        failures.put("html", answer(200, "<!DOCTYPE html><html><body>" + IN_ANSWER + ": please</body></html>"));
        failures.put("empty", answer(200, ""));
        failures.put("truncated", answer(200, "{\"apiVersion\": \"v1\", \"kind\": \"" + IN_ANSWER));
        failures.put("duplicate-keys", answer(200, "apiVersion: v1\napiVersion: " + IN_ANSWER + "\n"));
        failures.put("alias-bomb", answer(200, bomb()));
        failures.put("gzip", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            return SourceServer.send(exchange, 200, "no gzip".getBytes(UTF_8));
        });
        failures.put("large", answer(200, "# comment\n".repeat(500_000)));
        return failures;
    }

    private static String code(String name) {
        return switch (name) {
            case "slow", "reset" -> "SourceUnreachable";
            case "endless", "large" -> "SourceTooLarge";
            case "html", "truncated", "duplicate-keys", "alias-bomb" -> "InvalidContent";
            case "empty" -> "Held";
            default -> "SourceAnswer";
        };
    }

    private static SourceServer.Answering answer(int status, String text) {
        return exchange -> SourceServer.send(exchange, status, text.getBytes(UTF_8));
    }

    private static String bomb() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", Collections.nCopies(9, "*a" + (i - 1)))));
        }
        return bomb.toString();
    }

    /* The source answers, and whoever asked is dead when the answer comes. */
    private SourceServer.Answering killing(String process) {
        String site = site();
        return exchange -> {
            Process running = started.get(process);
            running.destroyForcibly();
            try {
                running.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return SourceServer.send(exchange, 200, site.getBytes(UTF_8));
        };
    }

    private void serveSite() {
        source.text("/site", site());
    }

    private String site() {
        StringBuilder yaml = new StringBuilder();
        values.forEach((number, value) -> yaml.append(map("m" + number, value)));
        return yaml.append("""
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: s}
            data: {password: %s}
            """.formatted(IN_DOCUMENT)).toString();
    }

    private static String map(String name, String value) {
        return """
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s}
            data: {value: "%s"}
            """.formatted(name, value);
    }

    private void publishResources(Set<String> failures) {
        StringBuilder yaml = new StringBuilder("""
            ---
            schema: kubernetes/Object/v1
            metadata:
              schema: metadata/Document/v1
              name: Secret/source
              storagePolicy: encrypted
              layeringDefinition: {layer: site}
            data:
              apiVersion: v1
              kind: Secret
              metadata: {name: source}
              data: {token: %s, id: %s, key: %s, basic: %s, wrong: %s, wrong-basic: %s}
            ---
            schema: kubernetes/Object/v1
            metadata:
              schema: metadata/Document/v1
              name: Secret/headers
              storagePolicy: encrypted
              layeringDefinition: {layer: site}
            data:
              apiVersion: v1
              kind: Secret
              metadata: {name: headers}
              data: {X-From-Map: %s}
            """.formatted(
                        base64(IN_HEADER),
                        base64(S3Stub.ID),
                        base64(S3Stub.SECRET),
                        base64(BASIC),
                        base64(WRONG),
                        base64(basic(WRONG)),
                        base64(FROM_MAP)));
        yaml.append(resource("site"));
        failures.forEach(name -> yaml.append(resource(name)));
        yaml.append(ofS3("s3", "key")).append(ofS3("s3-refused", "wrong"));
        yaml.append(ofGit("git", "basic")).append(ofGit("git-refused", "wrong-basic"));
        strake.publish(WORKSPACE, yaml.toString(), "-b", "by-hand");
    }

    private String resource(String name) {
        return resource(name, "generic", "", """
            url: %s?key=%s
                  headers:
                    X-Token: {valueFrom: {secretKeyRef: {name: source, key: token}}}
                  headersFrom:
                  - secretMapRef: {name: headers}
            """.formatted(source.url("/" + name), IN_QUERY));
    }

    private String ofS3(String name, String key) {
        return resource(name, "s3", """
            auth:
                hmac:
                  accessKeyIdRef: {valueFrom: {secretKeyRef: {name: source, key: id}}}
                  secretAccessKeyRef: {valueFrom: {secretKeyRef: {name: source, key: %s}}}
            """.formatted(key).strip(), "url: " + bucket.url("/bucket/site/"));
    }

    private String ofGit(String name, String key) {
        return resource(name, "git", "", """
            git: {provider: git, repo: '%s', branch: main, filePath: one.yaml}
                  headers:
                    Authorization: {valueFrom: {secretKeyRef: {name: source, key: %s}}}
            """.formatted(git.url(), key));
    }

    private static String resource(String name, String backend, String more, String options) {
        return """
            ---
            schema: razee/RemoteResource/v1alpha2
            metadata:
              schema: metadata/Document/v1
              name: %s
              storagePolicy: encrypted
              layeringDefinition: {layer: site}
            data:
              backendService: %s
              interval: 1s
              %s
              requests:
              - options:
                  %s
            """.formatted(name, backend, more, options.strip());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String basic(String password) {
        return "Basic " + base64("ada:" + password);
    }

    /* Each in a group of its own: the place of one that was killed would be free only after 15 s. */
    private void startFetcher() throws IOException {
        start(
                "fetch",
                "--group",
                "group-" + groups++,
                "--allow-private",
                "127.0.0.1",
                "--max-bytes",
                "200000",
                "--metrics-port",
                "0",
                "--source-timeout",
                "5",
                "--state",
                directory.resolve("state").toString());
    }

    private void startApplier() throws IOException {
        start(
                "apply",
                "-w",
                WORKSPACE,
                "--kubernetes",
                "--kubeconfig",
                api.kubeconfig(directory).toString(),
                "--metrics-port",
                "0",
                "--results",
                "--name",
                "here");
    }

    private void start(String command, String... options) throws IOException {
        String[] line = Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
        started.put(command, strake.program(directory.resolve(command + ".log"), line));
    }

    /** Documents that the cluster has, by the applier's own account. */
    private Map<String, JsonNode> applied() throws Exception {
        Map<String, JsonNode> applied = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> each : strake.read("strake.apply-results")) {
            if (each.value() == null) {
                applied.remove(new String(each.key(), UTF_8));
            } else {
                applied.put(new String(each.key(), UTF_8), TestCluster.JSON.readTree(each.value()));
            }
        }
        applied.values().removeIf(result -> !result.path("status").asText().equals("applied"));
        applied.keySet().removeIf(key -> key.endsWith("|Secret/source") || key.endsWith("|Secret/headers"));
        return applied;
    }

    private static boolean isFailed(JsonNode status) {
        return status != null && status.path("state").asText().equals("failed");
    }

    private Map<String, JsonNode> status() throws Exception {
        Map<String, JsonNode> status = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> each : strake.read("strake.remote-resource-status")) {
            JsonNode document = TestCluster.JSON.readTree(each.value());
            status.put(document.at("/metadata/name").asText(), document.path("data"));
        }
        return status;
    }

    private long records() {
        return strake.read("strake.rendered-documents").size();
    }

    private int outcomes() {
        return strake.read("strake.outcomes").size();
    }

    private String secrets() {
        return "/api/v1/namespaces/" + api.namespace() + "/secrets/";
    }

    private String value(String name) {
        JsonNode object = api.object(api.maps() + name);
        return object == null ? null : object.path("data").path("value").asText();
    }

    private void awaitAnswers(String path, int status, int more) {
        long before = answers(path, status);
        await().atMost(PATIENCE).until(() -> answers(path, status) >= before + more);
    }

    private long answers(String path, int status) {
        return source.asked(path).stream()
                .filter(asked -> asked.status() == status)
                .count();
    }

    private void searchForWhatWasPlanted() throws Exception {
        assertThat(source.asked("/site")).allSatisfy(asked -> {
            assertThat(asked.header("X-token")).isEqualTo(IN_HEADER);
            assertThat(asked.header("X-from-map")).isEqualTo(FROM_MAP);
            assertThat(asked.query()).isEqualTo("key=" + IN_QUERY);
        });
        assertThat(api.object(secrets() + "s").at("/data/password").asText()).isEqualTo(IN_DOCUMENT);
        api.change(secrets() + "s", object -> {
            object.remove("data");
            return object;
        });
        api.remove(secrets() + "source");
        api.remove(secrets() + "headers");
        assertThat(api.objects().toString())
                .as("objects, but for the data of secrets")
                .doesNotContain(PLANTED);
        try (Stream<Path> files = Files.walk(directory.resolve("state"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, ISO_8859_1))
                        .as(file::toString)
                        .doesNotContain(PLANTED);
            }
        }

        for (String command : started.keySet()) {
            assertThat(Files.readString(directory.resolve(command + ".log")))
                    .as(command)
                    .isNotEmpty()
                    .doesNotContain(PLANTED);
        }
        for (String kind : List.of("outcomes", "problems", "revisions", "buckets")) {
            String[] from = kind.equals("outcomes")
                    ? new String[] {"--bootstrap-servers", strake.bootstrapServers()}
                    : new String[] {"--url", strake.url()};
            assertThat(StrakeCommand.run(0, "get", kind, "-w", WORKSPACE, from[0], from[1], "-o", "json"))
                    .as(kind)
                    .doesNotContain(PLANTED);
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(metrics("fetch"))
                    .contains("strake_fetch_attempts_total{code=\"SourceTooLarge\",state=\"failed\"}")
                    .contains("strake_fetch_resources{state=\"ok\"} 3.0")
                    .contains("strake_fetch_resources{state=\"held\"} 1.0")
                    .contains("strake_fetch_trouble_seconds{resource=\"slow\",state=\"failed\",workspace=\"site-a\"}")
                    .containsPattern("strake_fetch_bytes_total [1-9]");
            assertThat(metrics("apply"))
                    .contains("strake_apply_behind_seconds{workspace=\"site-a\"} 0.0")
                    .contains("strake_apply_changes_total{kind=\"remove\"} 1.0")
                    .contains("strake_apply_api_requests_total{code=\"200\",method=\"PATCH\"} 2.0");
        });
        AsyncApi described = AsyncApi.read();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", strake.bootstrapServers()))) {
            for (String topic : admin.listTopics().names().get()) {
                boolean isInternal = topic.endsWith("-changelog");
                for (ConsumerRecord<byte[], byte[]> each : strake.read(topic)) {
                    if (topic.startsWith("strake.")) {
                        assertThat(described.violations(described.messageOf(each), each))
                                .as(topic)
                                .isEmpty();
                    }
                    if (!isInternal && !OF_CONTENT.contains(topic)) {
                        assertThat(each.value() == null ? "" : new String(each.value(), UTF_8))
                                .as(topic)
                                .doesNotContain(PLANTED);
                    }
                }
            }
        }
    }
}
