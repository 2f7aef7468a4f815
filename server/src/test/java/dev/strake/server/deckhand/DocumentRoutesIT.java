package dev.strake.server.deckhand;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.server.CapturedLog;
import dev.strake.server.Installation;
import dev.strake.server.access.AuditLog;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Documents and their differences, requested by clients with and without permission for secrets. */
@ResourceLock("logs")
class DocumentRoutesIT {

    private static final String SECRET = "sw0rdfish";

    private static final String PASSWORD = """
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: sw0rdfish
            """;

    private static final Token WRITER = Token.create();
    private static final Token READER = Token.create();
    private static final Token TRUSTED = Token.create();
    private static CapturedLog audit;

    @TempDir
    static Path directory;

    private static Installation strake;

    @BeforeAll
    static void start() throws Exception {
        Path tokens = Files.writeString(
                directory.resolve("tokens"),
                WRITER.line("writer", List.of(Grant.parse("admin@*"))) + "\n"
                        + READER.line("reader", List.of(Grant.parse("reader@*"))) + "\n"
                        + TRUSTED.line("armada", List.of(Grant.parse("secrets-reader@*"))) + "\n");
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        strake = new Installation("deckhand-documents", directory.resolve("data"), 1)
                .with(Catalogue.SECRETS_KEYSET, keyset)
                .with(Catalogue.ACCESS_TOKENS, tokens);
        strake.startServer();
        audit = CapturedLog.of(AuditLog.LOGGER);
    }

    @AfterAll
    static void stop() {
        audit.close();
        strake.close();
    }

    private static Answer get(Token token, String workspace, String path) throws Exception {
        return Answer.of(strake, token, "GET", "/deckhand/" + workspace + "/api/v1.0/revisions/" + path, "");
    }

    private static Answer get(int status, Token token, String workspace, String path) throws Exception {
        return Answer.of(status, strake, token, "GET", "/deckhand/" + workspace + "/api/v1.0/revisions/" + path, "");
    }

    private static void put(String workspace, String bucket, String body) throws Exception {
        Answer.of(
                200,
                strake,
                WRITER,
                "PUT",
                "/deckhand/" + workspace + "/api/v1.0/buckets/" + bucket + "/documents",
                body);
    }

    private static String reading(String name, String source) {
        return """
                ---
                schema: example/Database/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                  substitutions: [{src: {schema: deckhand/Passphrase/v1, name: %s, path: .}, dest: {path: .password}}]
                data: {port: 5432}
                """.formatted(name, source);
    }

    private static List<String> names(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.documents().stream()
                .map(each -> each.map("metadata").text("name"))
                .toList();
    }

    @Test
    void shouldListDocumentsInOrderOfCreationWithTheirRevision() throws Exception {
        put("listed", "first", POLICY + document("web", 1) + document("api", 1));
        put("listed", "second", document("extra", 1));
        put("listed", "first", POLICY + document("web", 1) + document("api", 2));
        assertThat(names(get(READER, "listed", "3/documents"))).containsExactly("policy", "web", "extra", "api");
        assertThat(names(get(READER, "listed", "3/documents?order=desc&limit=-2")))
                .containsExactly("api", "extra");
        assertThat(revisions(get(READER, "listed", "3/documents")))
                .isEqualTo(Map.of("policy", Num.of(1), "web", Num.of(1), "extra", Num.of(2), "api", Num.of(3)));
        assertThat(revisions(get(READER, "listed", "2/rendered-documents")))
                .isEqualTo(Map.of("policy", Num.of(1), "web", Num.of(1), "extra", Num.of(2), "api", Num.of(1)));
        assertThat(names(get(READER, "listed", "3/rendered-documents?status.bucket=second")))
                .containsExactly("extra");
        assertThat(get(200, READER, "listed", "3/documents?metadata.name=nobody")
                        .text())
                .isEmpty();
    }

    private static Map<String, Value> revisions(Answer answer) {
        Map<String, Value> result = new TreeMap<>();
        answer.documents()
                .forEach(each -> result.put(
                        each.map("metadata").text("name"), each.map("status").get("revision")));
        return result;
    }

    @Test
    void shouldOmitValidationPolicies() throws Exception {
        put("policies", "b", POLICY + """
                ---
                schema: deckhand/ValidationPolicy/v1
                metadata: {schema: metadata/Control/v1, name: ready}
                data: {validations: [{name: site-validation}]}
                """);
        for (String list : List.of("documents", "rendered-documents")) {
            assertThat(names(get(READER, "policies", "1/" + list))).containsExactly("policy");
            assertThat(get(READER, "policies", "1/" + list + "?schema=deckhand/ValidationPolicy")
                            .text())
                    .isEmpty();
        }
    }

