package dev.strake.engine.oracle;

import static dev.strake.engine.corpus.RecordedAnswers.assertAnswer;

import dev.strake.engine.corpus.RecordedAnswers;
import dev.strake.engine.corpus.RecordedAnswers.Answer;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The oracle is judged by Deckhand's recorded answers before it judges anybody. */
class NaiveRendererTest {

    @TestFactory
    Stream<DynamicTest> shouldRenderOrdinarySetsAsDeckhandDoes() {
        return RecordedAnswers.sets("sets-ordinary", NaiveRendererTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseWhatDeckhandRefusesWithTheSameError() {
        return RecordedAnswers.sets("sets-error", NaiveRendererTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeTheSensibleSideOfEverySurprise() {
        return RecordedAnswers.sets("sets-edge", NaiveRendererTest::render);
    }

    @TestFactory
    Stream<DynamicTest> shouldFollowStoriesStepByStep() {
        return RecordedAnswers.stories()
                .map(story -> DynamicTest.dynamicTest(story.id(), () -> {
                    for (RecordedAnswers.Step step : story.steps()) {
                        assertAnswer(story.id() + " at step " + step.note(), step.expected(), render(step.documents()));
                    }
                }));
    }

    private static Answer render(List<MapValue> trees) {
        Set<Object> identities = new HashSet<>();
        Set<Object> policies = new HashSet<>();
        for (MapValue tree : trees) {
            try {
                Document document = Document.of(tree);
                if (!identities.add(document.id())) {
                    return Answer.refused(List.of(ProblemCode.DUPLICATE_DOCUMENT_EXISTS.code()));
                }
                if (document.id().schema().startsWith("deckhand/LayeringPolicy/") && policies.add(document.id())) {
                    if (policies.size() > 1) {
                        return Answer.refused(List.of(ProblemCode.SINGLETON_DOCUMENT_CONFLICT.code()));
                    }
                }
            } catch (DocumentFormatException e) {
                return Answer.refused(List.of(ProblemCode.INVALID_DOCUMENT_FORMAT.code()));
            }
        }
        NaiveRenderer renderer = new NaiveRenderer(trees, Limits.DEFAULT);
        Set<String> codes = new TreeSet<>();
        renderer.troubles().values().forEach(trouble -> codes.add(trouble.code().code()));
        if (renderer.lacksPolicy()) {
            codes.add(ProblemCode.LAYERING_POLICY_NOT_FOUND.code());
        }
        return codes.isEmpty() ? Answer.rendered(renderer.rendered().values()) : Answer.refused(codes);
    }
}
