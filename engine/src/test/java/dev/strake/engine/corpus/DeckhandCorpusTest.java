package dev.strake.engine.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.TestWorkspace.RejectedException;
import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The recorded answers of the real Deckhand: ours has to be the recorded one, or its fixed variant. */
class DeckhandCorpusTest {

    private static final Map<String, String> DIFFERENCES = differences();

    @TestFactory
    Stream<DynamicTest> shouldRenderOrdinarySetsAsDeckhandDoes() {
        return cases("sets-ordinary");
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseWhatDeckhandRefusesWithTheSameError() {
        return cases("sets-error");
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeTheSensibleSideOfEverySurprise() {
        return cases("sets-edge");
    }

    @TestFactory
    Stream<DynamicTest> shouldFollowStoriesStepByStep() {
        return read("steps")
                .map(story -> DynamicTest.dynamicTest(text(story, "id"), () -> {
                    TestWorkspace workspace = new TestWorkspace();
                    for (Value step : list(story, "steps")) {
                        applyStep(workspace, (MapValue) step);
                        String where = text(story, "id") + " at step " + text((MapValue) step, "note");
                        assertAnswer(where, (MapValue) step, outcome(workspace));
                    }
                }));
    }

    private static void applyStep(TestWorkspace workspace, MapValue step) {
        // The state is what the changes say, all of them at once; buckets do not matter to rendering.
        List<MapValue> upserts = new ArrayList<>();
        List<DocumentId> deletions = new ArrayList<>();
        for (Value item : list(step, "changes")) {
            MapValue change = (MapValue) item;
            if (text(change, "op").equals("upsert")) {
                upserts.add((MapValue) change.get("document"));
            } else {
                deletions.add(
                        new DocumentId(text(change, "schema"), textOrEmpty(change.get("layer")), text(change, "name")));
            }
        }
        workspace.delete("b", deletions.toArray(DocumentId[]::new));
        workspace.put("b", upserts.toArray(MapValue[]::new));
    }

    private static Stream<DynamicTest> cases(String file) {
        return read(file)
                .map(set -> DynamicTest.dynamicTest(text(set, "id"), () -> {
                    List<MapValue> documents = new ArrayList<>(list(set, "documents").stream()
                            .map(MapValue.class::cast)
                            .toList());
                    assertAnswer(text(set, "id"), set, render(documents));
                    Collections.shuffle(documents, new Random(7));
                    assertAnswer(text(set, "id") + " shuffled", set, render(documents));
                }));
    }

    private static Answer render(List<MapValue> documents) {
        TestWorkspace workspace = new TestWorkspace();
        try {
            workspace.putBucket("b", documents);
        } catch (RejectedException e) {
            return new Answer(null, codes(e.problems()));
        }
        return outcome(workspace);
    }

    private static Answer outcome(TestWorkspace workspace) {
        if (workspace.head().isInTrouble()) {
            return new Answer(null, codes(workspace.head().problems(1000)));
        }
        return new Answer(summaries(workspace), Set.of());
    }

    /** What came out: a summary of each rendered document, or the codes of the problems. */
    private record Answer(Set<String> rendered, Set<String> problems) {}

    private static void assertAnswer(String where, MapValue set, Answer answer) {
        String id = text(set, "id").isEmpty() ? where.substring(0, where.indexOf(' ')) : text(set, "id");
        String different = DIFFERENCES.get(id);
        if (different != null) {
            String ours = answer.rendered == null ? answer.problems.iterator().next() : "rendered";
            assertThat(different).as(where).startsWith(ours + " ");
            return;
        }
        List<Object> accepted = new ArrayList<>();
        for (String key : List.of("expect_fixed", "expect")) {
            if (!(set.get(key) instanceof MapValue expected)) {
                continue;
            }
            if (expected.has("error")) {
                if (answer.rendered == null && isExpected(set, expected, answer.problems)) {
                    return;
                }
                accepted.add(text(expected, "error"));
            } else {
                Set<String> wanted = list(expected, "rendered").stream()
                        .map(item -> canonical(((MapValue) item)))
                        .collect(Collectors.toCollection(TreeSet::new));
                if (answer.rendered != null) {
                    if (answer.rendered.equals(wanted)) {
                        return;
                    }
                    Set<String> missing = new TreeSet<>(wanted);
                    missing.removeAll(answer.rendered);
                    Set<String> extra = new TreeSet<>(answer.rendered);
                    extra.removeAll(wanted);
                    accepted.add("missing " + missing + "\nextra " + extra);
                } else {
                    accepted.add("rendered");
                }
            }
        }
        assertThat(answer.problems)
                .as(where + " expects " + accepted + " features "
                        + Json.text(set.get("features") == null ? Null.NULL : set.get("features")))
                .isEqualTo("one of the recorded answers");
    }

    private static boolean isExpected(MapValue set, MapValue expected, Set<String> problems) {
        if (text(expected, "kind").equals("untyped")) {
            return true;
        }
        Set<String> seen = list(set, "errors_seen").stream()
                .map(DeckhandCorpusTest::textOrEmpty)
                .collect(Collectors.toSet());
        seen.add(text(expected, "error"));
        if (seen.contains("InvalidDocumentFormat")) {
            seen.add("DuplicateDocumentExists"); // what Deckhand's service calls it
        }
        return problems.stream().anyMatch(seen::contains);
    }

    private static Set<String> codes(List<Problem> problems) {
        return problems.stream().map(problem -> problem.code().code()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> summaries(TestWorkspace workspace) {
        return workspace.published().values().stream()
                .map(tree -> {
                    MapValue metadata = (MapValue) tree.get("metadata");
                    MapValue layering =
                            metadata.get("layeringDefinition") instanceof MapValue map ? map : MapValue.EMPTY;
                    return canonical(MapValue.builder()
                            .put("schema", tree.get("schema"))
                            .put("name", metadata.get("name"))
                            .put("layer", orNull(layering.get("layer")))
                            .put("labels", metadata.has("labels") ? metadata.get("labels") : MapValue.EMPTY)
                            .put("storagePolicy", orNull(metadata.get("storagePolicy")))
                            .put("data", tree.get("data"))
                            .build());
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /* Key order is no part of the answer. */
    private static String canonical(MapValue document) {
        return textOrEmpty(document.get("name")) + " " + document.fingerprint();
    }

    private static Value orNull(Value value) {
        return value == null ? Null.NULL : value;
    }

    private static String text(MapValue map, String key) {
        return textOrEmpty(map.get(key));
    }

    private static String textOrEmpty(Value value) {
        return value instanceof Text text ? text.value() : "";
    }

    private static List<Value> list(MapValue map, String key) {
        return map.get(key) instanceof ListValue list ? list.items() : List.of();
    }

    private static Stream<MapValue> read(String file) {
        try (InputStream in = DeckhandCorpusTest.class.getResourceAsStream("/deckhand/" + file + ".jsonl.gz");
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            return lines.lines().map(Json::map).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> differences() {
        try (InputStream in = DeckhandCorpusTest.class.getResourceAsStream("/deckhand/differences.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf(' ')),
                            line -> line.substring(line.indexOf(' ') + 1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
