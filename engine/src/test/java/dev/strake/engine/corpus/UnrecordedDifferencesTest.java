package dev.strake.engine.corpus;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Intended differences from Deckhand that no recorded result shows. */
class UnrecordedDifferencesTest {

    private static final MapValue POLICY = TestDocument.layers("site");

    private final TestWorkspace workspace = new TestWorkspace();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".       | [{'k':'a'},'b']",
                ".[0]    | {'k':'a'}",
                ".[0].k  | 'a'",
                ".[-1]   | 'b'",
                "$.[1]   | 'b'",
                ".[*].k  | 'a'",
            })
    void shouldReadPathsInASourceThatIsAList(String path, String expected) {
        publish("[{'k':'a'},'b']", path);
        assertThat(workspace.head().problems(10)).isEmpty();
        assertThat(rendered("reader").get("data")).isEqualTo(Json.map("{'taken':" + expected + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"['a'] | .[1]", "['a'] | .k", "[null] | .[0]", "'text' | .[0]", "'text' | .k", "7 | .k"})
    void shouldNotSubstituteTheWholeSourceForAMissingPath(String source, String path) {
        publish(source, path);
        assertThat(workspace.head().problems(10))
                .extracting(Problem::code)
                .containsExactly(ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "''", "0", "false", "null"})
    void shouldRenderEmptyDataUnchanged(String data) {
        workspace.putBucket("b", List.of(POLICY, document("t/A/v1", "a").data(data)));
        assertThat(rendered("a").get("data")).isEqualTo(Json.value(data));
    }

    @Test
    void shouldRenderMissingDataAsAnEmptyMapping() {
        workspace.putBucket(
                "b", List.of(POLICY, document("t/A/v1", "a").data("{}").without("data")));
        assertThat(rendered("a").get("data")).isEqualTo(MapValue.EMPTY);
    }

    private void publish(String source, String path) {
        MapValue reader = document("t/A/v1", "reader")
                .taking("t/A/v1", "source", path, ".taken")
                .data("{}");
        workspace.putBucket("b", List.of(POLICY, document("t/A/v1", "source").data(source), reader));
    }

    private MapValue rendered(String name) {
        return workspace.published().get(new DocumentKey("t/A/v1", name));
    }
}
