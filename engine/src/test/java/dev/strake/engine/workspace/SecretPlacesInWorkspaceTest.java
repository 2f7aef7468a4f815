package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.explain.Cause;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.SecretPlaces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The secret places of a document {@code reader} that substitutes from an encrypted one. */
class SecretPlacesInWorkspaceTest {

    private static final String SECRET =
            "{'text':'TOKEN','map':{'x':1,'y':[2]},'list':['l'],'number':7,'none':{},'user':'name: root'}";

    private final TestWorkspace workspace = new TestWorkspace();

    SecretPlacesInWorkspaceTest() {
        workspace.put("b", TestDocument.layers("global", "site"), source("encrypted", SECRET));
    }

    private static MapValue source(String policy, String data) {
        return document("t/Source/v1", "source").in("global").policy(policy).data(data);
    }

    private static TestDocument reader() {
        return document("t/Reader/v1", "reader");
    }

    private static TestDocument taking(String src, String dest) {
        return reader().taking("{'schema':'t/Source/v1','name':'source'," + src + "}", "{" + dest + "}");
    }

    private MapValue published() {
        return workspace.published().get(new DocumentKey("t/Reader/v1", "reader"));
    }

    private String places() {
        return Json.text(SecretPlaces.of(published().get("data")).pointers()).replace('"', '\'');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'path':'.text'                            | 'path':'.a'                                  | ['/a']",
                "'path':'.map'                             | 'path':'.a.b'                                | ['/a/b']",
                "'path':'.map'                             | 'path':'.l[1]'                               | ['/l/1']",
                "'path':'.list'                            | 'path':'.l[3]'                               | ['/l/3']",
                "'path':'.'                                | 'path':'.'   | ['/text','/map','/list','/number','/none','/user']",
                "'path':'.text[0]'                         | 'path':'.a'                                  | ['/a']",
                "'path':'.user','pattern':'name: (.*)','match_group':1 | 'path':'.a'                      | ['/a']",
                "'path':'.user','pattern':'nothing'        | 'path':'.a'                                  | ['/a']",
                "'path':'.number'                          | 'path':'.s','pattern':'TOKEN'                | ['/s']",
                "'path':'.map'                             | 'path':'.s','pattern':'TOKEN'                | ['/s']",
                "'path':'.text'                            | 'path':'.s','pattern':'TOKEN'                | ['/s']",
                "'path':'.text'                            | 'path':'.s','pattern':'nothing'              | []",
                "'path':'.text'         | 'path':'.l','pattern':'TOKEN','recurse':{'depth':-1}            | ['/l/0/t']",
            })
    void shouldBeSecretWhereASecretIsSubstituted(String src, String dest, String expected) {
        workspace.put("b", taking(src, dest).data("{'s':'a TOKEN','l':[{'t':'TOKEN','u':'u'}]}"));

        assertThat(places()).isEqualTo(expected);
    }

    @Test
    void shouldRenderAgainWhenASourceIsEncryptedWithTheSameData() {
        workspace.put("b", source("cleartext", SECRET));
        MapValue unmoved = document("t/Reader/v1", "other").data("{'a':'TOKEN'}");
        workspace.put("b", taking("'path':'.text'", "'path':'.a'").data("{}"), unmoved);
        assertThat(places()).isEqualTo("[]");

        Update update = workspace.put("b", source("encrypted", SECRET));

        assertThat(update.emissions()).extracting(each -> each.key().name()).containsExactly("reader", "source");
        assertThat(places()).isEqualTo("['/a']");
        workspace.put("b", source("cleartext", SECRET));
        assertThat(places()).isEqualTo("[]");
    }

    @Test
    void shouldCutOffWhenAnUnusedSecretChanges() {
        workspace.put("b", taking("'path':'.text'", "'path':'.a'").data("{}"));

        Update update = workspace.put("b", source("encrypted", "{'text':'TOKEN','map':1}"));

        assertThat(update.emissions()).extracting(each -> each.key().name()).containsExactly("source");
    }

    @Test
    void shouldHideATextIntoWhichAPartlySecretContainerWasInserted() {
        MapValue partly = document("t/Partly/v1", "partly")
                .taking("t/Source/v1", "source", ".text", ".a")
                .data("{'b':1}");
        MapValue reader = reader().taking(
                        "{'schema':'t/Partly/v1','name':'partly','path':'.'}", "{'path':'.s','pattern':'TOKEN'}")
                .data("{'s':'TOKEN','t':'TOKEN'}");
        workspace.put("b", partly, reader);

        assertThat(places()).isEqualTo("['/s']");
    }

    @Test
    void shouldNotKeepOverwrittenValuesSecret() {
        MapValue reader = reader().taking("t/Source/v1", "source", ".map", ".a")
                .taking("t/Clear/v1", "clear", ".", ".a.x")
                .data("{}");
        workspace.put("b", document("t/Clear/v1", "clear").in("global").data("'c'"), reader);

        assertThat(places()).isEqualTo("['/a/y']");
    }

    @Test
    void shouldHideClearValuesInAnEncryptedDocument() {
        workspace.put("b", source("cleartext", SECRET));
        workspace.put("b", taking("'path':'.text'", "'path':'.a.b'").encrypted().data("{}"));

        assertThat(places()).isEqualTo("['']");
        assertThat(SecretPlaces.of(explainer()
                        .explain(new DocumentId("t/Reader/v1", "site", "reader"), Place.ROOT)
                        .value()))
                .isEqualTo(SecretPlaces.ALL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a?       | ['']",
                "/b/a?     | ['/b']",
                "/a?/b     | ['']",
                "/b/c      | []",
                "/l/n=x?/o | ['/l/0']",
            })
    void shouldHideKeysThatOperationsCreateFromASecret(String path, String expected) {
        workspace.put(
                "b",
                source("encrypted", "{'text':'" + path + "'}"),
                reader().data("{'b':{'c':1},'l':[]}"),
                operations(
                        document("strake/Operations/v1", "o")
                                .taking("t/Source/v1", "source", ".text", ".operations[0].path"),
                        "/nowhere"));

        assertThat(places()).isEqualTo(expected);
    }

    @Test
    void shouldShowKeysThatEncryptedOperationsWrite() {
        MapValue operations = operations(document("strake/Operations/v1", "o").encrypted(), "/a?");
        workspace.put("b", reader().data("{'b':1}"), operations);

        assertThat(places()).isEqualTo("['/a']");
    }

    private static MapValue operations(TestDocument document, String path) {
        return document.data("{'target':{'schema':'t/Reader/v1','name':'reader'},"
                + "'operations':[{'type':'replace','path':'" + path + "','value':2}]}");
    }

    private Explainer explainer() {
        return new Explainer(workspace.head().graph(), workspace, new ChangeEffort(10_000_000), bytes -> {});
    }

    @Test
    void shouldMarkAnOverriddenSecretInAnExplanation() {
        MapValue parent = document("t/Reader/v1", "parent")
                .in("global")
                .encrypted()
                .labels("{'is':'parent'}")
                .data("{'a':'hunter2'}");
        workspace.put("b", parent, reader().over("{'is':'parent'}").data("{'a':'clear'}"));

        Explanation explanation =
                explainer().explain(new DocumentId("t/Reader/v1", "site", "reader"), Place.ROOT.at("a"));

        assertThat(explanation.value().isSecret()).isFalse();
        assertThat(explanation.winner().value().isSecret()).isFalse();
        List<Cause> causes = explanation.causes();
        assertThat(causes).hasSize(2);
        assertThat(causes.get(0).value().isSecret())
                .as("the parent's, which lost")
                .isTrue();
    }

    @Test
    void shouldMarkOnlyTheDataOfAnEncryptedDocument() {
        Document encrypted = Document.ofValid(source("encrypted", SECRET));

        assertThat(encrypted.data().isSecret()).isTrue();
        assertThat(encrypted.tree().get("metadata").hasSecrets()).isFalse();
        assertThat(Document.ofValid(source("cleartext", SECRET)).tree().hasSecrets())
                .isFalse();
        assertThat(Document.ofValid(source("encrypted", SECRET).without("data"))
                        .data()
                        .isSecret())
                .isTrue();
    }
}
