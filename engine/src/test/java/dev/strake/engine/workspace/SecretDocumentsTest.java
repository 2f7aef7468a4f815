package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which documents are secret because of others, and what consumers learn about it. */
class SecretDocumentsTest {

    private static final MapValue POLICY = TestDocument.layers("global", "site");
    private static final String MASK = "****** 6f1c22ab90d1e0f3";

    private static final String OPERATIONS = "strake/Operations/v1";

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    private static MapValue password(String policy, String value) {
        return document("t/A/v1", "password")
                .in("global")
                .policy(policy)
                .labels("{'is':'base'}")
                .data("{'v':'" + value + "','w':1}");
    }

    private static MapValue child(String own) {
        return document("t/A/v1", "child").over("{'is':'base'}").data("{'own':" + own + "}");
    }

    private static TestDocument takingPassword(String schema, String name, String destination) {
        return document(schema, name).taking("t/A/v1", "password", ".v", destination);
    }

    private static MapValue reader() {
        return takingPassword("t/B/v1", "reader", ".p").data("{}");
    }

    private static MapValue plain(String name) {
        return document("t/B/v1", name).data("{'v':1}");
    }

    private static MapValue collection() {
        return document("strake/Collection/v1", "all")
                .data("{'schema':'t/B/v1','into':{'schema':'t/All/v1','name':'all'}}");
    }

    private boolean isSecret(String schema, String layer, String name) {
        return workspace.head().graph().isSecret(new DocumentId(schema, layer, name));
    }

    private String places(String schema, String name) {
        MapValue record = workspace.published().get(new DocumentKey(schema, name));
        return Json.text(SecretPlaces.of(record.get("data")).pointers());
    }

