package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
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
        workspace.put(
                "b",
                Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1',"
                        + "'name':'policy'},'data':{'layerOrder':['global','site']}}"),
                source("encrypted"));
    }

    private static MapValue document(String schema, String name, String policy, String more, String data) {
        return Json.map(("{'schema':'%s','metadata':{'schema':'metadata/Document/v1','name':'%s',"
                        + "'storagePolicy':'%s',%s},'data':%s}")
                .formatted(schema, name, policy, more, data));
    }

    private static MapValue source(String policy) {
        return document("t/Source/v1", "source", policy, "'layeringDefinition':{'layer':'global'}", SECRET);
    }

    private static MapValue reader(String src, String dest, String data) {
        String substitutions = "'layeringDefinition':{'layer':'site'},'substitutions':[{'src':{'schema':'t/Source/v1',"
                + "'name':'source'," + src + "},'dest':{" + dest + "}}]";
        return document("t/Reader/v1", "reader", "cleartext", substitutions, data);
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
    void shouldBeSecretWhereWhatItTakesComesTo(String src, String dest, String expected) {
        workspace.put("b", reader(src, dest, "{'s':'a TOKEN','l':[{'t':'TOKEN','u':'u'}]}"));

        assertThat(places()).isEqualTo(expected);
    }

    @Test
    void shouldRenderAgainWhatTakesOfADocumentThatIsEncryptedNowWithTheSameData() {
        workspace.put("b", source("cleartext"));
        MapValue unmoved =
                document("t/Reader/v1", "other", "cleartext", "'layeringDefinition':{'layer':'site'}", "{'a':'TOKEN'}");
        workspace.put("b", reader("'path':'.text'", "'path':'.a'", "{}"), unmoved);
        assertThat(places()).isEqualTo("[]");

        Update update = workspace.put("b", source("encrypted"));

        assertThat(update.emissions()).extracting(each -> each.key().name()).containsExactly("reader", "source");
        assertThat(places()).isEqualTo("['/a']");
        workspace.put("b", source("cleartext"));
        assertThat(places()).isEqualTo("[]");
    }

    @Test
    void shouldCutOffWhereASecretThatIsNotTakenBecomesAnother() {
        workspace.put("b", reader("'path':'.text'", "'path':'.a'", "{}"));

        Update update = workspace.put("b", source("encrypted").with("data", Json.map("{'text':'TOKEN','map':1}")));

        assertThat(update.emissions()).extracting(each -> each.key().name()).containsExactly("source");
    }

    @Test
    void shouldHideATextIntoWhichAContainerWithOneSecretWasPut() {
        MapValue partly = reader("'path':'.text'", "'path':'.a'", "{'b':1}");
        MapValue metadata = (MapValue) partly.get("metadata");
        String taking = "'layeringDefinition':{'layer':'site'},'substitutions':[{'src':{'schema':'t/Reader/v1',"
                + "'name':'partly','path':'.'},'dest':{'path':'.s','pattern':'TOKEN'}}]";
        workspace.put(
                "b",
                partly.with("metadata", metadata.with("name", Json.value("'partly'"))),
                document("t/Reader/v1", "reader", "cleartext", taking, "{'s':'TOKEN','t':'TOKEN'}"));

        assertThat(places()).isEqualTo("['/s']");
    }

    @Test
    void shouldKeepNothingSecretOfWhatIsOverwritten() {
        String twice = "'layeringDefinition':{'layer':'site'},'substitutions':["
                + "{'src':{'schema':'t/Source/v1','name':'source','path':'.map'},'dest':{'path':'.a'}},"
                + "{'src':{'schema':'t/Clear/v1','name':'clear','path':'.'},'dest':{'path':'.a.x'}}]";
        workspace.put(
                "b",
                document("t/Clear/v1", "clear", "cleartext", "'layeringDefinition':{'layer':'global'}", "'c'"),
                document("t/Reader/v1", "reader", "cleartext", twice, "{}"));

        assertThat(places()).isEqualTo("['/a/y']");
    }

    @Test
    void shouldHideAllThatAnEncryptedDocumentTakesOfAClearOne() {
        workspace.put("b", source("cleartext"));
        MapValue clear = reader("'path':'.text'", "'path':'.a.b'", "{}");
        MapValue metadata = (MapValue) clear.get("metadata");
        workspace.put("b", clear.with("metadata", metadata.with("storagePolicy", Json.value("'encrypted'"))));

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
    void shouldHideKeysThatOperationsTookFromASecret(String path, String expected) {
        String taking = "'layeringDefinition':{'layer':'site'},'substitutions':[{'src':{'schema':'t/Source/v1',"
                + "'name':'source','path':'.text'},'dest':{'path':'.operations[0].path'}}]";
        workspace.put(
                "b",
                source("encrypted").with("data", Json.map("{'text':'" + path + "'}")),
                document(
                        "t/Reader/v1",
                        "reader",
                        "cleartext",
                        "'layeringDefinition':{'layer':'site'}",
                        "{'b':{'c':1},'l':[]}"),
                document(
                        "strake/Operations/v1",
                        "operations",
                        "cleartext",
                        taking,
                        "{'target':{'schema':'t/Reader/v1','name':'reader'},"
                                + "'operations':[{'type':'replace','path':'/nowhere','value':2}]}"));

        assertThat(places()).isEqualTo(expected);
    }

    @Test
    void shouldShowTheKeysThatEncryptedOperationsWriteTo() {
        workspace.put(
                "b",
                document("t/Reader/v1", "reader", "cleartext", "'layeringDefinition':{'layer':'site'}", "{'b':1}"),
                document(
                        "strake/Operations/v1",
                        "operations",
                        "encrypted",
                        "'layeringDefinition':{'layer':'site'}",
                        "{'target':{'schema':'t/Reader/v1','name':'reader'},"
                                + "'operations':[{'type':'replace','path':'/a?','value':2}]}"));

        assertThat(places()).isEqualTo("['/a']");
    }

    private Explainer explainer() {
        return new Explainer(workspace.head().graph(), workspace, new ChangeEffort(10_000_000), bytes -> {});
    }

    @Test
    void shouldMarkASecretThatLostInAnExplanation() {
        MapValue parent = document(
                "t/Reader/v1",
                "parent",
                "encrypted",
                "'labels':{'is':'parent'},'layeringDefinition':{'layer':'global'}",
                "{'a':'hunter2'}");
        MapValue child = document(
                "t/Reader/v1",
                "reader",
                "cleartext",
                "'layeringDefinition':{'layer':'site','parentSelector':{'is':'parent'},"
                        + "'actions':[{'method':'merge','path':'.'}]}",
                "{'a':'clear'}");
        workspace.put("b", parent, child);

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
    void shouldMarkTheDataOfAnEncryptedDocumentAlone() {
        Document encrypted = Document.ofValid(source("encrypted"));

        assertThat(encrypted.data().isSecret()).isTrue();
        assertThat(encrypted.tree().get("metadata").hasSecrets()).isFalse();
        assertThat(Document.ofValid(source("cleartext")).tree().hasSecrets()).isFalse();
        assertThat(Document.ofValid(source("encrypted").without("data")).data().isSecret())
                .isTrue();
    }
}
