package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import org.junit.jupiter.api.Test;

/** Of two replacements of one parent, the one in the lower layer is in force. */
class RivalReplacementsTest {

    private static final DocumentKey KEY = new DocumentKey("t/Kind/v1", "a");
    private static final DocumentKey READER = new DocumentKey("t/Kind/v1", "reader");
    private static final DocumentKey CHILD = new DocumentKey("t/Kind/v1", "child");

    private final TestWorkspace workspace = new TestWorkspace();

    RivalReplacementsTest() {
        workspace.put(
                "b",
                Json.map(
                        "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1',"
                                + "'name':'policy','storagePolicy':'cleartext'},'data':{'layerOrder':['global','type','site']}}"),
                document("a", "global", ",'labels':{'l':'a'}", "", "global"),
                document(
                        "child",
                        "site",
                        "",
                        ",'parentSelector':{'l':'a'},'actions':[{'method':'merge','path':'.own'}]",
                        "x"),
                document(
                        "reader",
                        "global",
                        ",'substitutions':[{'src':{'schema':'t/Kind/v1','name':'a','path':'.from'},'dest':{'path':'.own'}}]",
                        "",
                        "x"));
    }

    private static MapValue document(String name, String layer, String more, String layering, String from) {
        return Json.map(("{'schema':'t/Kind/v1','metadata':{'schema':'metadata/Document/v1','name':'%s',"
                        + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'%s'%s}%s},"
                        + "'data':{'from':'%s','own':'%s'}}")
                .formatted(name, layer, layering, more, from, from));
    }

    private static MapValue replacement(String layer) {
        return document(
                "a",
                layer,
                ",'replacement':true",
                ",'parentSelector':{'l':'a'},'actions':[{'method':'merge','path':'.from'}]",
                layer);
    }

    private void assertInForce(String layer) {
        assertThat(value(KEY, "from")).isEqualTo(layer);
        assertThat(value(CHILD, "from")).isEqualTo(layer);
        assertThat(value(READER, "own")).isEqualTo(layer);
    }

    private String value(DocumentKey key, String member) {
        return ((Text) ((MapValue) workspace.published().get(key).get("data")).get(member)).value();
    }

    @Test
    void shouldTakeTheReplacementInTheLowerLayerWhicheverCameFirst() {
        workspace.put("b", replacement("site"));
        assertInForce("site");

        Update update = workspace.put("b", replacement("type"));

        assertInForce("site");
        assertThat(update.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.code()).isEqualTo(ProblemCode.INVALID_DOCUMENT_REPLACEMENT);
            assertThat(warning.document()).isEqualTo(new DocumentId("t/Kind/v1", "type", "a"));
            assertThat(warning.related()).containsExactly(new DocumentId("t/Kind/v1", "site", "a"));
        });
    }

    @Test
    void shouldTakeTheOtherOneWhenTheLowerOneGoes() {
        workspace.put("b", replacement("type"));
        assertInForce("type");
        assertThat(workspace.put("b", replacement("site")).warnings())
                .extracting(Problem::document)
                .containsExactly(new DocumentId("t/Kind/v1", "type", "a"));
        assertInForce("site");

        workspace.delete("b", new DocumentId("t/Kind/v1", "site", "a"));

        assertInForce("type");
    }
}
