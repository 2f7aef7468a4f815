package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.render.Contents;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Explaining a value takes the document and those that the value came from, however many others there are. */
class CostOfExplainingTest {

    private static final DocumentId TOP = new DocumentId("t/A/v1", "global", "top");
    private static final DocumentId MIDDLE = new DocumentId("t/A/v1", "region", "middle");
    private static final DocumentId LEAF = new DocumentId("t/A/v1", "site", "leaf");
    private static final DocumentId SOURCE = new DocumentId("t/A/v1", "global", "source");
    private static final DocumentId OTHER_SOURCE = new DocumentId("t/A/v1", "global", "other");

    private final TestWorkspace workspace = new TestWorkspace();
    private final Set<DocumentId> evaluated = new TreeSet<>();
    private long effort;

    /** Counts which documents are evaluated: that takes them as they were published. */
    private final Contents counted = new Contents() {
        @Override
        public Document document(DocumentId id) {
            evaluated.add(id);
            return workspace.document(id);
        }

        @Override
        public Value data(DocumentId id) {
            return workspace.data(id);
        }
    };

    private void publish(int others) {
        List<MapValue> documents = new ArrayList<>(List.of(
                Json.map(
                        "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                                + "'data':{'layerOrder':['global','region','site']}}"),
                document(TOP, "'labels':{'is':'top'},", "", ",'top':1"),
                document(MIDDLE, "'labels':{'is':'middle'},", "top", ",'middle':{'x':1}"),
                document(
                        LEAF, substitution("source", ".middle.x") + substitution("other", ".y"), "middle", ",'leaf':1"),
                document(SOURCE, "", "", ",'v':'s'"),
                document(OTHER_SOURCE, "", "", ",'v':'o'")));
        for (int i = 0; i < others; i++) {
            documents.add(document(new DocumentId("t/A/v1", "site", "other-" + i), "", "middle", ""));
        }
        workspace.put("b", documents.toArray(MapValue[]::new));
    }

    private static String substitution(String source, String to) {
        // Both stand in one list: the second one closes it.
        String item = "{'src':{'schema':'t/A/v1','name':'" + source + "','path':'.v'},'dest':{'path':'" + to + "'}}";
        return to.equals(".y") ? item + "]," : "'substitutions':[" + item + ",";
    }

    private static MapValue document(DocumentId id, String metadata, String parent, String data) {
        String layering = parent.isEmpty()
                ? ""
                : ",'parentSelector':{'is':'" + parent + "'},'actions':[{'method':'merge','path':'.'}]";
        return Json.map("{'schema':'" + id.schema() + "','metadata':{'schema':'metadata/Document/v1','name':'"
                + id.name()
                + "'," + metadata + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'" + id.layer() + "'"
                + layering + "}},'data':{'name':'" + id.name() + "'" + data + "}}");
    }

    private Explanation explain(Place place) {
        evaluated.clear();
        ChangeEffort work = new ChangeEffort(1_000_000);
        Explanation explanation =
                new Explainer(workspace.head().graph(), counted, work, bytes -> {}).explain(LEAF, place);
        effort = work.spent();
        return explanation;
    }

    @Test
    void shouldEvaluateOnlyWhatAValueCameFrom() {
        publish(0);
        assertThat(explain(Place.ROOT.at("leaf")).value()).isEqualTo(Num.of(1));
        assertThat(evaluated).containsExactlyInAnyOrder(LEAF);
        assertThat(explain(Place.ROOT.at("top")).value()).isEqualTo(Num.of(1));
        assertThat(evaluated).containsExactlyInAnyOrder(LEAF, MIDDLE, TOP);
        explain(Place.ROOT.at("middle").at("x"));
        assertThat(evaluated).as("the loser, and the source that won").containsExactlyInAnyOrder(LEAF, MIDDLE, SOURCE);
    }

    @Test
    void shouldTakeNoMoreWorkAmongManyDocuments() {
        publish(0);
        explain(Place.ROOT.at("top"));
        long alone = effort;

        publish(500);
        explain(Place.ROOT.at("top"));

        assertThat(evaluated).containsExactlyInAnyOrder(LEAF, MIDDLE, TOP);
        assertThat(effort).isEqualTo(alone);
    }
}
