package dev.strake.engine.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Update;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Small scenarios: {@code in.json} holds the changes of a workspace, each {@code {"put": [...]}} or
 * {@code {"delete": [[schema, layer, name], ...]}}; {@code want.json} the result of the last one: its status, the
 * number of evaluated documents, and each published record; {@code problem.txt} the problems, if any.
 */
class ScenarioTest {

    @TestFactory
    Stream<DynamicTest> shouldComeOutAsWritten() throws IOException, URISyntaxException {
        Path folder = Path.of(ScenarioTest.class.getResource("/scenarios").toURI());
        try (Stream<Path> scenarios = Files.list(folder)) {
            return scenarios.sorted().toList().stream()
                    .map(scenario ->
                            DynamicTest.dynamicTest(scenario.getFileName().toString(), () -> check(scenario)));
        }
    }

    private static void check(Path scenario) throws IOException {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());
        Update last = null;
        for (Value change : list(Json.value(Files.readString(scenario.resolve("in.json"))))) {
            last = apply(workspace, (MapValue) change);
        }
        assertThat(last).isNotNull();
        MapValue want = Json.map(Files.readString(scenario.resolve("want.json")));
        assertThat(Json.text(cameOut(workspace, last))).isEqualTo(Json.text(want));
        Path problem = scenario.resolve("problem.txt");
        String said = String.join(
                "\n",
                workspace.head().problems(10).stream().map(Problem::describe).toList());
        assertThat(said)
                .isEqualTo(Files.exists(problem) ? Files.readString(problem).strip() : "");
    }

    private static Update apply(TestWorkspace workspace, MapValue change) {
        if (change.has("put")) {
            return workspace.put(
                    "b",
                    list(change.get("put")).stream().map(ScenarioTest::document).toArray(MapValue[]::new));
        }
        return workspace.delete(
                "b", list(change.get("delete")).stream().map(ScenarioTest::id).toArray(DocumentId[]::new));
    }

    /* Adds the required parts that do not matter to the scenario. */
    private static MapValue document(Value written) {
        MapValue tree = (MapValue) written;
        MapValue metadata = (MapValue) tree.get("metadata");
        boolean control = ((Text) tree.get("schema")).value().startsWith("deckhand/");
        metadata = metadata.with("schema", new Text(control ? "metadata/Control/v1" : "metadata/Document/v1"));
        return tree.with("metadata", metadata.with("storagePolicy", new Text("cleartext")));
    }

    private static DocumentId id(Value written) {
        List<Value> parts = list(written);
        return new DocumentId(text(parts.get(0)), text(parts.get(1)), text(parts.get(2)));
    }

    private static MapValue cameOut(TestWorkspace workspace, Update update) {
        MapValue.Builder published = MapValue.builder();
        for (Emission emission : update.emissions()) {
            published.put(
                    emission.key().name(),
                    emission.isRemoval()
                            ? new Text("removed")
                            : workspace.published().get(emission.key()).get("data"));
        }
        return MapValue.builder()
                .put("status", new Text(update.status().toString()))
                .put("evaluated", Json.value(Integer.toString(update.work().evaluated())))
                .put("published", published.build())
                .build();
    }

    private static List<Value> list(Value value) {
        return ((ListValue) value).items();
    }

    private static String text(Value value) {
        return ((Text) value).value();
    }
}
