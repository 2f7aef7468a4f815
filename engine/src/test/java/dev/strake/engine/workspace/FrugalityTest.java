package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How much a workspace of 10,000 documents does for a small change: one parent, one secret, the rest children. */
class FrugalityTest {

    private static final int CHILDREN = 9_997;
    private static final TestWorkspace WORKSPACE = new TestWorkspace();

    @BeforeAll
    static void load() {
        List<MapValue> documents = new ArrayList<>();
        documents.add(Json.map("""
                {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
                 'data':{'layerOrder':['top','leaf']}}
                """));
        documents.add(parent("{'used':1,'word':'old','unused':1}", "'family':'f'"));
        documents.add(secret("one"));
        for (int i = 0; i < CHILDREN; i++) {
            documents.add(child(i, 0));
        }
        assertThat(WORKSPACE.putBucket("b", documents).status()).isEqualTo(Update.Status.RENDERED);
    }

    @Test
    void shouldVisitAndEvaluateOneDocumentForOneLeaf() {
        Update update = WORKSPACE.put("b", child(77, 1));

        assertThat(update.work().affected()).isEqualTo(1);
        assertThat(update.work().evaluated()).isEqualTo(1);
        assertThat(update.emissions()).hasSize(1);
        assertThat(WORKSPACE.decided(Verdict.RENDERED)).containsExactly(new DocumentId("t/A/v1", "leaf", "c77"));
    }

    @Test
    void shouldNotTellAnybodyOfALabelThatNobodySeeks() {
        Update update = WORKSPACE.put("b", parent("{'used':1,'word':'old','unused':1}", "'family':'f','new':'x'"));

        assertThat(update.work().evaluated()).isEqualTo(1);
        assertThat(update.emissions()).hasSize(1);
        assertThat(WORKSPACE.decided(Verdict.CLEAN)).hasSize(CHILDREN);
        WORKSPACE.put("b", parent("{'used':1,'word':'old','unused':1}", "'family':'f'"));
    }

    @Test
    void shouldVisitOneDocumentForAnAddedAndARemovedOne() {
        DocumentId id = new DocumentId("t/A/v1", "leaf", "c" + CHILDREN);

        assertThat(WORKSPACE.put("b", child(CHILDREN, 5)).work().affected()).isEqualTo(1);
        assertThat(WORKSPACE.delete("b", id).work().affected()).isZero();
    }

    @Test
    void shouldEvaluateNobodyWhereTheUsedPartOfASourceIsTheSame() {
        Update update = WORKSPACE.put("b", secret("two"));

        assertThat(update.work().affected()).isEqualTo(2);
        assertThat(update.work().evaluated()).isEqualTo(1);
        assertThat(WORKSPACE.decided(Verdict.VERIFIED)).containsExactly(new DocumentId("t/A/v1", "leaf", "c0"));
    }

    @Test
    void shouldReachAllChildrenOfAParentInOneRevision() {
        Update update = WORKSPACE.put("b", parent("{'used':2,'word':'old','unused':1}", "'family':'f'"));

        assertThat(update.emissions()).hasSize(CHILDREN + 1);
        assertThat(update.work().evaluated()).isEqualTo(CHILDREN + 1);
        WORKSPACE.put("b", parent("{'used':1,'word':'old','unused':1}", "'family':'f'"));
    }

    private static MapValue parent(String data, String labels) {
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'parent',"
                + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'top'},'labels':{" + labels + "}},'data':"
                + data + "}");
    }

    private static MapValue secret(String other) {
        return Json.map("{'schema':'t/S/v1','metadata':{'schema':'metadata/Document/v1','name':'source',"
                + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'top'}},'data':{'taken':1,'other':'"
                + other + "'}}");
    }

    private static MapValue child(int number, int value) {
        String substitution = number > 0
                ? ""
                : "{'src':{'schema':'t/S/v1','name':'source','path':'.taken'},'dest':{'path':'.given'}}";
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'c" + number
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'leaf','parentSelector':{'family':'f'},"
                + "'actions':[{'method':'merge','path':'.'}]},'substitutions':[" + substitution
                + "]},'data':{'own':" + value + "}}");
    }
}
