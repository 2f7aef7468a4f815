package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What came before a revision leaves no trace in it: after every change of a story, a workspace says and publishes what a
 * fresh one does that gets the same documents at once. The stories, one change a line, once broke that.
 */
class HistoryTest {

    private static final List<String> STORIES = List.of(
            "1-replacement-chain",
            "2a-target-order-retarget",
            "2b-target-order-delete",
            "9-problem-depends-on-history");

    @TestFactory
    Stream<DynamicTest> shouldForgetWhatCameBeforeWhenRevisionsAreHeld() {
        return tell(Renderer::holdingRevisions);
    }

    @TestFactory
    Stream<DynamicTest> shouldForgetWhatCameBeforeWhenDocumentsAreHeld() {
        return tell(Renderer::holdingDocuments);
    }

    private static Stream<DynamicTest> tell(Supplier<Renderer> renderer) {
        return STORIES.stream().map(name -> DynamicTest.dynamicTest(name, () -> tell(name, renderer)));
    }

    private static void tell(String name, Supplier<Renderer> renderer) throws IOException {
        TestWorkspace workspace = new TestWorkspace(renderer.get());
        List<Map<DocumentId, Edit>> revisions = new ArrayList<>(List.of(Map.of()));
        for (String line : lines(name)) {
            String[] parts = line.split(" ", 3);
            Map<DocumentId, Edit> then = revisions.get(revisions.size() - 1);
            Plan plan = plan(parts, workspace, revisions);
            if (!plan.edits().isEmpty()) {
                workspace.apply(plan);
                workspace = workspace.reopened();
                Map<DocumentId, Edit> now = new TreeMap<>(then);
                now.putAll(plan.edits());
                now.values().removeIf(edit -> edit.document() == null);
                revisions.add(now);
            }
            compare(line.substring(0, Math.min(60, line.length())), workspace, renderer.get());
        }
    }

    private static Plan plan(String[] parts, TestWorkspace workspace, List<Map<DocumentId, Edit>> revisions) {
        Graph graph = workspace.head().graph();
        if (parts[0].equals("rollback")) {
            Map<DocumentId, Edit> states = new TreeMap<>();
            revisions.get(revisions.size() - 1).keySet().forEach(id -> states.put(id, Edit.REMOVAL));
            states.putAll(revisions.get(Integer.parseInt(parts[2])));
            return Plan.restore(graph, states);
        }
        List<MapValue> trees = ((ListValue) Json.value(parts[2]))
                .items().stream().map(MapValue.class::cast).toList();
        return switch (parts[0]) {
            case "put" ->
                Plan.documentsPut(
                        graph, parts[1], trees.stream().map(Document::ofValid).toList());
            case "bucket" ->
                Plan.bucketPut(
                        graph, parts[1], trees.stream().map(Document::ofValid).toList());
            case "delete" ->
                Plan.documentsDelete(
                        graph, parts[1], trees.stream().map(HistoryTest::id).toList());
            default -> throw new IllegalArgumentException(parts[0]);
        };
    }

    private static void compare(String when, TestWorkspace workspace, Renderer renderer) {
        TestWorkspace fresh = new TestWorkspace(renderer);
        fresh.putBucket(
                "b", workspace.documents().values().stream().map(Document::tree).toList());
        assertThat(said(workspace)).as(when).isEqualTo(said(fresh));
        if (!fresh.head().isInTrouble()) {
            assertThat(text(workspace)).as(when).isEqualTo(text(fresh));
        }
    }

    private static String text(TestWorkspace workspace) {
        return workspace.published().entrySet().stream()
                .map(entry -> entry.getKey() + " " + Json.text(entry.getValue()))
                .collect(Collectors.joining("\n"));
    }

    private static String said(TestWorkspace workspace) {
        return workspace.head().problems(1_000).stream()
                .map(problem -> problem.describe() + " " + problem.related())
                .collect(Collectors.joining("\n"));
    }

    private static List<String> lines(String name) throws IOException {
        try (InputStream in = HistoryTest.class.getResourceAsStream("/stories/" + name + ".story")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        }
    }

    private static DocumentId id(MapValue tree) {
        return new DocumentId(text(tree, "schema"), text(tree, "layer"), text(tree, "name"));
    }

    private static String text(MapValue tree, String key) {
        return tree.get(key) instanceof Text text ? text.value() : "";
    }
}
