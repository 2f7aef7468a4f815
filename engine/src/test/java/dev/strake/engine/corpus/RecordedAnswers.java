package dev.strake.engine.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The recorded results of the real Deckhand, and how results of Strake are compared with them. If Strake reports
 * problems, {@code problems.txt} lists them; if its result differs from Deckhand's, {@code differences.txt} lists it.
 */
public final class RecordedAnswers {

    private static final Map<String, MapValue> DIFFERENCES = differences();
    private static final Map<String, Set<String>> PROBLEMS = problems();

    private RecordedAnswers() {}

    /** Creates tests for each set of a file, in the recorded and in another order. */
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

    /** All documents of the recordings, in sets and stories. */
    public static Stream<Value> documents() {
        return Stream.concat(
                Stream.of("sets-ordinary", "sets-error", "sets-edge")
                        .flatMap(RecordedAnswers::read)
                        .flatMap(set -> list(set, "documents").stream()),
                stories().flatMap(story -> story.steps().stream()).flatMap(step -> step.changed().stream()));
    }

    /**
     * The history of a workspace.
     *
     * @param steps in their order
     */
    public record Story(String id, List<Step> steps) {}

    /**
     * One step of a story.
     *
     * @param changed documents added or replaced
     * @param removed documents removed
     * @param documents all documents after the step
     * @param expected the recorded result; its id is that of the story and the number of the step, from 0
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
            // The state is the result of all changes; buckets do not affect rendering.
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
            List<MapValue> documents = List.copyOf(state.values());
            MapValue expected = step.with("id", new Text(text(recorded, "id") + "/" + steps.size()))
                    .with("documents", ListValue.of(documents));
            steps.add(new Step(text(step, "note"), List.copyOf(changed.values()), removed, documents, expected));
        }
        return new Story(text(recorded, "id"), steps);
    }

    /**
     * A result.
     *
     * @param rendered the documents, each as a line that is equal for equal documents; null if there were problems
     * @param troubles the problems of documents; null if only the codes are known
     * @param codes the codes of all problems
     */
    public record Answer(List<String> rendered, Set<Trouble> troubles, Set<String> codes) {

        /** A result without problems. */
        public static Answer rendered(Collection<MapValue> documents) {
            return new Answer(
                    documents.stream().map(RecordedAnswers::line).sorted().toList(), Set.of(), Set.of());
        }

        /** A result with problems of unknown documents. */
        public static Answer refused(Collection<String> codes) {
            return new Answer(null, null, new TreeSet<>(codes));
        }

