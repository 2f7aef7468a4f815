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
import org.junit.jupiter.api.Test;

/** Derived documents have to fit the DataSchema of their schema, as all documents do. */
class DerivedDataSchemasTest {

    private static final MapValue POLICY = TestDocument.layers("site");
    private static final MapValue GATHER = document("strake/Collection/v1", "gather")
            .data("{'schema':'net/Service/v1','path':'.port','into':{'schema':'net/All/v1','name':'all'}}");
    private static final DocumentId OWNER = new DocumentId("strake/Collection/v1", "site", "gather");
    private static final DocumentId SCHEMA = new DocumentId("deckhand/DataSchema/v1", "", "net/All/v1");

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    @Test
    void shouldHoldBackADerivedDocumentThatBreaksTheSchema() {
        workspace.put("b", POLICY, service("a", "1"), GATHER, schema("{'items':{'type':'integer'}}"));
        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();

        workspace.put("b", service("b", "'two'"));

        Problem problem = workspace.head().evaluation(OWNER).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_DOCUMENT_FORMAT);
        assertThat(problem.message())
                .startsWith("derives [net/All/v1, all], whose data violates the schema net/All/v1: .data[1]");
        assertThat(problem.related()).containsExactly(SCHEMA);
        assertThat(derived()).as("kept as it was").isEqualTo("[1]");

        workspace.put("b", service("b", "2"));
        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();
        assertThat(derived()).isEqualTo("[1,2]");
    }

    @Test
    void shouldCheckAgainWhenTheSchemaIsAddedChangedOrRemoved() {
        workspace.put("b", POLICY, service("a", "1"), GATHER);

        workspace.put("b", schema("{'items':{'type':'string'}}"));
        assertThat(workspace.derived()).containsExactly(OWNER);
        assertThat(workspace.head().evaluation(OWNER).problem()).isNotNull();

        workspace.put("b", schema("{'maxItems':1}"));
        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();

        workspace.put("b", schema("{'maxItems':0}"));
        assertThat(workspace.head().evaluation(OWNER).problem()).isNotNull();

        workspace.delete("b", SCHEMA);
        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();
        assertThat(derived()).isEqualTo("[1]");
    }

    @Test
    void shouldNotCheckAgainForTheSchemaOfOtherDocuments() {
        workspace.put("b", POLICY, service("a", "1"), GATHER);

        workspace.put("b", TestDocument.dataSchema("net/No/v1", "{}"));

        assertThat(workspace.derived()).isEmpty();
    }

    @Test
    void shouldBeBlockedByAnInvalidSchema() {
        workspace.put("b", POLICY, service("a", "1"), GATHER, schema("{'type':12}"));

        assertThat(workspace.head().evaluation(OWNER).problem().message())
                .startsWith("reads [deckhand/DataSchema/v1, , net/All/v1], which cannot be rendered");
        assertThat(workspace.published()).doesNotContainKey(new DocumentKey("net/All/v1", "all"));
    }

    private String derived() {
        return Json.text(
                workspace.published().get(new DocumentKey("net/All/v1", "all")).get("data"));
    }

    private static MapValue schema(String data) {
        return TestDocument.dataSchema("net/All/v1", data);
    }

    private static MapValue service(String name, String port) {
        return document("net/Service/v1", name).data("{'port':" + port + "}");
    }
}
