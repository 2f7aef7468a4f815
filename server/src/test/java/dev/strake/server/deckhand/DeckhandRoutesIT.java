package dev.strake.server.deckhand;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.Installation;
import dev.strake.server.deckhand.answers.DocumentView;
import dev.strake.server.settings.Catalogue;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour that Deckhand's own tests do not cover, or that Strake improves. */
class DeckhandRoutesIT {

    private static final String LONG = "99999999999999999999999999";

    @TempDir
    static Path directory;

    @AutoClose
    private static Installation strake;

    @BeforeAll
    static void start() throws Exception {
        strake = new Installation("deckhand", directory, 2)
                .with(Catalogue.DECKHAND_WORKSPACE, "short")
                .with(Catalogue.CHANGE_BYTES, 1 << 20);
        strake.startServer();
    }

    private static Answer ask(String method, String workspace, String path, String body, String... headers)
            throws Exception {
        return Answer.of(strake, null, method, "/deckhand/" + workspace + "/api/v1.0" + path, body, headers);
    }

    private static Answer ask(int status, String method, String workspace, String path, String body, String... headers)
            throws Exception {
        return Answer.of(status, strake, null, method, "/deckhand/" + workspace + "/api/v1.0" + path, body, headers);
    }

    private static Answer get(int status, String workspace, String path) throws Exception {
        return ask(status, "GET", workspace, path, "");
    }

    private static Answer put(int status, String workspace, String bucket, String body) throws Exception {
        return ask(status, "PUT", workspace, "/buckets/" + bucket + "/documents", body);
    }

    private static Answer get(String workspace, String path) throws Exception {
        return ask("GET", workspace, path, "");
    }

