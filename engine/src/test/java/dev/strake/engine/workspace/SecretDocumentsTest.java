package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which documents are secret because of others, and what consumers learn about it. */
class SecretDocumentsTest {

    private static final MapValue POLICY = Json.map("""
            {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'policy'},
             'data':{'layerOrder':['global','site']}}
            """);
    private static final String FROM_PASSWORD =
            "'substitutions':[{'src':{'schema':'t/A/v1','name':'password','path':'.v'},'dest':{'path':'.p'}}]";
    private static final String MERGING = "'actions':[{'method':'merge','path':'.'}]";

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    private static MapValue document(String schema, String name, String policy, String more, String data) {
        return Json.map("{'schema':'" + schema + "','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'" + policy + "'," + more + "},'data':" + data + "}");
    }

    private static MapValue password(String policy, String value) {
        return document(
                "t/A/v1",
                "password",
                policy,
                "'labels':{'is':'base'},'layeringDefinition':{'layer':'global'}",
                "{'v':'" + value + "','w':1}");
    }

    private static MapValue child(String name, String labels) {
        String layering = "'layeringDefinition':{'layer':'site','parentSelector':" + labels + "," + MERGING + "}";
        return document("t/A/v1", name, "cleartext", layering, "{'own':1}");
    }

    private static MapValue reader(String name, String more) {
        return document(
                "t/B/v1", name, "cleartext", "'layeringDefinition':{'layer':'site'}," + FROM_PASSWORD + more, "{}");
    }

    private static MapValue plain(String name) {
        return document("t/B/v1", name, "cleartext", "'layeringDefinition':{'layer':'site'}", "{'v':1}");
    }

    private String places(String schema, String name) {
        MapValue record = workspace.published().get(new DocumentKey(schema, name));
        return Json.text(SecretPlaces.of(record.get("data")).pointers());
    }

