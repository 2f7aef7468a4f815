package dev.strake.server.deckhand;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.Installation;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Validations where Strake follows Deckhand's manual and Deckhand itself does not, over both APIs. */
class ValidationRoutesIT {

    private static final String SITE = "site-validation";
    private static final String SUCCESS = "{status: success, validator: {name: robot}}";
    private static final String FAILURE =
            "{status: failure, validator: {name: robot}, errors: [{message: no master, documents: []}]}";

    @TempDir
    static Path directory;

    @AutoClose
    private static Installation strake;

    @BeforeAll
    static void start() throws Exception {
        strake = new Installation("validations", directory, 2);
        strake.startServer();
    }

    private static String expecting(String validations) {
        return """
                ---
                schema: deckhand/ValidationPolicy/v1
                metadata: {schema: metadata/Control/v1, name: ready}
                data: {validations: [%s]}
                """.formatted(validations);
    }

    private static Answer ask(String method, String workspace, String path, String body) throws Exception {
        return Answer.of(strake, null, method, "/deckhand/" + workspace + "/api/v1.0" + path, body);
    }

    private static Answer ask(int status, String method, String workspace, String path, String body) throws Exception {
        return Answer.of(status, strake, null, method, "/deckhand/" + workspace + "/api/v1.0" + path, body);
    }

    private static Answer get(int status, String workspace, String path) throws Exception {
        return ask(status, "GET", workspace, path, "");
    }

    private static Answer get(String workspace, String path) throws Exception {
        return ask("GET", workspace, path, "");
    }

    private static void put(String workspace, String bucket, String body) throws Exception {
        ask(200, "PUT", workspace, "/buckets/" + bucket + "/documents", body);
    }

    private static void post(String workspace, int revision, String body) throws Exception {
        ask(201, "POST", workspace, "/revisions/" + revision + "/validations/" + SITE, body);
    }

    private static Value status(String workspace, int revision, String name) throws Exception {
        return ((ListValue) get(workspace, "/revisions/" + revision + "/validations")
                        .get("results"))
                .items().stream()
                        .map(MapValue.class::cast)
                        .filter(each -> each.text("name").equals(name))
                        .findFirst()
                        .orElseThrow()
                        .get("status");
    }

