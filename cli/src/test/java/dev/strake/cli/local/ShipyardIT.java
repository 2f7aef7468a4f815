package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Sends the same calls to Deckhand's API as Shipyard and the services that it starts, from {@code create configdocs}
 * to the end of a deployment, and reads the same parts of each response.
 */
class ShipyardIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String COMMITTED = "committed";

    private static final String CONFIGURATION = """
            ---
            schema: shipyard/DeploymentConfiguration/v1
            metadata: {schema: metadata/Document/v1, name: deployment-configuration, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {kubernetes_provisioner: {join_wait: 0}}
            """;

    private static final String SECRET = """
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: s3cret-of-the-site
            """;

    private static final TestStrake strake = TestStrake.shared();

    private String deckhand;

    private record Answer(int status, Optional<String> type, List<Value> documents) {

        MapValue one() {
            assertThat(documents).hasSize(1);
            return (MapValue) documents.get(0);
        }

        List<MapValue> results() {
            return list(one().get("results"));
        }

        String text() {
            return documents.toString();
        }
    }

    @BeforeEach
    void chooseWorkspace(TestInfo test) {
        deckhand =
                strake.url() + "/deckhand/" + test.getTestMethod().orElseThrow().getName() + "/api/v1.0";
    }

    @Test
    void shouldDeployASiteFromItsConfigdocs() throws Exception {
        // The preflight check of each workflow: the address from the catalogue and /health, without a token.
        assertThat(send("GET", "/health", "").status()).isEqualTo(204);

        // create configdocs design: is there an uncommitted revision, and does it have this collection?
        assertThat(send("GET", "/revisions", "").one().get("count")).isEqualTo(Num.of(0));
        assertThat(put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 1}") + CONFIGURATION))
                .isEqualTo(1);
        assertThat(newest()).isEqualTo(1);
        assertThat(send("GET", "/revisions/0/diff/1", "").one()).isEqualTo(MapValue.of("design", new Text("created")));
        // The same upload again: if the diff is empty, Shipyard reports "Collection created no new revision".
        assertThat(put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 1}") + CONFIGURATION))
                .isEqualTo(1);
        assertThat(put("secrets", SECRET)).isEqualTo(2);
        assertThat(newest()).isEqualTo(2);

        // commit configdocs: all validations, all rendered documents, then the tag.
        assertThat(statuses(send("GET", "/revisions/2/validations/detail", ""))).containsOnly("success");
        assertThat(send("GET", "/revisions/2/rendered-documents", "").status()).isEqualTo(200);
        assertThat(send("POST", "/revisions/2/tags/" + COMMITTED, "").status()).isEqualTo(201);
        assertThat(tagsOfNewest()).containsExactly(COMMITTED);

        // The next upload; Shipyard compares it with the committed revision.
        assertThat(put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 2}") + CONFIGURATION))
                .isEqualTo(3);
        assertThat(send("GET", "/revisions/2/diff/3", "").one())
                .isEqualTo(MapValue.of("design", new Text("modified")).with("secrets", new Text("unmodified")));
        assertThat(send("POST", "/revisions/3/tags/" + COMMITTED, "").status()).isEqualTo(201);

        // create action update_site: Shipyard checks that the design has no failures, and reads its configuration
        // and the documents that Drydock, Promenade and Armada deploy.
        assertThat(statuses(send("GET", "/revisions/3/validations", ""))).containsOnly("success");
        Answer configuration = send(
                "GET",
                "/revisions/3/rendered-documents?schema=shipyard/DeploymentConfiguration/v1&metadata.name=deployment-configuration",
                "");
        assertThat(((MapValue) configuration.one().get("data")).get("kubernetes_provisioner"))
                .isEqualTo(MapValue.of("join_wait", Num.of(0)));
        Answer design = send("GET", "/revisions/3/rendered-documents", "");
        assertThat(design.documents())
                .filteredOn(each -> ((MapValue) each).text("schema").equals("deckhand/Passphrase/v1"))
                .as("they deploy what they get, so it is clear text")
                .extracting(each -> ((MapValue) each).get("data"))
                .containsExactly(new Text("s3cret-of-the-site"));
        assertThat(send("POST", "/revisions/3/tags/site-action-success", "step: drydock_build")
                        .one())
                .isEqualTo(MapValue.of("site-action-success", MapValue.of("step", new Text("drydock_build"))));

        // get configdocs, of one collection and of all; secrets are hidden by default
        Answer shown = send("GET", "/revisions/3/documents?status.bucket=secrets", "");
        assertThat(shown.one().text("schema")).isEqualTo("deckhand/Passphrase/v1");
        assertThat(shown.one().get("data")).isNotEqualTo(new Text("s3cret-of-the-site"));
        assertThat(send("GET", "/revisions/3/documents?status.bucket=secrets&cleartext-secrets=true", "")
                        .one()
                        .get("data"))
                .isEqualTo(new Text("s3cret-of-the-site"));
    }

    /** Shipyard shows {@code messageList} to its user, so it has to contain all problems, not only the first. */
    @Test
    void shouldReportAllProblemsOfACommittedSite() throws Exception {
        String another = TestStrake.BROKEN.replace("broken", "second").replace("nowhere", "elsewhere");
        assertThat(put("design", TestStrake.POLICY + TestStrake.BROKEN + another + TestStrake.document("a", "{x: 1}")))
                .isEqualTo(1);
        Answer validations = send("GET", "/revisions/1/validations/detail", "");
        assertThat(statuses(validations)).contains("failure");
        assertThat(validations.results())
                .flatExtracting(each -> list(each.get("errors")))
                .hasSize(2);
        assertThat(statuses(send("GET", "/revisions/1/validations", ""))).containsExactly("failure");

        Answer rendered = send("GET", "/revisions/1/rendered-documents", "");
        assertThat(rendered.status()).isEqualTo(409);
        MapValue details = (MapValue) rendered.one().get("details");
        assertThat(details.get("errorCount")).isEqualTo(Num.of(2));
        List<MapValue> messages = list(details.get("messageList"));
        assertThat(messages).allSatisfy(message -> {
            assertThat(message.text("level")).isEqualTo("Error");
            assertThat(message.text("kind")).isEqualTo("ValidationMessage");
            assertThat(message.text("name")).isEqualTo("SubstitutionSourceNotFound");
            assertThat(message.text("diagnostic")).isNotBlank();
        });
        assertThat(messages.stream().flatMap(each -> list(each.get("documents")).stream()))
                .extracting(each -> each.text("name"))
                .containsExactlyInAnyOrder("broken", "second");
        assertThat(messages).extracting(each -> each.text("message")).anyMatch(text -> text.contains("elsewhere"));
    }

    @Test
    void shouldPassOnTheReasonWhyAnUploadIsRefused() throws Exception {
        put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 1}"));
        Answer elsewhere = send("PUT", "/buckets/other/documents", TestStrake.document("a", "{x: 2}"));
        assertThat(elsewhere.status()).isEqualTo(409);
        assertThat(((MapValue) elsewhere.one().get("details")).text("errorType"))
                .isEqualTo("DuplicateDocumentExists");
        Answer format = send("PUT", "/buckets/other/documents", "schema: example/Kind/v1\n");
        assertThat(format.status()).isEqualTo(400);
        assertThat(format.one().text("reason")).isEqualTo("Validation");
        assertThat(newest()).as("nothing was stored").isEqualTo(1);
    }

    @Test
    void shouldDiscardUncommittedDocuments() throws Exception {
        put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 1}"));
        // create configdocs --replace before the first commit
        assertThat(send("POST", "/rollback/0", "").status()).isEqualTo(201);
        assertThat(send("GET", "/revisions/2/documents", "").documents()).isEmpty();
        put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 2}"));
        send("POST", "/revisions/3/tags/" + COMMITTED, "");
        put("design", TestStrake.POLICY + TestStrake.document("a", "{x: 3}"));
        // and after a commit
        assertThat(send("POST", "/rollback/3", "").one().get("id")).isEqualTo(Num.of(5));
        assertThat(send("GET", "/revisions/3/diff/5", "").one())
                .isEqualTo(MapValue.of("design", new Text("unmodified")));
        assertThat(newest()).isEqualTo(5);
    }

    /** Returns the revision created by an upload. */
    private long put(String collection, String documents) throws Exception {
        Answer answer = send("PUT", "/buckets/" + collection + "/documents", documents);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        MapValue first = (MapValue) answer.documents().get(0);
        return ((Num) ((MapValue) first.get("status")).get("revision")).nearestInt();
    }

    /** Shipyard uses the last entry of the list. */
    private int newest() throws Exception {
        return ((Num) newestOfList().get("id")).nearestInt();
    }

    private List<String> tagsOfNewest() throws Exception {
        return ((ListValue) newestOfList().get("tags"))
                .items().stream().map(each -> ((Text) each).value()).toList();
    }

    private MapValue newestOfList() throws Exception {
        Answer revisions = send("GET", "/revisions", "");
        assertThat(revisions.one().get("count"))
                .isEqualTo(Num.of(revisions.results().size()));
        return revisions.results().get(revisions.results().size() - 1);
    }

    private static List<String> statuses(Answer validations) {
        assertThat(validations.status()).isEqualTo(200);
        return validations.results().stream().map(each -> each.text("status")).toList();
    }

    private static List<MapValue> list(Value value) {
        return ((ListValue) value).items().stream().map(MapValue.class::cast).toList();
    }

    /** Sends the headers of Shipyard: a content type even without a body, but none with tags and rollbacks. */
    private Answer send(String method, String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(deckhand + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Accept", "application/x-yaml")
                .header("X-Context-Marker", "5f1c22ab-90d1-4e0f-8a3c-000000000001")
                .header("X-End-User", "shipyard");
        if (!method.equals("POST") || !body.isEmpty()) {
            request.header("Content-Type", "application/x-yaml");
        }
        HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
        Answer answer = new Answer(
                response.statusCode(),
                response.headers().firstValue("Content-Type"),
                new DocumentReader(Limits.DEFAULT)
                        .readTrees(response.body().getBytes(UTF_8), TextFormat.YAML, "answer").stream()
                                .map(ReadDocument::value)
                                .toList());
        if (answer.status() != 204) {
            assertThat(answer.type()).contains("application/x-yaml");
        }
        return answer;
    }
}
