package dev.strake.server;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.document;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.server.access.Permission;
import dev.strake.server.http.Route;
import dev.strake.server.settings.Catalogue;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The OpenAPI description matches the service: it has exactly its routes, and real responses conform to it. */
class OpenApiIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] YAML = {"Content-Type", "application/x-yaml"};
    private static final String BROKEN = """
        ---
        schema: example/Server/v1
        metadata:
          schema: metadata/Document/v1
          name: broken
          storagePolicy: cleartext
          layeringDefinition: {layer: site}
          substitutions: [{src: {schema: a/B/v1, name: none, path: .x}, dest: {path: .y}}]
        data: {}
        """;

    @TempDir
    static Path directory;

    @AutoClose
    private static Installation strake;

    private static Server server;
    private static JsonNode api;

    @BeforeAll
    static void start() throws Exception {
        strake = new Installation("open-api", directory, 1).with(Catalogue.SLOW_CHANGE, Duration.ZERO);
        server = strake.startServer();
        api = JSON.readTree(strake.send(null, "GET", "/openapi.json", "").body());
    }

    private static JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? api.at(node.get("$ref").textValue().substring(1)) : node;
    }

    @Test
    void shouldDescribeExactlyTheRoutesWithTheirRoles() {
        Map<String, String> described = new TreeMap<>();
        api.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (!operation.getKey().equals("parameters")) {
                        described.put(
                                operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                operation.getValue().path("x-role").textValue() + " "
                                        + operation.getValue().path("x-scope").asText("this"));
                    }
                }));
        Map<String, String> actual = new TreeMap<>();
        for (Route route : server.routes()) {
            Permission needs = route.permission();
            String scope = needs.isOpen() ? "this" : needs.scope().name().toLowerCase(Locale.ROOT);
            actual.put(
                    needs.method() + " " + needs.pattern(),
                    (needs.isOpen() ? "none" : needs.role().text()) + " " + scope);
        }
        assertThat(described).isEqualTo(actual);
    }

    @Test
    void shouldDescribeExactlyTheParametersOfEachRoute() {
        for (Route route : server.routes()) {
            String pattern = String.join("/", route.pattern());
            JsonNode path = api.get("paths").get(pattern);
            JsonNode operation = path.get(route.method().toLowerCase(Locale.ROOT));
            List<JsonNode> all = new ArrayList<>();
            path.path("parameters").forEach(each -> all.add(resolved(each)));
            operation.path("parameters").forEach(each -> all.add(resolved(each)));
            Set<String> query = new TreeSet<>();
            Set<String> captured = new TreeSet<>();
            for (JsonNode each : all) {
                String name = each.get("name").textValue();
                boolean repeated = each.get("schema").path("type").asText().equals("array");
                if (each.get("in").textValue().equals("query")) {
                    query.add(repeated ? name + "*" : name);
                } else if (each.get("in").textValue().equals("path")) {
                    captured.add("{" + name + "}");
                }
            }
            assertThat(query).as(pattern).isEqualTo(route.parameters());
            assertThat(captured)
                    .as(pattern)
                    .containsExactlyInAnyOrderElementsOf(route.pattern().stream()
                            .filter(each -> each.startsWith("{"))
                            .toList());
        }
    }

    @Test
    void shouldAnswerAsDescribed() throws Exception {
        String one = "?schema=example/Server/v1&name=web";
        check("PUT", "/workspaces/a/buckets/b", POLICY + document("web", 1), 200);
        check("PUT", "/workspaces/a/buckets/c", document("web", 1), 409);
        check("PUT", "/workspaces/a/buckets/b?dry-run=true", POLICY, 200);
        check("PUT", "/workspaces/a/buckets/b", "{a", 422);
        check("PUT", "/workspaces/a/buckets/b", "", 412, "If-Match", "\"9\"");
        check("PUT", "/workspaces/a/buckets/b", "", 400, "If-Match", "x");
        check("POST", "/workspaces/a/buckets/b/documents", BROKEN, 200);
        check("GET", "/workspaces/a/problems", "", 200);
        check("GET", "/workspaces", "", 200);
        JsonNode inTrouble = JSON.readTree(
                        strake.send(null, "GET", "/workspaces", "").body())
                .at("/items/0");
        assertThat(inTrouble.at("/cause").toString())
                .isEqualTo(
                        "{\"code\":\"SubstitutionSourceNotFound\",\"document\":{\"schema\":\"example/Server/v1\",\"layer\":\"site\",\"name\":\"broken\"}}");
        assertThat(inTrouble.properties().stream().map(Map.Entry::getKey))
                .as("all that a workspace in trouble says of itself is described")
                .isSubsetOf(api
                        .at(
                                "/paths/~1workspaces/get/responses/200/content/application~1json/schema/properties/items/items/properties")
                        .properties()
                        .stream()
                        .map(Map.Entry::getKey)
                        .toList());
        check("GET", "/workspaces/a/explain" + one.replace("web", "broken"), "", 200);
        check(
                "DELETE",
                "/workspaces/a/buckets/b/documents",
                "[{schema: example/Server/v1, layer: site, name: broken}]",
                200);
        check("PUT", "/workspaces/a/revisions/1/tags/t", "{x: 1}", 200);
        for (String list : List.of("revisions", "tags", "documents", "rendered", "problems", "buckets", "graph")) {
            check("GET", "/workspaces/a/" + list, "", 200);
            check("GET", "/workspaces/a/" + list + "?limit=1", "", 200);
            check("GET", "/workspaces/none/" + list, "", 404);
        }
        check("GET", "/workspaces/a/rendered?query=$..value", "", 200);
        check("GET", "/workspaces/a/documents?query=x", "", 400);
        for (String question : List.of("explain", "affected", "why")) {
            check("GET", "/workspaces/a/" + question + one, "", 200);
            check("GET", "/workspaces/a/" + question, "", 400);
            check("GET", "/workspaces/a/" + question + one + "x", "", 404);
        }
        check("GET", "/workspaces/a/diff/1/head?changes=true", "", 200);
        check("POST", "/workspaces/a/plan?bucket=b", POLICY, 200);
        check("POST", "/workspaces/a/plan?type=x", POLICY, 400);
        check("DELETE", "/workspaces/a/revisions/1/tags/t", "", 200);
        check("POST", "/workspaces/a/rollback", "{revision: 1}", 200);
        check(
                "POST",
                "/workspaces/a/rollback",
                "{revision: 1}",
                202,
                "Prefer",
                "respond-async",
                "Idempotency-Key",
                "k");
        check("GET", "/workspaces/a/changes/none", "", 404);
        check("DELETE", "/workspaces/a", "", 200);
        check("GET", "/workspaces", "", 200);
        check("GET", "/info", "", 200);
        check("GET", "/slow", "", 200);
        check("GET", "/slow?limit=0", "", 400);
        assertThat(JSON.readTree(strake.send(null, "GET", "/slow?limit=1", "").body())
                        .get("items"))
                .hasSize(1);
        JsonNode slow = JSON.readTree(strake.send(null, "GET", "/slow", "").body());
        assertThat(slow.get("items"))
                .as("the first change, after all others, with what was most work")
                .last()
                .satisfies(first -> assertThat(first.get("documents")).hasSize(2));
        check("GET", "/openapi.json", "", 200);
        check("GET", "/secrets/public-key", "", 404);
        for (String health : List.of("started", "live", "ready")) {
            check("GET", "/health/" + health, "", 200);
        }
    }

    @Test
    void shouldAnswerDeckhandsRoutesAsDescribed() throws Exception {
        String deckhand = "/deckhand/airship/api/v1.0";
        check("GET", "/deckhand/airship/versions", "", 200);
        check("GET", deckhand + "/health", "", 204);
        check("GET", deckhand + "/revisions", "", 200);
        check("PUT", deckhand + "/buckets/b/documents", POLICY + document("web", 1), 200, YAML);
        check("PUT", deckhand + "/buckets/c/documents", document("web", 1), 409, YAML);
        check("PUT", deckhand + "/buckets/c/documents", "{a", 400, YAML);
        check("PUT", deckhand + "/buckets/c/documents", "{}", 415, "Content-Type", "application/json");
        check("GET", deckhand + "/revisions/1", "", 200);
        check("GET", deckhand + "/revisions/9", "", 404);
        check("GET", deckhand + "/revisions/1/documents?schema=example&limit=1&nobody=knows", "", 200);
        check("GET", deckhand + "/revisions/1/documents?limit=x", "", 400);
        check("GET", deckhand + "/revisions/1/rendered-documents", "", 200);
        check("GET", deckhand + "/revisions/9/rendered-documents", "", 404);
        check("GET", deckhand + "/revisions/0/diff/1", "", 200);
        check("GET", deckhand + "/revisions/1/diff/x", "", 400);
        check("GET", deckhand + "/revisions/1/deepdiff/1", "", 200);
        check("PUT", deckhand + "/buckets/c/documents", BROKEN, 200, YAML);
        check("GET", deckhand + "/revisions/2/rendered-documents", "", 409);
        check("POST", deckhand + "/revisions/1/tags/t", "x: 1", 201, YAML);
        check("POST", deckhand + "/revisions/1/tags/t", "- x", 400, YAML);
        check("GET", deckhand + "/revisions/1/tags/t", "", 200);
        check("GET", deckhand + "/revisions/1/tags", "", 200);
        check("DELETE", deckhand + "/revisions/1/tags/t", "", 204);
        check("DELETE", deckhand + "/revisions/1/tags/t", "", 404);
        check("DELETE", deckhand + "/revisions/1/tags", "", 204);
        check("POST", deckhand + "/rollback/0", "", 201);
        check("DELETE", deckhand + "/revisions", "", 204);
    }

    private static void check(String method, String path, String body, int status, String... headers) throws Exception {
        HttpResponse<String> answer = strake.send(null, method, path, body, headers);
        String asked = method + " " + path + ": " + answer.body();
        assertThat(answer.statusCode()).as(asked).isEqualTo(status);
        JsonNode described = api.get("paths")
                .get(pattern(path))
                .get(method.toLowerCase(Locale.ROOT))
                .get("responses");
        assertThat(described.has("" + status)).as("described: " + asked).isTrue();
        JsonNode response = resolved(described.get("" + status));
        if (!response.has("content")) {
            assertThat(answer.body()).as(asked).isEmpty();
            return;
        }
        boolean isYaml = path.startsWith("/deckhand/");
        ObjectNode schema = response.get("content")
                .get(isYaml ? "application/x-yaml" : "application/json")
                .get("schema")
                .deepCopy();
        boolean isStream = schema.path("type").asText().equals("array");
        schema.set("components", api.get("components"));
        List<Error> errors = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema)
                .validate(isYaml ? readYaml(answer.body(), isStream) : JSON.readTree(answer.body()));
        assertThat(errors).as(asked).isEmpty();
        response.path("headers")
                .properties()
                .forEach(header -> assertThat(answer.headers().firstValue(header.getKey()))
                        .as(header.getKey() + " of " + asked)
                        .isPresent());
    }

    private static JsonNode readYaml(String text, boolean isStream) throws Exception {
        ArrayNode all = JSON.createArrayNode();
        for (ReadDocument each :
                new DocumentReader(Limits.DEFAULT).readTrees(text.getBytes(UTF_8), TextFormat.YAML, "answer")) {
            all.add(JSON.readTree(JsonBytes.of(each.value())));
        }
        return isStream ? all : all.get(0);
    }

    private static String pattern(String path) {
        List<String> asked = List.of(path.replaceFirst("\\?.*", "").split("/", -1));
        return api.get("paths").properties().stream()
                .map(Map.Entry::getKey)
                .filter(each -> isOf(List.of(each.split("/", -1)), asked))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOf(List<String> pattern, List<String> asked) {
        return pattern.size() == asked.size()
                && IntStream.range(0, asked.size())
                        .allMatch(i ->
                                pattern.get(i).startsWith("{") || pattern.get(i).equals(asked.get(i)));
    }
}
