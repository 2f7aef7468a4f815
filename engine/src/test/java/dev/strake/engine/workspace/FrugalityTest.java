package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The work for a small change in a workspace of 10,000 documents: one parent, one secret, all others children. */
class FrugalityTest {

    private static final int CHILDREN = 9_997;
    private static final TestWorkspace WORKSPACE = new TestWorkspace();

    @BeforeAll
    static void load() {
        List<MapValue> documents = new ArrayList<>();
        documents.add(TestDocument.layers("top", "leaf"));
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
    void shouldEvaluateNoChildForALabelThatIsNotSelected() {
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
    void shouldEvaluateNoDependentWhenTheUsedPartOfASourceIsTheSame() {
        Update update = WORKSPACE.put("b", secret("two"));

        assertThat(update.work().affected()).isEqualTo(2);
        assertThat(update.work().evaluated()).isEqualTo(1);
        assertThat(WORKSPACE.decided(Verdict.VERIFIED)).containsExactly(new DocumentId("t/A/v1", "leaf", "c0"));
    }

    @Test
    void shouldSkipOwnersThatReadNothingOfAChange() {
        long alone = WORKSPACE.put("b", child(78, 1)).work().effort();
        List<MapValue> owners = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            owners.add(document("strake/Collection/v1", "o" + i)
                    .in("leaf")
                    .data("{'schema':'t/None/v1','labels':{'n':'%1$d'},'into':{'schema':'t/Of/v1','name':'o%1$d'}}"
                            .formatted(i)));
        }
        WORKSPACE.put("b", owners.toArray(MapValue[]::new));
        assertThat(WORKSPACE.derived()).hasSize(500);

        Update update = WORKSPACE.put("b", child(78, 2));

        assertThat(WORKSPACE.derived()).isEmpty();
        assertThat(update.work().effort()).isEqualTo(alone);
        WORKSPACE.delete(
                "b", owners.stream().map(owner -> Document.ofValid(owner).id()).toArray(DocumentId[]::new));
    }

    @Test
    void shouldReachAllChildrenOfAParentInOneRevision() {
        Update update = WORKSPACE.put("b", parent("{'used':2,'word':'old','unused':1}", "'family':'f'"));

        assertThat(update.emissions()).hasSize(CHILDREN + 1);
        assertThat(update.work().evaluated()).isEqualTo(CHILDREN + 1);
        WORKSPACE.put("b", parent("{'used':1,'word':'old','unused':1}", "'family':'f'"));
    }

    /* Every document has one common label, and every selector and target requires it together with another one. */
    @Test
    void shouldDoTheSameWorkForAnEditHoweverPopularTheLabelIs() {
        List<Long> few = effortsUnderAPopularLabel(2_000);
        List<Long> many = effortsUnderAPopularLabel(20_000);

        assertThat(few).hasSize(6).allSatisfy(effort -> assertThat(effort).isLessThan(500));
        for (int i = 0; i < few.size(); i++) {
            assertThat(many.get(i)).as("edit %s", i).isBetween(few.get(i), few.get(i) + 20);
        }
    }

    private static List<Long> effortsUnderAPopularLabel(int documents) {
        TestWorkspace workspace = new TestWorkspace();
        List<MapValue> all = new ArrayList<>();
        all.add(TestDocument.layers("top", "leaf"));
        for (int i = 0; i < documents / 2; i++) {
            all.add(popular("top", i, "'id':'i" + i + "'", "", 0));
            all.add(popular("leaf", i, "'own':'o" + i + "'", "i" + i, 0));
        }
        all.add(operations("o7", 1));
        assertThat(workspace.putBucket("b", all).status()).isEqualTo(Update.Status.RENDERED);
        List<Update> updates = List.of(
                workspace.put("b", popular("leaf", 3, "'own':'o3'", "i3", 1)),
                workspace.put("b", popular("top", 4, "'id':'i4','new':'x'", "", 0)),
                workspace.put("b", popular("leaf", documents, "'own':'new'", "i5", 0)),
                workspace.put("b", popular("leaf", 6, "'own':'o6'", "i5", 0)),
                workspace.put("b", operations("o7", 2)),
                workspace.put("b", operations("o8", 2)));
        assertThat(updates).allSatisfy(update -> {
            assertThat(update.status()).isEqualTo(Update.Status.RENDERED);
            assertThat(update.emissions()).isNotEmpty();
        });
        assertThat(workspace.published().get(new DocumentKey("t/A/v1", "leaf8")).get("data"))
                .isEqualTo(Json.value("{'own':0,'id':8,'operated':2}"));
        return updates.stream().map(update -> update.work().effort()).toList();
    }

    private static MapValue popular(String layer, int number, String labels, String parent, int value) {
        TestDocument document = document("t/A/v1", layer + number).in(layer).labels("{'type':'x'," + labels + "}");
        return parent.isEmpty()
                ? document.data("{'id':" + number + "}")
                : document.over("{'type':'x','id':'" + parent + "'}").data("{'own':" + value + "}");
    }

    private static MapValue operations(String target, int value) {
        return document("strake/Operations/v1", "ops")
                .in("top")
                .data(("{'target':{'schema':'t/A/v1','labels':{'type':'x','own':'%s'}},"
                                + "'operations':[{'type':'replace','path':'/operated?','value':%d}]}")
                        .formatted(target, value));
    }

    private static MapValue parent(String data, String labels) {
        return document("t/A/v1", "parent").in("top").labels("{" + labels + "}").data(data);
    }

    private static MapValue secret(String other) {
        return document("t/S/v1", "source").in("top").data("{'taken':1,'other':'" + other + "'}");
    }

    private static MapValue child(int number, int value) {
        TestDocument child = document("t/A/v1", "c" + number).in("leaf").over("{'family':'f'}");
        return (number > 0 ? child : child.taking("t/S/v1", "source", ".taken", ".given"))
                .data("{'own':" + value + "}");
    }
}