    private static Answer unchecked(String workspace, String bucket, String body) {
        try {
            return put(workspace, bucket, body);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Answer put(String workspace, String bucket, String body) throws Exception {
        return ask("PUT", workspace, "/buckets/" + bucket + "/documents", body);
    }

    private static List<Value> ids(Answer revisions) {
        return ((ListValue) revisions.get("results"))
                .items().stream().map(each -> ((MapValue) each).get("id")).toList();
    }

    private static List<Value> numbers(long... numbers) {
        return LongStream.of(numbers).<Value>mapToObj(Num::of).toList();
    }

    @Test
    void shouldAnswerAPutWithTheStoredDocuments() throws Exception {
        Answer put = put(200, "stored", "a", POLICY + document("web", 1));
        assertThat(put.header("Content-Type")).isEqualTo("application/x-yaml");
        assertThat(put.documents()).hasSize(2);
        MapValue policy = put.documents().get(0);
        assertThat(policy.map("metadata").get("storagePolicy")).isEqualTo(new Text("cleartext"));
        assertThat(policy.map("metadata").map("layeringDefinition").has("abstract"))
                .isTrue();
        MapValue web = put.documents().get(1);
        assertThat(web.map("status").get("bucket")).isEqualTo(new Text("a"));
        assertThat(web.map("status").get("revision")).isEqualTo(Num.of(1));
        assertThat(((Num) web.get("id")).decimal().longValueExact()).isBetween(1L, 1L << 53);
    }

    /* Other clients may publish documents with missing fields or odd schemas; these routes return them as stored. */
    @Test
    void shouldRefuseDocumentsThatDeckhandRefuses() throws Exception {
        String left = POLICY + document("web", 1).replace(" storagePolicy: cleartext,", "");
        String named = POLICY + document("web", 1).replace("example/Server/v1", "my-app/Server/v1");
        for (String body : List.of(left, left.replace("schema: metadata/Document/v1,", ""), named)) {
            put(400, "strict", "b", body);
        }
        assertThat(strake.send(
                                null,
                                "PUT",
                                "/workspaces/strict/buckets/b",
                                named.replace(" storagePolicy: cleartext,", ""))
                        .body())
                .contains("\"status\":\"rendered\"");
        MapValue web = get("strict", "/revisions/1/documents?schema=my-app/Server/v1")
                .documents()
                .get(0);
        assertThat(web.map("metadata").get("storagePolicy")).isEqualTo(new Text("cleartext"));
    }

    @Test
    void shouldCreateNoRevisionForUnchangedDocuments() throws Exception {
        put("same", "a", POLICY);
        Answer again = put(200, "same", "a", POLICY);
        assertThat(again.documents().get(0).map("status").get("revision")).isEqualTo(Num.of(1));
        assertThat(ids(get("same", "/revisions"))).isEqualTo(numbers(1));
        Answer nothing = put(200, "same", "empty", "");
        assertThat(nothing.text()).isEmpty();
        assertThat(nothing.header("Content-Type")).isEqualTo("application/x-yaml");
    }

    @Test
    void shouldAnswerWithTheRevisionOnlyWhenNoDocumentIsLeft() throws Exception {
        put("stub", "a", document("web", 1));
        Answer emptied = put("stub", "a", "");
        assertThat(emptied.documents()).containsExactly(MapValue.of("status", DocumentView.status("a", 2)));
        Answer expectations = put("stub", "b", """
                schema: deckhand/ValidationPolicy/v1
                metadata: {schema: metadata/Control/v1, name: later}
                data: {validations: [{name: site-validation}]}
                """);
        assertThat(expectations.documents()).containsExactly(MapValue.of("status", DocumentView.status("b", 3)));
    }

    @Test
    void shouldRestartRevisionNumbersAfterADeletion() throws Exception {
        put("again", "a", POLICY);
        put("again", "a", POLICY + document("web", 1));
        ask("POST", "again", "/revisions/2/tags/good", "");
        for (int i = 0; i < 2; i++) { // the second call deletes nothing
            ask(204, "DELETE", "again", "/revisions", "");
        }
        assertThat(ids(get("again", "/revisions"))).isEmpty();
        get(404, "again", "/revisions/1");
        ask(404, "POST", "again", "/rollback/1", "");

        Answer put = put("again", "a", POLICY);
        assertThat(put.documents().get(0).map("status").get("revision")).isEqualTo(Num.of(1));
        assertThat(ids(get("again", "/revisions"))).isEqualTo(numbers(1));
        assertThat(get("again", "/revisions/1").get("id")).isEqualTo(Num.of(1));
        get(404, "again", "/revisions/2");
        ask(204, "DELETE", "never-there", "/revisions", "");
    }

    /* Clients would later request the revision of this number, which does not exist. */
    @Test
    void shouldNotAnswerWithADeletedRevision() throws Exception {
        List<CompletableFuture<Answer>> puts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String content = document("web-" + i % 6, i);
            String bucket = "b" + i % 6;
            puts.add(CompletableFuture.supplyAsync(() -> unchecked("purged", bucket, content)));
            if (i % 3 == 0) {
                ask(204, "DELETE", "purged", "/revisions", "");
            }
        }
        for (CompletableFuture<Answer> each : puts) {
            Answer put = each.join();
            assertThat(put.status()).isIn(200, 409);
            if (put.status() == 409) {
                assertThat(put.get("details.errorType")).isEqualTo(new Text("RevisionConflict"));
            } else {
                assertThat(((Num) put.get("status.revision")).decimal()).isGreaterThanOrEqualTo(BigDecimal.ONE);
            }
        }
    }

    @Test
    void shouldAcceptEmptyBodiesOfAnyTypeAndTokensFromOtherOrigins() throws Exception {
        ask(200, "PUT", "plain", "/buckets/a/documents", "", "Content-Type", "text/plain");
        ask(403, "POST", "plain", "/rollback/0", "", "Origin", "http://elsewhere.example");
        ask(201, "POST", "plain", "/rollback/0", "", "Origin", "http://elsewhere.example", "X-Auth-Token", "whatever");
    }

    @Test
    void shouldDeleteTheHistoryOfAWorkspaceWithoutDocuments() throws Exception {
        put("emptied", "a", POLICY);
        put("emptied", "a", "");
        ask(204, "DELETE", "emptied", "/revisions", "");
        assertThat(ids(get("emptied", "/revisions"))).isEmpty();
        assertThat(put("emptied", "a", POLICY).documents().get(0).map("status").get("revision"))
                .isEqualTo(Num.of(1));
    }

    @Test
    void shouldListRevisionsByTagAndInEitherOrder() throws Exception {
        for (int i = 1; i <= 3; i++) {
            put("list", "a", POLICY + document("web", i));
        }
        ask("POST", "list", "/revisions/1/tags/committed", "");
        ask("POST", "list", "/revisions/3/tags/committed", "");
        ask("POST", "list", "/revisions/2/tags/other", "");
        assertThat(ids(get("list", "/revisions?tag=committed"))).isEqualTo(numbers(1, 3));
        assertThat(ids(get("list", "/revisions?tag=committed&tag=other"))).isEqualTo(numbers(1, 2, 3));
        assertThat(ids(get("list", "/revisions?tag=none"))).isEmpty();
        assertThat(ids(get("list", "/revisions?sort=id&order=desc"))).isEqualTo(numbers(3, 2, 1));
        assertThat(ids(get("list", "/revisions?order=desc&unknown=x&limit=1"))).isEqualTo(numbers(1, 2, 3));
        Answer one = get("list", "/revisions/3");
        assertThat(one.get("url")).isEqualTo(new Text("https://deckhand/api/v1.0/revisions/3"));
        assertThat(one.get("buckets")).isEqualTo(ListValue.of(new Text("a")));
        assertThat(((Text) one.get("createdAt")).value()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}");
    }

    @Test
    void shouldReplaceTheDataOfATag() throws Exception {
        put("tags", "a", POLICY);
        Answer first = ask(201, "POST", "tags", "/revisions/1/tags/t", "{ticket: 1}");
        assertThat(first.get("t.ticket")).isEqualTo(Num.of(1));
        ask("POST", "tags", "/revisions/1/tags/t", "{ticket: 2}");
        assertThat(get("tags", "/revisions/1/tags/t").get("t.ticket")).isEqualTo(Num.of(2));
        ask(400, "POST", "tags", "/revisions/1/tags/t", "[1]");
        ask(404, "POST", "tags", "/revisions/1/tags/a%2Fb", "");
        ask(404, "POST", "tags", "/revisions/9/tags/t", "");
        assertThat(ask("DELETE", "tags", "/revisions/1/tags/none", "").get("details.errorType"))
                .isEqualTo(new Text("RevisionTagNotFound"));
        ask(204, "DELETE", "tags", "/revisions/1/tags", "");
        ask(204, "DELETE", "tags", "/revisions/1/tags", "");
        assertThat(get("tags", "/revisions/1/tags").documents()).containsExactly(MapValue.EMPTY);
        get(404, "tags", "/revisions/1/tags/t");
    }

    @Test
    void shouldDeleteAllTagsUnderTheLongestIdempotencyKey() throws Exception {
        put("many-tags", "a", POLICY);
        ask("POST", "many-tags", "/revisions/1/tags/" + "t".repeat(64), "");
        String longest = "i".repeat(256);
        ask(204, "DELETE", "many-tags", "/revisions/1/tags", "", "Idempotency-Key", longest);
        assertThat(get("many-tags", "/revisions/1/tags").documents()).containsExactly(MapValue.EMPTY);
    }

    @Test
    void shouldStayEmptyWhenAnEmptyWorkspaceIsRolledBack() throws Exception {
        Answer answer = ask(201, "POST", "never-written", "/rollback/0", "");
        assertThat(answer.get("id")).isEqualTo(Num.of(0));
        assertThat(ids(get("never-written", "/revisions"))).isEmpty();
    }

    @Test
    void shouldRollBackToExactlyARevision() throws Exception {
        put("back", "a", POLICY);
        put("back", "b", document("web", 1));
        Answer first = ask(201, "POST", "back", "/rollback/1", "");
        assertThat(first.get("id")).isEqualTo(Num.of(3));
        assertThat(first.get("buckets")).as("what it wrote").isEqualTo(ListValue.of(List.of(new Text("b"))));
        Answer same = ask(201, "POST", "back", "/rollback/1", "");
        assertThat(same.get("id")).as("nothing changed").isEqualTo(Num.of(3));
        Answer nothing = ask("POST", "back", "/rollback/0", "");
        assertThat(nothing.get("id")).isEqualTo(Num.of(4));
    }

    @Test
    void shouldAnswerEveryErrorInTheFormatOfDeckhand() throws Exception {
        put("wrong", "a", POLICY + document("web", 1));
        for (Answer answer : List.of(
                get("wrong", "/revisions/" + LONG),
                get("wrong", "/revisions/-1"),
                get("wrong", "/revisions/+1"),
                get("wrong", "/revisions/01"),
                get("wrong", "/revisions/x"),
                get("wrong", "/revisions/0"),
                get("wrong", "/revisions/" + LONG + "/tags"),
                get("wrong", "/revisions/1/tags/none"),
                get("wrong", "/nothing"),
                ask("POST", "wrong", "/rollback/" + LONG, ""),
                ask("POST", "wrong", "/rollback/-1", ""),
                ask("POST", "wrong", "/revisions/x/tags/t", ""))) {
            check(answer, 404, "404 Not Found");
        }
        check(ask("POST", "wrong", "/revisions", ""), 405, "405 Method Not Allowed");
        check(put("wrong", "b", document("web", 1)), 409, "409 Conflict");
        check(put("wrong", "a", "a: ["), 400, "400 Bad Request");
        check(put("wrong", "a", POLICY + "---\n"), 400, "400 Bad Request");
        check(put("wrong", "a", "{}"), 400, "400 Bad Request");
        check(put("wrong", "a", "# " + "x".repeat(2 << 20)), 413, "413 Payload Too Large");
        check(
                new Answer(strake.send(
                        null, "PUT", "/deckhand/wrong/api/v1.0/buckets/a/documents", "{}", "Content-Type", "text/x")),
                415,
                "415 Unsupported Media Type");
        check(
                new Answer(strake.send(null, "PUT", "/deckhand/wrong/api/v1.0/buckets/a/documents", "{}")),
                400,
                "400 Bad Request");
        assertThat(ids(get("wrong", "/revisions")))
                .as("nothing of all this is stored")
                .isEqualTo(numbers(1));
    }

    private static void check(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).isEqualTo("application/x-yaml");
        MapValue body = answer.documents().get(0);
        assertThat(body.keys())
                .as("the client library dies of any other")
                .containsExactlyInAnyOrder(
                        "apiVersion", "code", "details", "kind", "message", "metadata", "reason", "retry", "status");
        assertThat(body.get("code")).isEqualTo(new Text(code));
        assertThat(body.get("apiVersion")).isEqualTo(new Text("v1.0"));
        assertThat(body.map("details").items("messageList")).isNotEmpty();
    }

