package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.ReachableFiles;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.TemplateRequest;
import dev.strake.heat.template.TemplateRequest.Mode;
import dev.strake.heat.template.TemplateValidator;
import dev.strake.heat.template.TreeLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares with recorded answers of Heat. */
class HeatCorpusTest {

    private static final Path CORPUS =
            Path.of(System.getProperty("strake.corpus", "../../shared/corpus")).resolve("heat-real");

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsHeatDoes() {
        return lines("cases").map(each -> test(each, each, Mode.AS_HEAT));
    }

    @TestFactory
    Stream<DynamicTest> shouldFindWhatCreationWouldFind() {
        return lines("cases").map(each -> test(each, each, Mode.DEEP));
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsHeatDoesForRealTemplates() {
        return lines("real").flatMap(HeatCorpusTest::both);
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsHeatDoesForWholeClouds() throws IOException {
        if (!Files.exists(CORPUS)) {
            // A separate test, because reports do not list a skipped factory.
            return Stream.of(DynamicTest.dynamicTest(
                    "all trees",
                    () -> Assumptions.abort("no more trees without the corpus: -Dstrake.corpus=DIR says where it is")));
        }
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files
                    .filter(file -> file.getFileName().toString().contains(".json"))
                    .sorted()
                    .map(HeatCorpusTest::read)
                    .toList()
                    .stream()
                    .flatMap(HeatCorpusTest::both);
        }
    }

    private static Stream<DynamicTest> both(MapValue recorded) {
        MapValue request = (MapValue) recorded.get("request");
        DynamicTest asHeat = test(recorded, request, Mode.AS_HEAT);
        // The deep answer of some trees would require a cloud.
        return recorded.has("deep") ? Stream.of(asHeat, test(recorded, request, Mode.DEEP)) : Stream.of(asHeat);
    }

    private static DynamicTest test(MapValue recorded, MapValue request, Mode mode) {
        return DynamicTest.dynamicTest(
                text(recorded.get("id")) + " " + mode,
                () -> assertAnswer(recorded, answer(request, recorded, mode), mode));
    }

    private static MapValue answer(MapValue request, MapValue recorded, Mode mode) {
        TreeLimits limits = recorded.get("limits") instanceof MapValue own && own.get("nesting") instanceof Num nesting
                ? TreeLimits.DEFAULT.nesting(nesting.nearestInt()).resources(-1)
                : TreeLimits.DEFAULT;
        TemplateRequestJson json = TemplateRequestJson.read(request, mode, limits);
        return json.write(TemplateValidator.validate(json.request()), true);
    }

    static void assertAnswer(MapValue recorded, MapValue answer, Mode mode) {
        MapValue wanted = (MapValue) recorded.get(mode == Mode.AS_HEAT ? "expect" : "deep");
        ListValue errors = (ListValue) answer.get("errors");
        List<Value> possible = wanted.get("any_of") instanceof ListValue list ? list.items() : List.of((Value) wanted);
        Set<String> codes = possible.stream()
                .map(each -> ((MapValue) each).get("error") instanceof MapValue error
                        ? text(error.get("kind")) + " " + text(error.get("code"))
                        : "none")
                .collect(Collectors.toSet());
        String first = errors.size() == 0
                ? "none"
                : text(((MapValue) errors.get(0)).get("kind")) + " " + text(((MapValue) errors.get(0)).get("code"));
        assertThat(codes).as(() -> "errors " + text(errors)).contains(first);
        MapValue expected = (MapValue) recorded.get("expect");
        if (errors.size() == 0 && expected.has("schema")) {
            assertThat(comparable(answer.get("schema"))).isEqualTo(comparable(expected.get("schema")));
            for (String member : List.of("environment", "needs_input", "supplied_empty")) {
                if (expected.has(member)) {
                    assertThat(sorted(answer.get(member))).as(member).isEqualTo(sorted(expected.get(member)));
                }
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldFollowChangesAsHeatDoes() {
        return lines("sequences")
                .map(each -> DynamicTest.dynamicTest(text(each.get("id")), () -> assertFollowed(each)));
    }

    private static void assertFollowed(MapValue sequence) {
        Map<String, SourceFile> documents = new HashMap<>();
        ((MapValue) sequence.get("documents"))
                .forEach((name, content) -> documents.put(name, new SourceFile(name, text(content))));
        ListValue steps = (ListValue) sequence.get("steps");
        ListValue answers = (ListValue) sequence.get("answers");
        Map<String, MapValue> last = new HashMap<>();
        Map<String, ValidatedTree> trees = new HashMap<>();
        for (int i = 0; i < answers.size(); i++) {
            if (i > 0) {
                MapValue step = (MapValue) steps.get(i - 1);
                if (text(step.get("op")).equals("put")) {
                    String name = text(step.get("name"));
                    documents.put(name, new SourceFile(name, text(step.get("text"))));
                } else {
                    documents.remove(text(step.get("name")));
                }
            }
            MapValue recorded = (MapValue) answers.get(i);
            for (Value each : ((ListValue) sequence.get("parents")).items()) {
                MapValue parent = (MapValue) each;
                String name = text(parent.get("name"));
                MapValue answer = (MapValue) recorded.get(name);
                MapValue wanted = answer.has("same") ? last.get(name) : answer;
                last.put(name, wanted);
                for (Mode mode : Mode.values()) {
                    TemplateRequest request = request(parent, documents, mode);
                    MapValue made =
                            new TemplateRequestJson(null, request).write(TemplateValidator.validate(request), true);
                    assertAnswer(wanted, made, mode);
                    ValidatedTree tree = TreeValidator.validate(tree(parent, mode), documents::get);
                    assertThat(tree.faults()).hasSameSizeAs(((ListValue) made.get("errors")).items());
                    ValidatedTree before = trees.put(name + mode, tree);
                    if (answer.has("same") && tree.faults().isEmpty()) { // for a fault, Heat returns nothing else
                        assertThat(tree.stacks()).isEqualTo(before.stacks());
                        assertThat(before.faults()).isEmpty();
                    }
                    if (Bool.FALSE.equals(answer.get("inputs_changed"))) {
                        assertThat(tree.stacks()).isEqualTo(before.stacks());
                    }
                }
            }
        }
    }

    private static TreeRequest tree(MapValue parent, Mode mode) {
        return new TreeRequest(
                text(parent.get("template")), environments(parent), MapValue.EMPTY, mode, TreeLimits.DEFAULT);
    }

    private static List<String> environments(MapValue parent) {
        return ((ListValue) parent.get("environment_files"))
                .items().stream().map(HeatCorpusTest::text).toList();
    }

    private static TemplateRequest request(MapValue parent, Map<String, SourceFile> documents, Mode mode) {
        SourceFile template = documents.get(text(parent.get("template")));
        List<String> environments = environments(parent);
        return new TemplateRequest(
                template,
                ReachableFiles.collect(template, environments, documents::get),
                new TemplateRequest.Environments(null, environments, MapValue.EMPTY),
                true,
                List.of(),
                mode,
                TreeLimits.DEFAULT);
    }

    private static Stream<MapValue> lines(String file) {
        try (InputStream in =
                new GZIPInputStream(HeatCorpusTest.class.getResourceAsStream("/heat/" + file + ".jsonl.gz"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(line ->
                    (MapValue) JsonReader.read(line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MapValue read(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            if (file.toString().endsWith(".gz")) {
                bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
            }
            return (MapValue) JsonReader.read(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Value value) {
        return value instanceof Text text ? text.value() : value == null ? "" : JsonBytes.text(value);
    }

    private static Object sorted(Value value) {
        return value instanceof ListValue list
                ? list.items().stream().map(HeatCorpusTest::comparable).collect(Collectors.toCollection(TreeSet::new))
                : comparable(value);
    }

    /* Compares maps without their order, and numbers by value. */
    private static String comparable(Value value) {
        if (value instanceof MapValue map) {
            return map.keys().stream()
                    .sorted()
                    .map(key -> "\"" + key + "\": " + comparable(map.get(key)))
                    .collect(Collectors.joining(",\n", "{", "}"));
        }
        if (value instanceof ListValue list) {
            List<String> items = new ArrayList<>();
            list.items().forEach(item -> items.add(comparable(item)));
            return items.toString();
        }
        return value instanceof Num num
                ? "number " + num.decimal().stripTrailingZeros().toPlainString()
                : JsonBytes.text(value);
    }
}
