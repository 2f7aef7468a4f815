package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.client.ChangePublisher;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.kafka.KafkaSettings;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State over HTTP during processing, and of workspaces larger than the heap. */
@Order(1) // slow: starts first
class StateReadingIT {

    private static final int READERS = 10;

    /** The number of documents of 2 KB in the large workspace. docs/reliability.md has a run with 100,000. */
    private static final int LARGE = Integer.getInteger("strake.documents", 10_000);

    private static final int AT_ONCE = 2_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String POLICY = """
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
             "data": {"layerOrder": ["site"]}}""";

    @TempDir
    static Path directory;

    private static final TestStrake strake = TestStrake.shared();

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService readers = Executors.newFixedThreadPool(READERS);

    @Test
    void shouldAnswerPageByPage() throws Exception {
        URI base = URI.create(strake.url() + "/workspaces/paged/");
        publish("strake.", "paged", "p1", ChangeType.BUCKET_PUT, documents("d", 0, 25, 1));
        publish("strake.", "paged", "p2", ChangeType.DOCUMENTS_PUT, "[" + document("more", 0, 1) + "]");
        for (String list : List.of("documents", "rendered", "revisions", "buckets", "problems")) {
            List<JsonNode> paged = new ArrayList<>();
            String after = "";
            do {
                JsonNode page =
                        JSON.readTree(get(base, list + "?limit=7" + after).body());
                assertThat(page.get("items").size()).isLessThanOrEqualTo(7);
                page.get("items").forEach(paged::add);
                after = page.has("next") ? "&after=" + page.get("next").asText() : "";
            } while (!after.isEmpty());
            List<JsonNode> all = new ArrayList<>();
            JSON.readTree(get(base, list).body()).get("items").forEach(all::add);
            assertThat(paged).as(list).isEqualTo(all);
        }
        List<Value> read = new ArrayList<>();
        new StateClient(base, Duration.ofSeconds(60), Optional.empty(), Optional.empty())
                .list("paged", "documents", List.of(new StateClient.Parameter("revision", "1")))
                .items()
                .forEach(read::add);
        assertThat(read).hasSize(26);
        assertThat(get(base, "documents?after=nonsense").statusCode()).isEqualTo(400);
        assertThat(get(base, "documents?limit=0").body()).contains("limit has to be");
        assertThat(get(base, "documents?limit=7&limit=8").statusCode()).isEqualTo(400);
        assertThat(get(base, "buckets?revison=1").body()).contains("Known are: after, from, limit, revision.");
        assertThat(get(base, "documents?revision=9").statusCode()).isEqualTo(404);
        assertThat(names(base, "documents?name=d7")).containsExactly("d7");
        assertThat(names(base, "rendered?schema=example/Kind&name=d7&limit=1")).containsExactly("d7");
        assertThat(names(base, "rendered?schema=example/Kin")).isEmpty();
        assertThat(names(base, "rendered?label=a%3Db&label=c%3Dd")).isEmpty();
        assertThat(get(base, "rendered?label=a").body()).contains("label has to be KEY=VALUE.");
        assertThat(get(base, "rendered?query=x").statusCode()).isEqualTo(400);
        String query = URLEncoder.encode("$..[?(@.layer == 'site')].layer", StandardCharsets.UTF_8);
        assertThat(names(base, "documents?limit=4&query=" + query)).hasSize(26).contains("d24", "more");
        JsonNode selected = JSON.readTree(
                get(base, "rendered?name=more&query=$.metadata.name").body());
        assertThat(selected.get("items"))
                .isEqualTo(JSON.readTree("[{\"schema\":\"example/Kind/v1\",\"layer\":\"site\",\"name\":\"more\","
                        + "\"selected\":[{\"path\":\".metadata.name\",\"value\":\"more\"}]}]"));
        HttpRequest head = HttpRequest.newBuilder(base.resolve("documents"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = client.send(head, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    /* 10,000 documents of 2 KB are 20 MB of JSON and several times that as trees, times ten readers. */
    @Test
    void shouldAnswerTenReadersOfALargeWorkspaceInASmallHeap() throws Exception {
        Path log = directory.resolve("small.log");
        String heap = LARGE > 20_000 ? "256m" : "128m";
        Process serve = Packaged.serve(heap, strake.bootstrapServers(), "small", 1, directory, log);
        try {
            Pattern url = Pattern.compile("HTTP +(http://\\S+)");
            await().atMost(TIMEOUT)
                    .until(() -> url.matcher(Files.readString(log)).find());
            Matcher found = url.matcher(Files.readString(log));
            assertThat(found.find()).isTrue();
            URI base = URI.create(found.group(1) + "/workspaces/large/");
            for (int i = 0; i < LARGE; i += AT_ONCE) {
                publish("small.", "large", "l" + i, ChangeType.DOCUMENTS_PUT, documents("d", i, AT_ONCE, 2_000));
            }
            List<Future<Long>> reading = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                String list = i % 2 == 0 ? "documents" : "rendered";
                reading.add(readers.submit(() -> count(base.resolve(list))));
            }
            for (Future<Long> each : reading) {
                assertThat(each.get()).isEqualTo(LARGE + 1);
            }
            assertThat(serve.isAlive()).isTrue();
        } finally {
            serve.destroyForcibly().waitFor();
        }
    }

    private List<String> names(URI base, String question) throws Exception {
        List<String> names = new ArrayList<>();
        String after = "";
        do {
            HttpResponse<String> answer = get(base, question + after);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).endsWith("}\n");
            JsonNode page = JSON.readTree(answer.body());
            for (JsonNode item : page.get("items")) {
                JsonNode document = item.has("document") ? item.get("document") : item;
                names.add(document.path("metadata")
                        .path("name")
                        .asText(document.path("name").asText()));
            }
            after = page.has("next") ? "&after=" + page.get("next").asText() : "";
        } while (!after.isEmpty());
        return names;
    }

    private long count(URI uri) throws Exception {
        HttpResponse<InputStream> answer =
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        long count = 0;
        try (JsonParser parser = new JsonFactory().createParser(answer.body())) {
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                count += token == JsonToken.END_OBJECT && depth == 2 ? 1 : 0;
            }
        }
        return count;
    }

    private HttpResponse<String> get(URI base, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(base.resolve(path)).build(), BodyHandlers.ofString());
    }

    private static void publish(String prefix, String workspace, String id, ChangeType type, String documents) {
        KafkaSettings kafka = KafkaSettings.of(strake.bootstrapServers());
        NewChange change =
                new NewChange(workspace, id, type, "all", List.of(documents.getBytes(StandardCharsets.UTF_8)));
        try (ChangePublisher publisher = new ChangePublisher(kafka.cluster(), prefix, workspace, TIMEOUT)) {
            publisher.publish(change);
            assertThat(publisher.await(id, pending -> {}).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    private static String documents(String name, int from, int count, int size) {
        StringBuilder all = new StringBuilder("[").append(POLICY);
        for (int i = from; i < from + count; i++) {
            all.append(",\n").append(document(name + i, i, size));
        }
        return all.append("]").toString();
    }

    private static String document(String name, int value, int size) {
        return """
                {"schema": "example/Kind/v1", "metadata": {"schema": "metadata/Document/v1", "name": "%s",
                  "storagePolicy": "cleartext", "layeringDefinition": {"layer": "site"}},
                 "data": {"value": %d, "text": "%s"}}""".formatted(name, value, "x".repeat(size));
    }
}
