package dev.strake.engine.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
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
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;

/** The recorded answers of the real Deckhand, and what has to be the same in an answer of ours. */
public final class RecordedAnswers {

    private static final Map<String, String> DIFFERENCES = differences();

    private RecordedAnswers() {}

    /** A test for each set of a file, as recorded and in another order. */
    public static Stream<DynamicTest> sets(String file, Function<List<MapValue>, Answer> renderer) {
        return read(file)
                .map(set -> DynamicTest.dynamicTest(text(set, "id"), () -> {
                    List<MapValue> documents = new ArrayList<>(list(set, "documents").stream()
                            .map(MapValue.class::cast)
                            .toList());
                    assertAnswer(text(set, "id"), set, renderer.apply(documents));
                    Collections.shuffle(documents, new Random(7));
                    assertAnswer(text(set, "id") + " shuffled", set, renderer.apply(documents));
                }));
    }

    /**
     * A workspace over time.
     *
     * @param steps in their order
     */
    public record Story(String id, List<Step> steps) {}

    /**
     * One moment of a story.
     *
     * @param changed documents added or replaced
     * @param removed documents removed
     * @param documents all documents that are there then
     * @param expected the recorded answer
     */
    public record Step(
            String note,
            List<MapValue> changed,
            List<DocumentId> removed,
            List<MapValue> documents,
            MapValue expected) {}

    /** The recorded stories. */
    public static Stream<Story> stories() {
        return read("steps").map(RecordedAnswers::story);
    }

    private static Story story(MapValue recorded) {
        Map<DocumentId, MapValue> state = new LinkedHashMap<>();
        List<Step> steps = new ArrayList<>();
        for (Value item : list(recorded, "steps")) {
            MapValue step = (MapValue) item;
            Map<DocumentId, MapValue> changed = new LinkedHashMap<>();
            List<DocumentId> removed = new ArrayList<>();
            // The state is what the changes say, all of them at once; buckets do not matter to rendering.
            for (Value part : list(step, "changes")) {
                MapValue change = (MapValue) part;
                if (text(change, "op").equals("upsert")) {
                    MapValue document = (MapValue) change.get("document");
                    changed.put(Document.ofValid(document).id(), document);
                } else {
                    removed.add(new DocumentId(text(change, "schema"), text(change, "layer"), text(change, "name")));
                }
            }
            state.keySet().removeAll(removed);
            state.putAll(changed);
            steps.add(new Step(
                    text(step, "note"), List.copyOf(changed.values()), removed, List.copyOf(state.values()), step));
        }
        return new Story(text(recorded, "id"), steps);
    }

    /** What came out: a summary of each rendered document (null if something was wrong), or the codes of the problems. */
    public record Answer(Set<String> rendered, Set<String> problems) {

        /** Everything came out. */
        public static Answer rendered(Collection<MapValue> documents) {
            return new Answer(
                    documents.stream().map(RecordedAnswers::summary).collect(Collectors.toCollection(TreeSet::new)),
                    Set.of());
        }

        /** Something was wrong. */
        public static Answer refused(Collection<String> codes) {
            return new Answer(null, new TreeSet<>(codes));
        }
    }

    /** Fails unless the answer is the recorded one, its fixed variant, or a difference we say we make. */
    public static void assertAnswer(String where, MapValue set, Answer answer) {
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
                .map(RecordedAnswers::textOrEmpty)
                .collect(Collectors.toSet());
        seen.add(text(expected, "error"));
        if (seen.contains("InvalidDocumentFormat")) {
            seen.add("DuplicateDocumentExists"); // what Deckhand's service calls it
        }
        return problems.stream().anyMatch(seen::contains);
    }

    private static String summary(MapValue tree) {
        MapValue metadata = (MapValue) tree.get("metadata");
        MapValue layering = metadata.get("layeringDefinition") instanceof MapValue map ? map : MapValue.EMPTY;
        return canonical(MapValue.builder()
                .put("schema", tree.get("schema"))
                .put("name", metadata.get("name"))
                .put("layer", orNull(layering.get("layer")))
                .put("labels", metadata.has("labels") ? metadata.get("labels") : MapValue.EMPTY)
                .put("storagePolicy", orNull(metadata.get("storagePolicy")))
                .put("data", tree.get("data"))
                .build());
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
        try (InputStream in = RecordedAnswers.class.getResourceAsStream("/deckhand/" + file + ".jsonl.gz");
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            return lines.lines().map(Json::map).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> differences() {
        try (InputStream in = RecordedAnswers.class.getResourceAsStream("/deckhand/differences.txt");
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
