package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents derived by collections: their content, when they are derived again, and what happens if they cannot be. */
class CollectionsInWorkspaceTest {

    private static final MapValue POLICY = TestDocument.layers("global", "site");
    private static final DocumentKey ALL = new DocumentKey("net/All/v1", "all");
    private static final DocumentId OWNER = new DocumentId("strake/Collection/v1", "site", "ports");
    private static final String INTO =
            "'schema':'net/Service/v1','path':'.port','into':{'schema':'net/All/v1','name':'all'}";

    private static final String INTO_ALL = "'path':'.port','into':{'schema':'net/All/v1','name':'all'}";

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    @Test
    void shouldLoadOnlyTheChangedDocumentOfACollection() {
        workspace.put(
                "b",
                POLICY,
                service("a", "'port':1,'id':'x'"),
                service("b", "'port':2,'id':'y'"),
                service("c", "'id':'z'"),
                ports(INTO + ",'as':'map','key':'.id'"));

        workspace.put("b", service("b", "'port':7,'id':'y'"));

        assertThat(derived()).isEqualTo("{\"x\":1,\"y\":7}");
        assertThat(workspace.loaded()).extracting(DocumentId::name).doesNotContain("a", "c");
    }

    @Test
    void shouldNameBothDocumentsWithTheSameKey() {
        workspace.put("b", POLICY, service("a", "'port':1,'id':'x'"), ports(INTO + ",'as':'map','key':'.id'"));

        workspace.put("b", service("b", "'port':2,'id':'x'"));

        Problem problem = workspace.head().evaluation(OWNER).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.DERIVATION_FAILED);
        assertThat(problem.message()).contains("[net/Service/v1, a] and [net/Service/v1, b]");
        assertThat(derived()).as("kept as it was").isEqualTo("{\"x\":1}");
    }

    @Test
    void shouldReportANameConflictOnTheDocumentAndTheOwner() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));

        workspace.put(
                "b",
                document("net/All/v1", "all").data("{'mine':1}"),
                document("net/On/v1", "on").data("{'x':1}"));

        DocumentId ordinary = new DocumentId("net/All/v1", "site", "all");
        for (DocumentId id : List.of(ordinary, OWNER)) {
            assertThat(workspace.head().evaluation(id).problem().code())
                    .isEqualTo(ProblemCode.DUPLICATE_DOCUMENT_EXISTS);
            assertThat(workspace.head().evaluation(id).problem().related()).containsExactly(ordinary, OWNER);
        }
        assertThat(derived()).as("kept as it was").isEqualTo("[1]");

        workspace.delete("b", OWNER);
        assertThat(derived()).isEqualTo("{\"mine\":1}");
    }

    @Test
    void shouldNotAcceptDerivedDocumentsAsSources() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));
        MapValue reader = document("net/On/v1", "r")
                .taking("net/All/v1", "all", ".", ".x")
                .data("{}");

        workspace.put("b", reader);

        Problem problem = workspace
                .head()
                .evaluation(new DocumentId("net/On/v1", "site", "r"))
                .problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);
        assertThat(problem.hint()).contains("derived documents cannot be sources");
    }

    @Test
    void shouldHideOnlyItemsOfEncryptedDocumentsInACollection() {
        workspace.put("b", POLICY, service("a", "'port':1"), service("b", "'port':2"), ports(INTO));
        assertThat(secretPlaces()).isEqualTo("[]");

        workspace.put("b", encryptedService("a", "'port':1"));

        assertThat(secretPlaces()).isEqualTo("[\"/0\"]");
        assertThat(policy()).as("not all of it is").isEqualTo("\"cleartext\"");
    }

    @Test
    void shouldHideAllDataOfAnEncryptedCollection() {
        workspace.put("b", POLICY, service("a", "'port':1"), encryptedPorts(INTO));

        assertThat(secretPlaces()).isEqualTo("[\"\"]");
        assertThat(policy()).isEqualTo("\"encrypted\"");
    }

    @Test
    void shouldHideKeysOfACollectionThatComeFromASecret() {
        workspace.put(
                "b",
                POLICY,
                encryptedService("a", "'port':1,'id':'hunter2'"),
                service("b", "'port':2,'id':'clear'"),
                ports("'schema':'net/Service/v1','as':'map','key':'.id'," + INTO_ALL));

        MapValue all = (MapValue) workspace.published().get(ALL).get("data");
        assertThat(all.keys()).containsExactly("hunter2", "clear");
        assertThat(all.isClosed()).isTrue();
        assertThat(secretPlaces()).isEqualTo("[\"\"]");
    }

    @Test
    void shouldPublishACollectionAgainWhenItsKeysAreNoLongerSecret() {
        MapValue collection = encryptedPorts("'schema':'net/Service/v1','as':'map','key':'.id'," + INTO_ALL);
        workspace.put("b", POLICY, encryptedService("a", "'port':1,'id':'a'"), collection);
        assertThat(((MapValue) workspace.published().get(ALL).get("data")).isClosed())
                .isTrue();

        Update update = workspace.put("b", service("a", "'port':1,'id':'a'"));

        assertThat(update.emissions()).extracting(Emission::key).contains(ALL);
        assertThat(((MapValue) workspace.published().get(ALL).get("data")).isClosed())
                .isFalse();
        assertThat(secretPlaces()).as("of an encrypted collection").isEqualTo("[\"\"]");
    }

    @Test
    void shouldReportAnInvalidCollection() {
        workspace.put(
                "b", POLICY, ports("'schema':'net/Service/v1','into':{'schema':'strake/Collection/v1','name':'x'}"));

        Problem problem = workspace.head().evaluation(OWNER).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_COLLECTION);
        assertThat(problem.path()).isEqualTo(".data.into.schema");
    }

    @ParameterizedTest
    @ValueSource(strings = {".into.name", ".path", ".schema", ".labels"})
    void shouldDeriveNothingWhenTheSelectionIsSealed(String place) {
        MapValue sealed = document("net/Secret/v1", "s").data("{}").with("data", Text.sealed("AWk2"));
        MapValue taking = ports().taking("net/Secret/v1", "s", ".", place).data("{" + INTO + "}");

        workspace.put("b", POLICY, sealed, service("a", "'port':1"), taking);

        assertThat(workspace.head().problems(9)).isEmpty();
        assertThat(workspace.published().keySet()).noneMatch(key -> key.schema().equals(ALL.schema()));
    }

    /** In clear, the sealed value may be null. Then the collection skips the document, and its key does not matter. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'id':'x'}", "{'id':[]}"})
    void shouldReportNoKeyOfADocumentWithASealedValue(String data) {
        MapValue sealed = document("net/Secret/v1", "s").data("{}").with("data", Text.sealed("AWk2"));
        MapValue unknown = document("net/Service/v1", "b")
                .taking("net/Secret/v1", "s", ".", ".port")
                .data(data);

        workspace.put(
                "b",
                POLICY,
                sealed,
                unknown,
                service("a", "'port':1,'id':'x'"),
                service("c", "'id':'z'"),
                ports(INTO + ",'as':'map','key':'.id'"));

        assertThat(workspace.head().problems(9)).isEmpty();
        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();
        assertThat(((MapValue) workspace.published().get(ALL).get("data")).keys())
                .containsExactly("x");
    }

    private String derived() {
        return Json.text(workspace.published().get(ALL).get("data"));
    }

    private String secretPlaces() {
        return Json.text(
                SecretPlaces.of(workspace.published().get(ALL).get("data")).pointers());
    }

    private String policy() {
        return Json.text(((MapValue) workspace.published().get(ALL).get("metadata")).get("storagePolicy"));
    }

    private static TestDocument ports() {
        return document("strake/Collection/v1", "ports");
    }

    private static MapValue ports(String data) {
        return ports().data("{" + data + "}");
    }

    private static MapValue encryptedPorts(String data) {
        return ports().encrypted().data("{" + data + "}");
    }

    private static MapValue service(String name, String data) {
        return document("net/Service/v1", name).data("{" + data + "}");
    }

    private static MapValue encryptedService(String name, String data) {
        return document("net/Service/v1", name).encrypted().data("{" + data + "}");
    }
}
