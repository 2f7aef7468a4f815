package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes list their warnings in the same order on each instance, independent of the history of the workspace. */
class WarningsTest {

    private final TestWorkspace workspace = new TestWorkspace();

    WarningsTest() {
        workspace.put("policy", TestDocument.layers("site"));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 40})
    void shouldWarnInOrderOfDocumentsIndependentOfHistory(int documents) {
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(10, 10 + documents).boxed().toList());
        Collections.shuffle(numbers, new Random(documents));
        workspace.put("b", document("t/Kind/v1", "source").data("{'a':'text'}"));
        for (int number : numbers) {
            MapValue user = document("t/Kind/v1", "user-" + number)
                    .taking("{'schema':'t/Kind/v1','name':'source','path':'.a','pattern':'nothing'}", "{'path':'.b'}")
                    .data("{'a':'text'}");
            workspace.put("b", user);
        }

        List<DocumentId> warned =
                workspace.put("b", document("t/Kind/v1", "source").data("{'a':'else'}")).warnings().stream()
                        .map(Problem::document)
                        .toList();

        assertThat(warned).hasSize(documents).isSorted();
    }
}