    private static JsonNode readiness(String workspace, Object revision) throws Exception {
        HttpResponse<String> answer =
                strake.send(null, "GET", "/workspaces/" + workspace + "/validations?revision=" + revision, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    @Test
    void shouldApplyAPolicyToLaterRevisions() throws Exception {
        put("later", "a", POLICY + document("web", 1) + expecting("{name: " + SITE + "}"));
        put("later", "b", document("db", 1));

        assertThat(status("later", 2, SITE)).isEqualTo(new Text("failure"));
        Answer missing = get("later", "/revisions/2/validations/" + SITE + "/entries/0");
        assertThat(missing.get("createdAt")).isEqualTo(Null.NULL);
        assertThat(missing.text()).contains("is missing");
        Answer revision = get("later", "/revisions/2");
        assertThat(revision.get("status")).isEqualTo(new Text("failure"));
        MapValue policy = (MapValue) ((ListValue) revision.get("validationPolicies")).get(0);
        assertThat(policy.text("name")).isEqualTo("ready");
        assertThat(policy.text("status")).isEqualTo("failure");
        assertThat(((MapValue) policy.items("validations").get(0)).text("status"))
                .isEqualTo("missing");

        post("later", 2, SUCCESS);
        assertThat(get("later", "/revisions/2").get("status")).isEqualTo(new Text("success"));
        assertThat(get("later", "/revisions/1").get("status")).isEqualTo(new Text("failure"));
        assertThat(get("later", "/revisions/2/validations/" + SITE + "/entries/0")
                        .get("createdAt"))
                .isInstanceOf(Text.class);
        assertThat(get("later", "/revisions/2/documents").text())
                .contains("name: db")
                .doesNotContain("ValidationPolicy");
    }

    @Test
    void shouldExpireASuccessWithoutAChange() throws Exception {
        put("expiring", "a", POLICY + document("web", 1) + expecting("{name: " + SITE + ", expiresAfter: PT2S}"));
        post("expiring", 1, SUCCESS);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(status("expiring", 1, SITE)).isEqualTo(new Text("failure")));
        Answer entry = get("expiring", "/revisions/1/validations/" + SITE + "/entries/0");
        assertThat(entry.get("expiresAfter")).isEqualTo(new Text("PT2S"));
        assertThat(entry.text()).contains("has expired");
        assertThat(readiness("expiring", 1).at("/items/3/standing").asText()).isEqualTo("expired");
        assertThat(readiness("expiring", 1)
                        .at("/policies/0/validations/" + SITE)
                        .asText())
                .isEqualTo("expired");
    }

    @Test
    void shouldAnswerTheSameOverTheApiOfStrake() throws Exception {
        put("same", "a", POLICY + document("web", 1) + expecting("{name: " + SITE + "}"));
        String path = "/workspaces/same/revisions/1/validations/";
        assertThat(strake.send(null, "POST", path + "other-validation", FAILURE).statusCode())
                .isEqualTo(200);
        assertThat(readiness("same", "head").get("ready").asBoolean()).isFalse();
        assertThat(strake.send(null, "POST", path + SITE, SUCCESS).body()).contains("\"status\":\"unchanged\"");

        JsonNode readiness = readiness("same", "head");
        assertThat(readiness.get("ready").asBoolean()).isTrue();
        assertThat(readiness.at("/validations/other-validation").asText()).isEqualTo("ignored [failure]");
        assertThat(readiness.get("items")).hasSize(5);
        assertThat(readiness("same", 0).get("items")).as("of nothing").hasSize(1);

        for (String body : List.of("", "[]", "{status: success}", "{revision: 2, status: a, validator: {name: b}}")) {
            assertThat(strake.send(null, "POST", path + SITE, body).statusCode())
                    .as(body)
                    .isIn(400, 422);
        }
        assertThat(strake.send(null, "POST", path.replace("/1/", "/77/") + SITE, SUCCESS)
                        .body())
                .contains("RevisionNotFound");
        assertThat(strake.send(null, "POST", path + "detail", SUCCESS).statusCode())
                .isEqualTo(422);
    }

    @Test
    void shouldAnswerMissingAndInvalidEntriesAsDeckhandDoes() throws Exception {
        put("none", "a", POLICY + document("web", 1));
        String entries = "/revisions/1/validations/" + SITE + "/entries/";
        for (String id : List.of("0", "-1", "99999999999")) {
            Answer answer = get(404, "none", entries + id);
            assertThat(answer.get("details.errorType")).isEqualTo(new Text("ValidationNotFound"));
        }
        for (String id : List.of("first", "1.5", "1e3")) {
            get(400, "none", entries + id);
        }
        for (String body : List.of(
                "",
                "{}",
                "[]",
                "{status: success}",
                "{status: '', validator: {name: a}}",
                "{status: success, validator: {}}",
                "{status: true, validator: {name: a}}",
                "{status: success, validator: a}",
                "{status: success, validator: {name: a}, errors: [1]}",
                "a: b: c")) {
            ask(400, "POST", "none", "/revisions/1/validations/" + SITE, body);
        }
        ask(405, "POST", "none", "/revisions/1/validations/detail", SUCCESS);
        ask(404, "POST", "none", "/revisions/0/validations/" + SITE, SUCCESS);
        assertThat(get("none", "/revisions/1/validations/" + SITE).get("count")).isEqualTo(Num.of(0));
    }

    @Test
    void shouldForgetResultsOfADeletedWorkspace() throws Exception {
        put("purged", "a", POLICY + document("web", 1));
        post("purged", 1, FAILURE);
        ask(204, "DELETE", "purged", "/revisions", "");
        get(404, "purged", "/revisions/1/validations");
        put("purged", "a", POLICY + document("web", 1));
        assertThat(get("purged", "/revisions/1/validations/" + SITE).get("count"))
                .isEqualTo(Num.of(0));
    }

    @Test
    void shouldReportProblemsWithoutSecrets() throws Exception {
        String secret = "s3cr3t-of-this-test";
        put("secrets", "a", POLICY + """
                ---
                schema: example/Secret/v1
                metadata: {schema: metadata/Document/v1, name: source, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data: {value: %s}
                ---
                schema: example/Server/v1
                metadata:
                  schema: metadata/Document/v1
                  name: taker
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                  substitutions:
                  - {src: {schema: example/Secret/v1, name: source, path: .value}, dest: {path: .value}}
                  - {src: {schema: example/Secret/v1, name: source, path: .value.deeper}, dest: {path: .other}}
                data: {}
                """.formatted(secret));

        Answer details = get("secrets", "/revisions/1/validations/detail");
        assertThat(status("secrets", 1, "deckhand-schema-validation")).isEqualTo(new Text("failure"));
        assertThat(details.text()).contains("name: taker").doesNotContain(secret);
        assertThat(readiness("secrets", 1).toString()).contains("taker").doesNotContain(secret);
    }
}