    private Set<String> secret() {
        return workspace.secret().stream().map(DocumentKey::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldMakeValuesFromAnEncryptedDocumentSecretThroughAllSteps() {
        workspace.put(
                "b",
                POLICY,
                password("encrypted", "x"),
                child("1"),
                reader(),
                operations(
                        takingPassword(OPERATIONS, "operations", ".operations[0].value"),
                        "{'type':'replace','path':'/v','value':0}"),
                plain("target"),
                document("t/B/v1", "last")
                        .taking("t/A/v1", "child", ".own", ".p")
                        .data("{}"),
                plain("other"));

        assertThat(secret()).containsExactly("child", "password", "reader", "target");
        assertThat(places("t/A/v1", "password")).isEqualTo("[\"\"]");
        assertThat(places("t/A/v1", "child")).as("its own value is its own").isEqualTo("[\"/v\",\"/w\"]");
        assertThat(places("t/B/v1", "reader")).isEqualTo("[\"/p\"]");
        assertThat(places("t/B/v1", "target")).isEqualTo("[\"/v\"]");
        assertThat(places("t/B/v1", "last")).as("what it took is clear").isEqualTo("[]");
        assertThat(isSecret("strake/Operations/v1", "site", "operations")).isTrue();
    }

    @Test
    void shouldPublishDocumentsAgainWhenOnlyTheirSecrecyChanges() {
        workspace.put("b", POLICY, password("cleartext", "x"), reader(), plain("other"));
        assertThat(secret()).isEmpty();

        Update update = workspace.put("b", password("encrypted", "x"));
        assertThat(update.emissions()).extracting(each -> each.key().name()).containsExactly("password", "reader");
        assertThat(update.work().evaluated())
                .as("what was edited, and what takes of it")
                .isEqualTo(2);
        assertThat(secret()).containsExactly("password", "reader");

        Update back = workspace.put("b", password("cleartext", "x"));
        assertThat(back.emissions()).extracting(each -> each.key().name()).containsExactly("password", "reader");
        assertThat(secret()).isEmpty();
    }

    @Test
    void shouldStaySecretWhileAnySourceIsSecret() {
        MapValue second = document("t/A/v1", "second").in("global").encrypted().data("{'v':2}");
        MapValue reader = takingPassword("t/B/v1", "reader", ".p")
                .taking("t/A/v1", "second", ".v", ".q")
                .data("{}");
        workspace.put("b", POLICY, password("encrypted", "x"), second, reader);

        workspace.put("b", password("cleartext", "x"));
        assertThat(secret()).containsExactly("reader", "second");

        workspace.delete("b", new DocumentId("t/A/v1", "global", "second"));
        assertThat(isSecret("t/B/v1", "site", "reader"))
                .as("its other source is clear")
                .isFalse();
    }

    @Test
    void shouldNotKeepACycleSecretByItself() {
        TestDocument one = document("t/B/v1", "one").taking("t/B/v1", "two", ".v", ".v");
        MapValue two =
                document("t/B/v1", "two").taking("t/B/v1", "one", ".v", ".v").data("{'v':1}");
        workspace.put("b", POLICY, one.encrypted().data("{'v':1}"), two);
        assertThat(isSecret("t/B/v1", "site", "two")).isTrue();

        workspace.put("b", one.policy("cleartext").data("{'v':1}"));
        assertThat(workspace.head().graph().hasSecrets()).isFalse();
    }

    @Test
    void shouldNotMakeDocumentsSecretByAnEncryptedSchema() {
        workspace.put("b", POLICY, schema("t/B/v1", "encrypted", "{'type':'object'}"), plain("checked"));

        assertThat(secret()).containsExactly("t/B/v1");
    }

    private static MapValue operations(TestDocument document, String operation) {
        return document.data("{'target':{'schema':'t/B/v1','name':'target'},'operations':[" + operation + "]}");
    }

    private static MapValue operations(String policy, String operation) {
        return operations(document(OPERATIONS, "operations").policy(policy), operation);
    }

    private String said() {
        return workspace.head().problems(9).stream().map(Problem::describe).collect(Collectors.joining());
    }

    @Test
    void shouldQuoteNothingOfSecretOperationsThatFail() {
        String failing = "{'type':'replace','path':'/users/name=hunter2/p','value':1,'error':'hunter2'}";
        workspace.put("b", POLICY, plain("target"), operations("cleartext", failing));
        assertThat(said()).as("their author sees what fails").contains("name=hunter2");

        workspace.put("b", operations("encrypted", failing));
        assertThat(said())
                .contains("OperationFailed", "[0]", "they are not shown")
                .doesNotContain("hunter2");

        workspace.put("b", operations("cleartext", failing));
        assertThat(said()).contains("name=hunter2");
    }

    @Test
    void shouldNotEvaluateAgainWhenASecretProblemIsLongerThanAMessage() {
        String layer = "l".repeat(1_000);
        TestDocument source = document("t/A/v1", "source").in(layer);
        workspace.put(
                "b",
                TestDocument.layers(layer),
                source.data("{'v':1,'w':1}"),
                document("t/B/v1", "target")
                        .in(layer)
                        .taking("t/A/v1", "source", ".v", ".v")
                        .data("{}"),
                operations(
                        document(OPERATIONS, "o".repeat(1_000)).in(layer).encrypted(),
                        "{'type':'remove','path':'/none'}"));

        Update update = workspace.put("b", source.data("{'v':1,'w':2}"));

        assertThat(said()).contains("OperationFailed");
        assertThat(update.work().evaluated()).isEqualTo(1);
    }

    @Test
    void shouldQuoteNothingOfOperationsWithASecretPath() {
        workspace.put(
                "b",
                POLICY,
                password("encrypted", "/hunter2/deeper"),
                plain("target"),
                operations(
                        takingPassword(OPERATIONS, "operations", ".operations[0].path"),
                        "{'type':'replace','value':1}"));

        assertThat(said()).contains("OperationFailed").doesNotContain("hunter2");
    }

    @Test
    void shouldQuoteNothingOfInvalidSecretOperationsAndCollections() {
        MapValue collection = document("strake/Collection/v1", "all")
                .encrypted()
                .data("{'schema':'t/B/v1','path':'.a[hunter2','into':{'schema':'t/All/v1','name':'all'}}");
        MapValue operations = operations("encrypted", "{'type':'replace','path':'hunter2','value':1}");
        workspace.put("b", POLICY, plain("target"), collection, operations);

        assertThat(said()).contains("InvalidOperations", "InvalidCollection").doesNotContain("hunter2");
    }

    private static MapValue schema(String of, String policy, String body) {
        MapValue schema = TestDocument.dataSchema(of, body);
        return schema.with("metadata", schema.map("metadata").with("storagePolicy", new Text(policy)));
    }

    @Test
    void shouldQuoteNothingOfSecretDataSchemas() {
        String rule = "{'properties':{'v':{'enum':['hunter2']}}}";
        workspace.put("b", POLICY, plain("target"), schema("t/B/v1", "cleartext", rule));
        assertThat(said()).as("its author sees the rule").contains("hunter2");

        workspace.put("b", schema("t/B/v1", "encrypted", rule));
        assertThat(said())
                .contains("InvalidDocumentFormat", ".data.v", "they are not shown")
                .doesNotContain("hunter2");

        workspace.put("b", schema("t/B/v1", "cleartext", rule));
        assertThat(said()).contains("hunter2");

        workspace.put("b", schema("t/B/v1", "encrypted", "{'type':'hunter2'}"));
        assertThat(said()).contains("InvalidDocumentFormat").doesNotContain("hunter2");
    }

    @Test
    void shouldQuoteNothingOfSecretDataSchemasOfDerivedDocuments() {
        String rule = "{'items':{'enum':['hunter2']}}";
        workspace.put("b", POLICY, plain("target"), collection(), schema("t/All/v1", "cleartext", rule));
        assertThat(said()).contains("hunter2");

        workspace.put("b", schema("t/All/v1", "encrypted", rule));
        assertThat(said())
                .contains("InvalidDocumentFormat", "they are not shown")
                .doesNotContain("hunter2");
    }

    private void assertMaskRejected(MapValue document, String place) {
        assertThatThrownBy(() -> workspace.put("b", document))
                .isInstanceOf(TestWorkspace.RejectedException.class)
                .hasMessageContaining("has a mask or ciphertext instead of a value")
                .hasMessageContaining(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {"encrypted", "cleartext"})
    void shouldRejectMasksInPlaceOfSecrets(String policy) {
        workspace.put("b", POLICY, password("encrypted", "x"));

        assertMaskRejected(password(policy, MASK), ".data.v");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'****** 6f1c22ab90d1e0f3'", "{'$sealed':'AXx4'}", "[{'$sealed':'AXx4'}]"})
    void shouldRejectMasksAndCiphertextsInClearDocuments(String value) {
        workspace.put("b", POLICY, password("cleartext", "x"));

        assertMaskRejected(document("t/A/v1", "app").data("{'v':" + value + "}"), ".data.v");
        workspace.put("b", password("cleartext", "****** my password")); // unlike any mask
    }

    @Test
    void shouldRejectMasksInADocumentWithASecretParent() {
        workspace.put("b", POLICY, password("encrypted", "x"), child("1"));
        assertThat(secret()).contains("child");

        assertMaskRejected(child("'" + MASK + "'"), ".data.own"); // a reader saw only masks
    }

    @Test
    void shouldMarkSecretItemsOfACollection() {
        workspace.put("b", POLICY, password("cleartext", "x"), reader(), collection());
        assertThat(secret()).isEmpty();

        workspace.put("b", password("encrypted", "x"));
        assertThat(secret()).containsExactly("all", "password", "reader");
        assertThat(places("t/All/v1", "all")).isEqualTo("[\"/0/p\"]");

        workspace.put("b", password("cleartext", "x"));
        assertThat(secret()).isEmpty();
    }
}