    private Set<String> secret() {
        return workspace.secret().stream().map(DocumentKey::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldMakeSecretWhatIsMadeOfAnEncryptedDocumentOverAnyNumberOfSteps() {
        MapValue operations = document(
                "strake/Operations/v1",
                "operations",
                "cleartext",
                "'layeringDefinition':{'layer':'site'}," + FROM_PASSWORD.replace("'.p'", "'.operations[0].value'"),
                "{'target':{'schema':'t/B/v1','name':'target'},"
                        + "'operations':[{'type':'replace','path':'/v','value':0}]}");
        MapValue last = document(
                "t/B/v1",
                "last",
                "cleartext",
                "'layeringDefinition':{'layer':'site'},"
                        + "'substitutions':[{'src':{'schema':'t/A/v1','name':'child','path':'.own'},'dest':{'path':'.p'}}]",
                "{}");
        workspace.put(
                "b",
                POLICY,
                password("encrypted", "x"),
                child("child", "{'is':'base'}"),
                reader("reader", ""),
                operations,
                plain("target"),
                last,
                plain("other"));

        assertThat(secret()).containsExactly("child", "password", "reader", "target");
        assertThat(places("t/A/v1", "password")).isEqualTo("[\"\"]");
        assertThat(places("t/A/v1", "child")).as("its own value is its own").isEqualTo("[\"/v\",\"/w\"]");
        assertThat(places("t/B/v1", "reader")).isEqualTo("[\"/p\"]");
        assertThat(places("t/B/v1", "target")).isEqualTo("[\"/v\"]");
        assertThat(places("t/B/v1", "last")).as("what it took is clear").isEqualTo("[]");
        assertThat(workspace.head().graph().isSecret(new DocumentId("strake/Operations/v1", "site", "operations")))
                .isTrue();
    }

    @Test
    void shouldPublishAgainWhatBecomesSecretAndWhatIsSoNoLongerThoughAllDataIsTheSame() {
        workspace.put("b", POLICY, password("cleartext", "x"), reader("reader", ""), plain("other"));
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
    void shouldStaySecretWhileOneOfSeveralSourcesIs() {
        MapValue second =
                document("t/A/v1", "second", "encrypted", "'layeringDefinition':{'layer':'global'}", "{'v':2}");
        String both = FROM_PASSWORD.replace(
                "]", ",{'src':{'schema':'t/A/v1','name':'second','path':'.v'},'dest':{'path':'.q'}}]");
        MapValue reader =
                document("t/B/v1", "reader", "cleartext", "'layeringDefinition':{'layer':'site'}," + both, "{}");
        workspace.put("b", POLICY, password("encrypted", "x"), second, reader);

        workspace.put("b", password("cleartext", "x"));
        assertThat(secret()).containsExactly("reader", "second");

        workspace.delete("b", new DocumentId("t/A/v1", "global", "second"));
        assertThat(workspace.head().graph().isSecret(new DocumentId("t/B/v1", "site", "reader")))
                .as("its other source is clear")
                .isFalse();
    }

    @Test
    void shouldNotLetACycleKeepItselfSecret() {
        String one = "'layeringDefinition':{'layer':'site'},"
                + "'substitutions':[{'src':{'schema':'t/B/v1','name':'two','path':'.v'},'dest':{'path':'.v'}}]";
        MapValue first = document("t/B/v1", "one", "encrypted", one, "{'v':1}");
        MapValue second = document("t/B/v1", "two", "cleartext", one.replace("'two'", "'one'"), "{'v':1}");
        workspace.put("b", POLICY, first, second);
        assertThat(workspace.head().graph().isSecret(new DocumentId("t/B/v1", "site", "two")))
                .isTrue();

        workspace.put("b", document("t/B/v1", "one", "cleartext", one, "{'v':1}"));
        assertThat(workspace.head().graph().hasSecrets()).isFalse();
    }

    @Test
    void shouldNotMakeDocumentsSecretThatAnEncryptedSchemaOnlyChecks() {
        MapValue schema = Json.map("""
                {'schema':'deckhand/DataSchema/v1','metadata':{'schema':'metadata/Control/v1','name':'t/B/v1',
                 'storagePolicy':'encrypted'},'data':{'type':'object'}}
                """);
        workspace.put("b", POLICY, schema, plain("checked"));

        assertThat(secret()).containsExactly("t/B/v1");
    }

    private static MapValue operations(String policy, String more, String operation) {
        return document(
                "strake/Operations/v1",
                "operations",
                policy,
                "'layeringDefinition':{'layer':'site'}" + more,
                "{'target':{'schema':'t/B/v1','name':'target'},'operations':[" + operation + "]}");
    }

    private String said() {
        return workspace.head().problems(9).stream().map(Problem::describe).collect(Collectors.joining());
    }

    @Test
    void shouldQuoteNothingOfSecretOperationsThatFail() {
        String failing = "{'type':'replace','path':'/users/name=hunter2/p','value':1,'error':'hunter2'}";
        workspace.put("b", POLICY, plain("target"), operations("cleartext", "", failing));
        assertThat(said()).as("their author sees what fails").contains("name=hunter2");

        workspace.put("b", operations("encrypted", "", failing));
        assertThat(said())
                .contains("OperationFailed", "[0]", "they are not shown")
                .doesNotContain("hunter2");

        workspace.put("b", operations("cleartext", "", failing));
        assertThat(said()).contains("name=hunter2");
    }

    @Test
    void shouldQuoteNothingOfOperationsThatTookTheirPathFromASecret() {
        String substituting = "," + FROM_PASSWORD.replace("'.p'", "'.operations[0].path'");
        workspace.put(
                "b",
                POLICY,
                password("encrypted", "/hunter2/deeper"),
                plain("target"),
                operations("cleartext", substituting, "{'type':'replace','value':1}"));

        assertThat(said()).contains("OperationFailed").doesNotContain("hunter2");
    }

    @Test
    void shouldQuoteNothingOfSecretOperationsAndCollectionsThatAreNotValid() {
        MapValue collection = document(
                "strake/Collection/v1",
                "all",
                "encrypted",
                "'layeringDefinition':{'layer':'site'}",
                "{'schema':'t/B/v1','path':'.a[hunter2','into':{'schema':'t/All/v1','name':'all'}}");
        workspace.put(
                "b",
                POLICY,
                plain("target"),
                collection,
                operations("encrypted", "", "{'type':'replace','path':'hunter2','value':1}"));

        assertThat(said()).contains("InvalidOperations", "InvalidCollection").doesNotContain("hunter2");
    }

    private static MapValue schema(String of, String policy, String body) {
        return Json.map("{'schema':'deckhand/DataSchema/v1','metadata':{'schema':'metadata/Control/v1','name':'" + of
                + "','storagePolicy':'" + policy + "'},'data':" + body + "}");
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
        MapValue collection = document(
                "strake/Collection/v1",
                "all",
                "cleartext",
                "'layeringDefinition':{'layer':'site'}",
                "{'schema':'t/B/v1','into':{'schema':'t/All/v1','name':'all'}}");
        String rule = "{'items':{'enum':['hunter2']}}";
        workspace.put("b", POLICY, plain("target"), collection, schema("t/All/v1", "cleartext", rule));
        assertThat(said()).contains("hunter2");

        workspace.put("b", schema("t/All/v1", "encrypted", rule));
        assertThat(said())
                .contains("InvalidDocumentFormat", "they are not shown")
                .doesNotContain("hunter2");
    }

    @Test
    void shouldRejectMasksInThePlaceOfSecrets() {
        String mask = "****** 6f1c22ab90d1e0f3";
        workspace.put("b", POLICY, password("encrypted", "x"));

        assertThatThrownBy(() -> workspace.put("b", password("encrypted", mask)))
                .isInstanceOf(TestWorkspace.RejectedException.class)
                .hasMessageContaining("has a mask or ciphertext instead of a value")
                .hasMessageContaining(".data.v");
    }

    @Test
    void shouldRejectMasksInThePlaceOfSecretsWhenTheEditSaysThatTheyAreNoneAnyMore() {
        String mask = "****** 6f1c22ab90d1e0f3";
        workspace.put("b", POLICY, password("encrypted", "x"));

        assertThatThrownBy(() -> workspace.put("b", password("cleartext", mask)))
                .isInstanceOf(TestWorkspace.RejectedException.class)
                .hasMessageContaining("has a mask or ciphertext instead of a value")
                .hasMessageContaining(".data.v");
    }

    @Test
    void shouldRejectMasksAndCiphertextsInDocumentsInClearTextAsConsumersGetThem() {
        workspace.put("b", POLICY, password("cleartext", "x"));

        for (String read : List.of("'****** 6f1c22ab90d1e0f3'", "{'$sealed':'AXx4'}", "[{'$sealed':'AXx4'}]")) {
            MapValue app = document(
                    "t/A/v1", "app", "cleartext", "'layeringDefinition':{'layer':'site'}", "{'v':" + read + "}");
            assertThatThrownBy(() -> workspace.put("b", app))
                    .isInstanceOf(TestWorkspace.RejectedException.class)
                    .hasMessageContaining("has a mask or ciphertext instead of a value")
                    .hasMessageContaining(".data.v");
        }
        workspace.put("b", password("cleartext", "****** my password")); // unlike any mask
    }

    @Test
    void shouldRejectMasksInADocumentThatIsMadeOfASecret() {
        MapValue masked = document(
                "t/A/v1",
                "child",
                "cleartext",
                "'layeringDefinition':{'layer':'site','parentSelector':{'is':'base'}," + MERGING + "}",
                "{'own':'****** 6f1c22ab90d1e0f3'}");
        workspace.put("b", POLICY, password("encrypted", "x"), child("child", "{'is':'base'}"));
        assertThat(secret()).contains("child");

        assertThatThrownBy(() -> workspace.put("b", masked)) // a reader saw only masks
                .isInstanceOf(TestWorkspace.RejectedException.class)
                .hasMessageContaining(".data.own");
    }

    @Test
    void shouldMarkACollectionOfWhatIsMadeOfASecret() {
        MapValue collection = document(
                "strake/Collection/v1",
                "all",
                "cleartext",
                "'layeringDefinition':{'layer':'site'}",
                "{'schema':'t/B/v1','into':{'schema':'t/All/v1','name':'all'}}");
        workspace.put("b", POLICY, password("cleartext", "x"), reader("reader", ""), collection);
        assertThat(secret()).isEmpty();

        workspace.put("b", password("encrypted", "x"));
        assertThat(secret()).containsExactly("all", "password", "reader");
        assertThat(places("t/All/v1", "all")).isEqualTo("[\"/0/p\"]");

        workspace.put("b", password("cleartext", "x"));
        assertThat(secret()).isEmpty();
    }
}