    @Test
    void shouldReportAllFormatErrorsWithTheirPlaces() throws Exception {
        Answer answer =
                put("format", "a", "schema: a/b/v1\nmetadata: {name: x, schema: metadata/Document/v1}\ndata: 1\n");
        check(answer, 400, "400 Bad Request");
        assertThat(answer.get("reason")).isEqualTo(new Text("Validation"));
        assertThat(answer.get("details.errorCount")).isEqualTo(Num.of(2));
        MapValue message = (MapValue)
                ((MapValue) answer.get("details")).items("messageList").get(0);
        assertThat(message.get("name")).isEqualTo(new Text("D001"));
        assertThat(message.text("message")).contains("storagePolicy", "line 2");
        assertThat(message.items("documents"))
                .containsExactly(MapValue.of("layer", new Text(""))
                        .with("name", new Text("x"))
                        .with("schema", new Text("a/b/v1")));
    }

    @Test
    void shouldEchoHeadersAndKeepThemWithTheRevision() throws Exception {
        Answer put =
                ask("PUT", "echo", "/buckets/a/documents", POLICY, "X-Context-Marker", "5f1c", "X-End-User", "ann");
        for (Answer each :
                List.of(put, ask("GET", "echo", "/nothing", "", "X-Context-Marker", "5f1c", "X-End-User", "ann"))) {
            assertThat(each.header("X-Context-Marker")).isEqualTo("5f1c");
            assertThat(each.header("X-End-User")).isEqualTo("ann");
            assertThat(each.header("X-Deckhand-Req")).startsWith("req-");
        }
        assertThat(strake.send(null, "GET", "/workspaces/echo/revisions", "").body())
                .contains("\"author\":\"ann\"", "\"message\":\"context-marker 5f1c\"");
    }

