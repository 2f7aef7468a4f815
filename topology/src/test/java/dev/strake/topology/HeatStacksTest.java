package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.UnreadableSourceException;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Sends sequences of edits of templates and environments through the real topology, and compares with recorded answers
 * of OpenStack Heat.
 */
class HeatStacksTest {

    private static final Path SEQUENCES =
            Path.of(System.getProperty("strake.corpus", "../../shared/corpus")).resolve("heat/sequences.jsonl");
    private static final String WS = TopologyHarness.WORKSPACE;
    private static final String DERIVED = WS + "|heat/ParameterSchema/v1|";
    private static final MapValue POLICY = Json.map("""
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
             "data": {"layerOrder": ["site"]}}
            """);

    @TestFactory
    Stream<DynamicTest> shouldFollowChangesAsHeatDoesAndRepublishNothingThatIsTheSame() throws IOException {
        if (!Files.exists(SEQUENCES)) {
            // A separate test, because a skipped factory appears in no report.
            return Stream.of(DynamicTest.dynamicTest(
                    "all sequences",
                    () -> Assumptions.abort("no sequences without the corpus: -Dstrake.corpus=DIR says where it is")));
        }
        return Files.readAllLines(SEQUENCES).stream()
                .map(Json::map)
                .map(sequence -> DynamicTest.dynamicTest(text(sequence.get("id")), () -> follow(sequence)));
    }