    @Test
    void shouldAnswerMissingRevisionsAsDeckhandDoes() throws Exception {
        put("missing", "b", POLICY);
        for (String list : List.of("documents", "rendered-documents")) {
            for (String revision : List.of("0", "2", "01", "-1", "latest", "99999999999999999999999")) {
                Answer answer = get(404, READER, "missing", revision + "/" + list);
                assertThat(answer.get("details.errorType").toString()).isNotEmpty();
                assertThat(answer.text()).contains("HTTPNotFound");
            }
        }
        for (String wrong : List.of("limit=many", "cleartext-secrets=maybe")) {
            assertThat(get(400, READER, "missing", "1/rendered-documents?" + wrong)
                            .text())
                    .contains("HTTPInvalidParam");
        }
    }

    @Test
    void shouldShowRenderedSecretsOnlyWithPermission() throws Exception {
        put("secrets", "b", POLICY + PASSWORD + reading("database", "password") + document("web", 1));
        String rendered = "1/rendered-documents";
        assertThat(get(TRUSTED, "secrets", rendered).text()).contains(SECRET).doesNotContain("******");
        assertThat(lastAudit())
                .contains("secrets shown", "armada", "/deckhand/secrets/api/v1.0/revisions/1/rendered-documents");
        Answer refused = get(403, READER, "secrets", rendered);
        assertThat(refused.text())
                .contains("HTTPForbidden", "secrets-reader@secrets")
                .doesNotContain(SECRET);
        assertThat(lastAudit()).contains("secrets refused", "reader");
        for (Token each : List.of(READER, TRUSTED)) {
            Answer masked = get(200, each, "secrets", rendered + "?cleartext-secrets=False");
            assertThat(masked.documents()).hasSize(4);
            assertThat(masked.text()).contains("******").doesNotContain(SECRET);
        }
        assertThat(names(get(READER, "secrets", rendered + "?schema=example/Server")))
                .as("nothing in it is secret")
                .containsExactly("web");
        get(403, READER, "secrets", rendered + "?schema=example/Server&cleartext-secrets=true");
    }

    @Test
    void shouldMaskPublishedDocumentsUnlessClearTextIsRequested() throws Exception {
        put("published", "b", POLICY + PASSWORD + reading("database", "password"));
        for (Token each : List.of(READER, TRUSTED)) {
            assertThat(get(each, "published", "1/documents").text())
                    .contains("******")
                    .doesNotContain(SECRET);
        }
        assertThat(get(TRUSTED, "published", "1/documents?cleartext-secrets=TRUE")
                        .text())
                .contains(SECRET);
        assertThat(lastAudit()).contains("secrets shown", "/documents");
        assertThat(get(403, READER, "published", "1/documents?cleartext-secrets=true")
                        .text())
                .doesNotContain(SECRET);
    }

    private static String lastAudit() {
        return audit.lines().get(audit.lines().size() - 1);
    }

    @Test
    void shouldSortByMasksForReadersWhoMayNotSeeSecrets() throws Exception {
        String other = PASSWORD.replace("name: password", "name: other");
        put("sorted", "b", POLICY + other.replace(SECRET, "aaa") + PASSWORD.replace(SECRET, "zzz"));
        String sorted = "1/documents?schema=deckhand/Passphrase&sort=data";
        List<String> clear = names(get(TRUSTED, "sorted", sorted + "&cleartext-secrets=true"));
        assertThat(clear).containsExactly("other", "password");
        List<MapValue> masked = get(READER, "sorted", sorted).documents();
        assertThat(masked).isSortedAccordingTo(Comparator.comparing(each -> each.text("data")));
    }