    @Test
    void shouldKeepAnOmittedPolicyAndWarn() throws Exception {
        put("kept", "a", POLICY + document("web", 1));
        Answer put = put(200, "kept", "a", document("web", 2));
        assertThat(put.header("Warning")).startsWith("299 strake \"").contains("stays in bucket a");
        assertThat(get("kept", "/revisions/2/rendered-documents").documents()).hasSize(2);

        Answer emptied = put("kept", "a", "");
        assertThat(emptied.header("Warning")).contains("stays in bucket a");
        assertThat(emptied.documents()).containsExactly(MapValue.of("status", DocumentView.status("a", 3)));
        assertThat(get("kept", "/revisions/3/rendered-documents").documents()).hasSize(1);
        assertThat(put("kept", "a", "").documents()) // the workspace contains only the policy
                .containsExactly(MapValue.of("status", DocumentView.status("a", 3)));
    }

    @Test
    void shouldKeepTheLastOfDuplicateKeysAndWarn() throws Exception {
        Answer put = put(200, "doubled", "a", POLICY + document("web", 1) + "data: {value: 2}\n");
        assertThat(put.documents().get(1).get("data")).isEqualTo(MapValue.of("value", Num.of(2)));
        assertThat(put.header("Warning")).startsWith("299 strake \"").contains("data");
    }

