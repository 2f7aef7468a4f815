package dev.strake.topology;

import dev.strake.engine.corpus.RecordedAnswers;
import dev.strake.engine.corpus.RecordedAnswers.Answer;
import dev.strake.engine.corpus.RecordedAnswers.Step;
import dev.strake.engine.corpus.RecordedAnswers.Trouble;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Sends the recorded changes through the topology and compares with the recorded answers of the real Deckhand. */
class RecordedAnswersTest {

    private static final AtomicInteger WORKSPACES = new AtomicInteger();

    @AutoClose
    private static final TopologyHarness strake = new TopologyHarness();

    @TestFactory
    Stream<DynamicTest> shouldRenderOrdinarySetsAsDeckhandDoes() {
        return RecordedAnswers.sets("sets-ordinary", RecordedAnswersTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseWhatDeckhandRefusesWithTheSameError() {
        return RecordedAnswers.sets("sets-error", RecordedAnswersTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeTheSensibleSideOfEverySurprise() {
        return RecordedAnswers.sets("sets-edge", RecordedAnswersTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldFollowStoriesStepByStep() {
        return RecordedAnswers.stories()
                .map(story -> DynamicTest.dynamicTest(story.id(), () -> {
                    String workspace = newWorkspace();
                    Outcome last = null;
                    for (Step step : story.steps()) {
                        last = follow(workspace, step, last);
                        String where = story.id() + " at step " + step.note();
                        RecordedAnswers.assertAnswer(where, step.expected(), answer(workspace, last));
                    }
                }));
    }

    private static String newWorkspace() {
        return "workspace-" + WORKSPACES.incrementAndGet();
    }

    private static Answer render(List<MapValue> documents) {
        String workspace = newWorkspace();
        return answer(workspace, strake.putBucket(workspace, "b", documents));
    }

    private static Answer answer(String workspace, Outcome outcome) {
        return outcome.status() == OutcomeStatus.RENDERED
                ? Answer.rendered(strake.renderedTrees(workspace))
                : Answer.inTrouble(outcome.problems().stream().map(Trouble::of).toList());
    }

    /* Sends a record for each bucket that loses documents, then one for each bucket that gains some. */
    private static Outcome follow(String workspace, Step step, Outcome before) {
        Map<String, List<DocumentId>> removed = new LinkedHashMap<>();
        Map<String, Map<DocumentId, MapValue>> changed = new LinkedHashMap<>();
        for (Value item : ((ListValue) step.expected().get("changes")).items()) {
            MapValue change = (MapValue) item;
            String bucket = text(change, "bucket");
            if (change.get("document") instanceof MapValue document) {
                changed.computeIfAbsent(bucket, any -> new LinkedHashMap<>()).put(idOf(document), document);
            } else {
                removed.computeIfAbsent(bucket, any -> new ArrayList<>())
                        .add(new DocumentId(text(change, "schema"), text(change, "layer"), text(change, "name")));
            }
        }
        List<Outcome> outcomes = new ArrayList<>();
        removed.forEach((bucket, ids) -> outcomes.add(strake.delete(workspace, bucket, ids)));
        changed.forEach(
                (bucket, documents) -> outcomes.add(strake.put(workspace, bucket, List.copyOf(documents.values()))));
        Outcome last = before;
        for (Outcome outcome : outcomes) {
            last = outcome.status() == OutcomeStatus.UNCHANGED ? last : outcome;
        }
        return last;
    }

    private static DocumentId idOf(MapValue document) {
        MapValue metadata = (MapValue) document.get("metadata");
        MapValue layering = metadata.get("layeringDefinition") instanceof MapValue map ? map : MapValue.EMPTY;
        return new DocumentId(text(document, "schema"), text(layering, "layer"), text(metadata, "name"));
    }

    private static String text(MapValue map, String key) {
        return map.get(key) instanceof Text text ? text.value() : "";
    }
}