    @Test
    void shouldCompareRevisionsWithMasksForSecrets() throws Exception {
        put("compared", "b", POLICY + PASSWORD + reading("database", "password") + document("web", 1));
        put("compared", "more", document("extra", 1));
        put(
                "compared",
                "b",
                POLICY + PASSWORD.replace(SECRET, "marl1n") + reading("database", "password") + document("web", 2));
        Answer diff = get(READER, "compared", "1/diff/3");
        assertThat(diff.text()).isEqualToIgnoringWhitespace("b: modified more: created");
        assertThat(get(READER, "compared", "3/diff/1").text()).isEqualTo(diff.text());
        assertThat(get(READER, "compared", "0/diff/3").text()).isEqualToIgnoringWhitespace("b: created more: created");
        assertThat(get(READER, "compared", "2/diff/2").text())
                .isEqualToIgnoringWhitespace("b: unmodified more: unmodified");
        Answer deep = get(READER, "compared", "1/deepdiff/3");
        assertThat(deep.text()).doesNotContain(SECRET, "marl1n");
        MapValue changed =
                deep.documents().get(0).map("b diff").map("document_changed").map("details");
        assertThat(changed.keys())
                .containsExactlyInAnyOrder(
                        "('deckhand/Passphrase/v1', 'password')",
                        "('example/Database/v1', 'database')",
                        "('example/Server/v1', 'web')");
        assertThat(changed.map("('deckhand/Passphrase/v1', 'password')")
                        .map("data_changed")
                        .keys())
                .as("all of it is secret")
                .containsExactly("encrypted");
        MapValue database = changed.map("('example/Database/v1', 'database')")
                .map("data_changed")
                .map("values_changed");
        assertThat(database.keys()).containsExactly("root['password']");
        assertThat(List.of(
                        database.map("root['password']").text("old_value"),
                        database.map("root['password']").text("new_value")))
                .doesNotHaveDuplicates()
                .allMatch(each -> each.matches("\\*{6} [0-9a-f]{16}"));
        assertThat(changed.map("('example/Server/v1', 'web')")
                        .map("data_changed")
                        .map("values_changed")
                        .map("root['value']")
                        .get("new_value"))
                .isEqualTo(Num.of(2));
        get(400, READER, "compared", "first/deepdiff/3");
        get(404, READER, "compared", "-1/diff/3");
        get(404, READER, "compared", "3/diff/9");
    }

    @Test
    void shouldCompareWithAnEmptyRevisionAfterARollback() throws Exception {
        put("emptied", "b", POLICY + document("web", 1));
        Answer rollback = Answer.of(strake, WRITER, "POST", "/deckhand/emptied/api/v1.0/rollback/0", "");
        assertThat(rollback.status()).isEqualTo(201);
        put("emptied", "b", POLICY);
        Map<String, String> expected = Map.of(
                "2/diff/0",
                "{}",
                "0/diff/2",
                "{}",
                "2/diff/3",
                "b: created",
                "3/diff/2",
                "b: created",
                "1/diff/2",
                "b: deleted",
                "2/diff/1",
                "b: deleted",
                "1/deepdiff/2",
                "b: deleted");
        for (Map.Entry<String, String> each : expected.entrySet()) {
            assertThat(get(READER, "emptied", each.getKey()).text())
                    .as(each.getKey())
                    .isEqualToIgnoringWhitespace(each.getValue());
        }
    }

    @Test
    void shouldNotReportAnExplicitDefaultAsAModification() throws Exception {
        put("defaults", "b", POLICY + document("web", 1));
        put("defaults", "b", POLICY + document("web", 1).replace("{layer: site}", "{layer: site, abstract: false}"));
        for (String route : List.of("diff", "deepdiff")) {
            assertThat(get(READER, "defaults", "1/" + route + "/2").text())
                    .isEqualToIgnoringWhitespace("b: unmodified");
        }
    }

    @Test
    void shouldRenderAllOrNothingAndNameAllProblems() throws Exception {
        put("held", "b", POLICY + document("web", 1));
        put("held", "b", POLICY + document("web", 2) + reading("one", "nobody") + reading("two", "nobody"));
        for (String asked : List.of("2/rendered-documents", "2/rendered-documents?metadata.name=web", "1/deepdiff/2")) {
            Answer answer = get(409, TRUSTED, "held", asked);
            assertThat(answer.text()).contains("SubstitutionSourceNotFound");
            List<Value> messages = ((ListValue) answer.get("details.messageList")).items();
            assertThat(messages).hasSize(2);
            MapValue first = (MapValue) messages.get(0);
            assertThat(first.text("name")).isEqualTo("SubstitutionSourceNotFound");
            assertThat(first.text("level")).isEqualTo("Error");
            assertThat(((MapValue) first.items("documents").get(0)).text("name"))
                    .isEqualTo("one");
        }
        assertThat(names(get(TRUSTED, "held", "1/rendered-documents"))).containsExactly("policy", "web");
        assertThat(names(get(TRUSTED, "held", "2/documents"))).hasSize(4);
    }

    @Test
    void shouldRenderNothingWithoutALayeringPolicy() throws Exception {
        put("lawless", "b", document("web", 1));
        assertThat(get(409, TRUSTED, "lawless", "1/rendered-documents").text())
                .contains("errorType: LayeringPolicyNotFound");
    }
}
