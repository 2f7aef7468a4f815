package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data schemas for documents whose schema Deckhand rejects. For Deckhand they are ordinary documents. */
class SchemasOfAnyNameTest {

    private static final MapValue POLICY =
            Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'name':'p'},'data':{'layerOrder':['site']}}");
    private static final DocumentId SCHEMA = new DocumentId("deckhand/DataSchema/v1", "", "my-app/Port.s/v1");
    private static final DocumentId PORTS = new DocumentId("my-app/Port.s/v1", "site", "web");

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    @Test
    void shouldCheckTheDocuments() {
        workspace.put("b", POLICY, schema("{'type':'integer'}"), ports("80"));
        assertThat(problem(PORTS)).isNull();
        workspace.put("b", ports("'80'"));
        assertThat(problem(PORTS).message()).startsWith("violates the schema my-app/Port.s/v1: .data ");
        assertThat(problem(PORTS).related()).containsExactly(SCHEMA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a text'", "7", "null", "{'type':12}", "{'properties':{'a':3}}"})
    void shouldReportAnInvalidSchemaOnlyWhenADocumentNeedsIt(String data) {
        workspace.put("b", POLICY, schema(data));
        assertThat(problem(SCHEMA)).isNull();
        assertThat(workspace.published()).containsKey(SCHEMA.key());

        workspace.put("b", ports("80"));
        assertThat(problem(SCHEMA)).isNull();
        assertThat(problem(PORTS).message())
                .startsWith("cannot be checked against the schema my-app/Port.s/v1: the schema ");
        assertThat(problem(PORTS).related()).containsExactly(SCHEMA);

        workspace.put("b", schema("{}"));
        assertThat(problem(PORTS)).isNull();
        assertThat(workspace.published()).containsKey(new DocumentKey("my-app/Port.s/v1", "web"));
    }

    @Test
    void shouldCheckDerivedDocumentsInTheSameWay() {
        MapValue gather = document(
                "strake/Collection/v1",
                "gather",
                "{'schema':'net/Service/v1','into':{'schema':'my-app/Port.s/v1','name':'all'}}");
        workspace.put("b", POLICY, gather, schema("'a text'"));
        DocumentId owner = new DocumentId("strake/Collection/v1", "site", "gather");
        assertThat(problem(owner).message())
                .isEqualTo("derives [my-app/Port.s/v1, all], whose data cannot be checked against the schema "
                        + "my-app/Port.s/v1: the schema has to be a mapping");
        workspace.put("b", schema("{'type':'array'}"));
        assertThat(problem(owner)).isNull();
    }

    private Problem problem(DocumentId id) {
        return workspace.head().evaluation(id).problem();
    }

    private static MapValue schema(String data) {
        return Json.map("{'schema':'deckhand/DataSchema/v1','metadata':{'name':'my-app/Port.s/v1'}}")
                .with("data", Json.value(data));
    }

    private static MapValue ports(String data) {
        return document("my-app/Port.s/v1", "web", data);
    }

    private static MapValue document(String schema, String name, String data) {
        return Json.map("{'schema':'" + schema + "','metadata':{'name':'" + name
                        + "','layeringDefinition':{'layer':'site'}}}")
                .with("data", Json.value(data));
    }
}