    @Test
    void shouldServeTheConfiguredWorkspaceAtTheShortAddress() throws Exception {
        Answer.of(strake, null, "PUT", "/api/v1.0/buckets/a/documents", POLICY);
        assertThat(ids(get("short", "/revisions"))).isEqualTo(numbers(1));
        for (String path : List.of("/versions", "/deckhand/any/versions")) {
            Answer versions = Answer.of(strake, null, "GET", path, "");
            assertThat(versions.documents())
                    .containsExactly(MapValue.of(
                            "v1.0", MapValue.of("path", new Text("/api/v1.0")).with("status", new Text("stable"))));
        }
        Answer health = Answer.of(strake, null, "GET", "/api/v1.0/health", "");
        assertThat(health.status()).isEqualTo(204);
        assertThat(health.header("Content-Type")).isNull();
        assertThat(health.header("X-Deckhand-Req")).isNull();
    }

    @Test
    void shouldAnswerHeadAsGetAndOptionsWithoutContent() throws Exception {
        ask(200, "HEAD", "methods", "/revisions", "");
        Answer options = ask(200, "OPTIONS", "methods", "/revisions", "");
        assertThat(options.header("Allow")).isEqualTo("GET, HEAD, DELETE, OPTIONS");
        assertThat(options.text()).isEmpty();
    }

    @Test
    void shouldAcceptRepeatedAndUnknownParameters() throws Exception {
        String many = Stream.generate(() -> "tag=x")
                .limit(30)
                .reduce((a, b) -> a + "&" + b)
                .orElseThrow();
        get(200, "parameters", "/revisions?" + many);
        ask(200, "PUT", "parameters", "/buckets/a/documents?dry-run=maybe&max-removals=x", POLICY);
    }
}
