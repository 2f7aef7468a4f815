package dev.strake.engine.corpus;

import static dev.strake.engine.corpus.RecordedAnswers.assertAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestWorkspace;
import dev.strake.engine.TestWorkspace.RejectedException;
import dev.strake.engine.corpus.RecordedAnswers.Answer;
import dev.strake.engine.corpus.RecordedAnswers.Trouble;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares with recorded results of the real Deckhand, without Deckhand's defects. */
class DeckhandCorpusTest {

    @TestFactory
    Stream<DynamicTest> shouldRenderOrdinarySetsAsDeckhandDoes() {
        return RecordedAnswers.sets("sets-ordinary", DeckhandCorpusTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseWhatDeckhandRefusesWithTheSameError() {
        return RecordedAnswers.sets("sets-error", DeckhandCorpusTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeTheSensibleSideOfEverySurprise() {
        return RecordedAnswers.sets("sets-edge", DeckhandCorpusTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldFollowStoriesStepByStep() {
        return RecordedAnswers.stories()
                .map(story -> DynamicTest.dynamicTest(story.id(), () -> {
                    TestWorkspace workspace = new TestWorkspace();
                    for (RecordedAnswers.Step step : story.steps()) {
                        workspace.delete("b", step.removed().toArray(DocumentId[]::new));
                        workspace.put("b", step.changed().toArray(MapValue[]::new));
                        assertAnswer(story.id() + " at step " + step.note(), step.expected(), outcome(workspace));
                    }
                }));
    }

    @Test
    void shouldListAnswersOfRecordedCasesOnly() {
        assertThat(RecordedAnswers.cases()).containsAll(RecordedAnswers.listed());
    }

    private static Answer render(List<MapValue> documents) {
        TestWorkspace workspace = new TestWorkspace();
        try {
            workspace.putBucket("b", documents);
        } catch (RejectedException e) {
            return inTrouble(e.problems());
        }
        return outcome(workspace);
    }

    private static Answer outcome(TestWorkspace workspace) {
        return workspace.head().isInTrouble()
                ? inTrouble(workspace.head().problems(1000))
                : Answer.rendered(workspace.published().values());
    }

    private static Answer inTrouble(List<Problem> problems) {
        return Answer.inTrouble(problems.stream().map(Trouble::of).toList());
    }
}
