package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
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
        workspace.put(
                "policy",
                Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1',"
                        + "'name':'policy','storagePolicy':'cleartext'},'data':{'layerOrder':['site']}}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 40})
    void shouldWarnInOrderOfTheDocumentsHoweverTheyCame(int documents) {
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(10, 10 + documents).boxed().toList());
        Collections.shuffle(numbers, new Random(documents));
        workspace.put("b", document("source", ""));
        for (int number : numbers) {
            workspace.put(
                    "b",
                    document(
                            "user-" + number,
                            ",'substitutions':[{'src':{'schema':'t/Kind/v1',"
                                    + "'name':'source','path':'.a','pattern':'nothing'},'dest':{'path':'.b'}}]"));
        }

        List<DocumentId> warned =
                workspace.put("b", document("source", "").with("data", Json.map("{'a':'else'}"))).warnings().stream()
                        .map(Problem::document)
                        .toList();

        assertThat(warned).hasSize(documents).isSorted();
    }

    private static MapValue document(String name, String more) {
        return Json.map(("{'schema':'t/Kind/v1','metadata':{'schema':'metadata/Document/v1','name':'%s',"
                        + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'site','abstract':false}%s},"
                        + "'data':{'a':'text'}}")
                .formatted(name, more));
    }
}