        /** A result with all of its problems. */
        public static Answer inTrouble(Collection<Trouble> troubles) {
            return new Answer(
                    null,
                    new HashSet<>(troubles),
                    troubles.stream().map(Trouble::code).collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    /**
     * A document in trouble.
     *
     * @param code the name of the problem
     * @param document null for the workspace as a whole
     * @param cause the other document in which the trouble began; null if it is this one
     */
    public record Trouble(String code, DocumentId document, DocumentId cause) {

        private static final String DEPENDENT = "depends on [";

        public static Trouble of(Problem problem) {
            boolean depends = problem.message().startsWith(DEPENDENT);
            return new Trouble(
                    problem.code().code(),
                    problem.document(),
                    depends ? problem.related().get(0) : null);
        }

        /** The notation in lists: the code, the document, and the document in which the trouble began, if another. */
        @Override
        public String toString() {
            return code + " " + text(document) + (cause == null ? "" : " because of " + text(cause));
        }

        private static String text(DocumentId id) {
            return id == null ? "the workspace" : id.toString();
        }
    }

    /**
     * Checks that a result is the recorded one, without Deckhand's defects if that was recorded as well, or the listed
     * difference. Problems have to be the listed ones, and to include all documents that Deckhand reports.
     */
    public static void assertAnswer(String where, MapValue set, Answer answer) {
        String id = text(set, "id");
        MapValue recorded = (MapValue) (set.has("expect_fixed") ? set.get("expect_fixed") : set.get("expect"));
        MapValue different = DIFFERENCES.get(id);
        if (different != null) {
            if (different.has("problems")) {
                assertProblems(where, texts(different, "problems"), answer);
            } else {
                List<String> ours = lines(list(different, "rendered"));
                assertThat(recorded.has("error") ? List.of() : recordedDocuments(set, recorded))
                        .as(where + " is no difference")
                        .isNotEqualTo(ours);
                assertRendered(where, ours, answer);
            }
        } else if (recorded.has("error")) {
            Set<String> listed = PROBLEMS.getOrDefault(id, Set.of());
            RecordedError.of(recorded).assertSaidBy(listed, where);
            assertProblems(where, listed, answer);
        } else {
            assertThat(PROBLEMS).as(where).doesNotContainKey(id);
            assertRendered(where, recordedDocuments(set, recorded), answer);
        }
    }

    private static void assertRendered(String where, List<String> expected, Answer answer) {
        assertThat(answer.rendered())
                .as(where + ", problems " + (answer.troubles() == null ? answer.codes() : answer.troubles()))
                .isEqualTo(expected);
    }

    private static void assertProblems(String where, Set<String> listed, Answer answer) {
        assertThat(answer.rendered()).as(where + " renders").isNull();
        if (answer.troubles() == null) {
            assertThat(answer.codes())
                    .as(where)
                    .isEqualTo(listed.stream()
                            .map(line -> line.substring(0, line.indexOf(' ')))
                            .collect(Collectors.toSet()));
        } else {
            assertThat(answer.troubles().stream().map(Trouble::toString).collect(Collectors.toSet()))
                    .as(where)
                    .isEqualTo(listed);
        }
    }

    /* Steps have no metadata, so the metadata of the published documents is used. */
    private static List<String> recordedDocuments(MapValue set, MapValue recorded) {
        List<Value> rendered = list(recorded, "rendered");
        List<Value> metadata = list(recorded, "metadata");
        Map<DocumentId, Value> published = new HashMap<>();
        for (Value document : list(set, "documents")) {
            published.put(Document.ofValid((MapValue) document).id(), ((MapValue) document).get("metadata"));
        }
        List<Value> result = new ArrayList<>();
        for (int i = 0; i < rendered.size(); i++) {
            MapValue document = (MapValue) rendered.get(i);
            DocumentId id = new DocumentId(text(document, "schema"), text(document, "layer"), text(document, "name"));
            result.add(MapValue.builder()
                    .put("schema", document.get("schema"))
                    .put("metadata", metadata.isEmpty() ? published.get(id) : metadata.get(i))
                    .put("data", document.get("data"))
                    .build());
        }
        return lines(result);
    }

    private static List<String> lines(List<Value> documents) {
        return documents.stream()
                .map(MapValue.class::cast)
                .map(RecordedAnswers::line)
                .sorted()
                .toList();
    }

    /* The order of keys does not matter. */
    private static String line(MapValue document) {
        return text(document, "schema") + " " + text((MapValue) document.get("metadata"), "name") + " "
                + document.fingerprint();
    }

    /** The cases listed as differences or problems. */
    static Set<String> listed() {
        Set<String> result = new TreeSet<>(DIFFERENCES.keySet());
        result.addAll(PROBLEMS.keySet());
        return result;
    }

    /** All cases, including each step of a story. */
    static Set<String> cases() {
        return Stream.concat(
                        Stream.of("sets-ordinary", "sets-error", "sets-edge").flatMap(RecordedAnswers::read),
                        stories().flatMap(story -> story.steps().stream()).map(Step::expected))
                .map(set -> text(set, "id"))
                .collect(Collectors.toSet());
    }

    static String text(MapValue map, String key) {
        return textOrEmpty(map.get(key));
    }

    private static String textOrEmpty(Value value) {
        return value instanceof Text text ? text.value() : "";
    }

    static List<Value> list(MapValue map, String key) {
        return map.get(key) instanceof ListValue list ? list.items() : List.of();
    }

    private static Set<String> texts(MapValue map, String key) {
        return list(map, key).stream().map(RecordedAnswers::textOrEmpty).collect(Collectors.toSet());
    }

    private static Stream<MapValue> read(String file) {
        return lines(file + ".jsonl.gz").stream().map(Json::map);
    }

    private static Map<String, MapValue> differences() {
        Map<String, MapValue> result = new HashMap<>();
        listed("differences.txt", (id, answer) -> result.put(id, Json.map(answer)));
        return result;
    }

    private static Map<String, Set<String>> problems() {
        Map<String, Set<String>> result = new HashMap<>();
        listed(
                "problems.txt",
                (id, problem) ->
                        result.computeIfAbsent(id, any -> new HashSet<>()).add(problem));
        return result;
    }

    private static void listed(String file, BiConsumer<String, String> entries) {
        lines(file).stream()
                .filter(line -> !line.startsWith("#"))
                .forEach(line ->
                        entries.accept(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
    }

    private static List<String> lines(String file) {
        try (InputStream in = RecordedAnswers.class.getResourceAsStream("/deckhand/" + file);
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        file.endsWith(".gz") ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