    private static void follow(MapValue sequence) {
        try (TopologyHarness strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true))) {
            List<MapValue> all = new ArrayList<>(List.of(POLICY));
            ((MapValue) sequence.get("documents")).forEach((name, text) -> all.add(file(name, text(text))));
            List<MapValue> parents = maps(sequence.get("parents"));
            for (MapValue parent : parents) {
                all.add(stack(parent, "deep"));
                all.add(stack(parent, "as-heat"));
            }
            strake.putBucket(WS, "b", all);
            List<MapValue> steps = maps(sequence.get("steps"));
            List<MapValue> answers = maps(sequence.get("answers"));
            Map<String, MapValue> last = new HashMap<>();
            for (int i = 0; i < answers.size(); i++) {
                Map<String, String> problemsBefore = Map.copyOf(strake.problems());
                if (i > 0) {
                    apply(strake, steps.get(i - 1));
                }
                for (MapValue parent : parents) {
                    String name = text(parent.get("name"));
                    MapValue answer = (MapValue) answers.get(i).get(name);
                    for (String mode : List.of("deep", "as-heat")) {
                        String where = "answer " + i + ", " + name + " " + mode;
                        Set<String> published = published(strake, name + "-" + mode);
                        String problem = problem(strake.problems(), name, mode);
                        boolean wasSound = problem(problemsBefore, name, mode) == null;
                        if (i > 0 && answer.has("same") && problem == null && wasSound) {
                            assertThat(published).as(where).isEmpty();
                        }
                        if (i > 0 && Bool.FALSE.equals(answer.get("inputs_changed"))) {
                            assertThat(published).as(where).isEmpty();
                        }
                    }
                    if (!answer.has("same")) {
                        last.put(name, answer);
                    }
                    MapValue wanted = last.get(name);
                    for (String mode : List.of("deep", "as-heat")) {
                        assertAnswer(strake, name, mode, wanted, "answer " + i + ", " + name + " " + mode);
                    }
                }
            }
        }
    }

    private static void apply(TopologyHarness strake, MapValue step) {
        String name = text(step.get("name"));
        OutcomeStatus status;
        if (text(step.get("op")).equals("put")) {
            status = strake.put(WS, "b", List.of(file(name, text(step.get("text")))))
                    .status();
        } else {
            status = strake.delete(WS, "b", List.of(new DocumentId(schema(name), "site", name)))
                    .status();
        }
        assertThat(status).isIn(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.UNCHANGED);
    }

    private static void assertAnswer(TopologyHarness strake, String name, String mode, MapValue answer, String where) {
        MapValue wanted = (MapValue) answer.get(mode.equals("deep") ? "deep" : "expect");
        List<MapValue> possible = wanted.has("any_of") ? maps(wanted.get("any_of")) : List.of(wanted);
        Set<String> codes = possible.stream()
                .map(each -> each.get("error") instanceof MapValue error ? text(error.get("code")) : "none")
                .collect(Collectors.toSet());
        String problem = problem(strake.problems(), name, mode);
        if (problem == null) {
            assertThat(codes).as(where).contains("none");
        } else {
            assertThat(codes)
                    .as(where + " " + problem)
                    .anySatisfy(code ->
                            assertThat(problem).contains("\"InvalidTemplateTree\"", "the tree is not valid: " + code));
        }
        if (problem == null && ((MapValue) answer.get("expect")).get("schema") instanceof MapValue schema) {
            assertThat(comparable(nested(strake, name + "-" + mode))).as(where).isEqualTo(comparable(schema));
            MapValue top = data(strake, name + "-" + mode);
            Set<String> needed = maps(top.get("needs_input")).stream()
                    .map(each -> text(each.get("Name")))
                    .collect(Collectors.toSet());
            assertThat(needed)
                    .as(where)
                    .isEqualTo(((ListValue) ((MapValue) answer.get("expect")).get("needs_input"))
                            .items().stream()
                                    .map(path -> text(((ListValue) path).get(((ListValue) path).size() - 1)))
                                    .collect(Collectors.toSet()));
        }
    }

    /* Nests the documents of a stack as Heat's answer does. */
    private static MapValue nested(TopologyHarness strake, String name) {
        MapValue data = data(strake, name);
        for (String ours : List.of("status", "counts", "needs_input", "errors")) {
            data = data.without(ours);
        }
        MapValue.Builder children = MapValue.builder();
        Set<String> below = strake.rendered().keySet().stream()
                .filter(key -> key.startsWith(DERIVED + name + "/"))
                .map(key -> key.substring((DERIVED + name + "/").length()))
                .filter(rest -> !rest.contains("/"))
                .collect(Collectors.toCollection(TreeSet::new));
        below.forEach(child -> children.put(child, nested(strake, name + "/" + child)));
        return below.isEmpty() ? data : data.with("NestedParameters", children.build());
    }

    private static MapValue data(TopologyHarness strake, String name) {
        byte[] record = strake.rendered().get(DERIVED + name);
        assertThat(record).as(name).isNotNull();
        return (MapValue) ((MapValue) JsonReader.read(record)).get("data");
    }

    private static Set<String> published(TopologyHarness strake, String stack) {
        return strake.lastRendered().stream()
                .map(each -> TopologyHarness.text(each.key()))
                .filter(key -> key.equals(DERIVED + stack) || key.startsWith(DERIVED + stack + "/"))
                .collect(Collectors.toSet());
    }

    private static String problem(Map<String, String> problems, String name, String mode) {
        return problems.get(WS + "|heat/Stack/v1|site|" + name + "-" + mode);
    }

    private static MapValue stack(MapValue parent, String mode) {
        MapValue data = MapValue.builder()
                .put("template", parent.get("template"))
                .put("environments", parent.get("environment_files"))
                .put("mode", new Text(mode))
                .build();
        return document("heat/Stack/v1", text(parent.get("name")) + "-" + mode, data);
    }

    /* A file that is not valid YAML becomes a text, which is no valid template either. */
    private static MapValue file(String name, String text) {
        Value data;
        try {
            data = new SourceFile(name, text).tree();
        } catch (UnreadableSourceException e) {
            data = new Text(text);
        }
        return document(schema(name), name, data);
    }

    private static String schema(String name) {
        return name.startsWith("env/") ? "heat/Environment/v1" : "heat/Template/v1";
    }

    private static MapValue document(String schema, String name, Value data) {
        return MapValue.builder()
                .put("schema", new Text(schema))
                .put(
                        "metadata",
                        MapValue.builder()
                                .put("schema", new Text("metadata/Document/v1"))
                                .put("name", new Text(name))
                                .put("storagePolicy", new Text("cleartext"))
                                .put("layeringDefinition", MapValue.of("layer", new Text("site")))
                                .build())
                .put("data", data)
                .build();
    }

    private static List<MapValue> maps(Value list) {
        return ((ListValue) list).items().stream().map(each -> (MapValue) each).toList();
    }

    private static String text(Value value) {
        return ((Text) value).value();
    }

    /* Ignores the order of keys and the notation of numbers. */
    private static String comparable(Value value) {
        if (value instanceof MapValue map) {
            return map.keys().stream()
                    .sorted()
                    .map(key -> "\"" + key + "\": " + comparable(map.get(key)))
                    .collect(Collectors.joining(",\n", "{", "}"));
        }
        if (value instanceof ListValue list) {
            return list.items().stream()
                    .map(HeatStacksTest::comparable)
                    .toList()
                    .toString();
        }
        return value instanceof Num num
                ? "number " + num.decimal().stripTrailingZeros().toPlainString()
                : JsonBytes.text(value);
    }
}
