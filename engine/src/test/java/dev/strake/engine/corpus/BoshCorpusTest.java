package dev.strake.engine.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.interpolation.Interpolation;
import dev.strake.engine.interpolation.Variables;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.OperationPath;
import dev.strake.engine.operations.OperationPathException;
import dev.strake.engine.operations.Operations;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares with recorded results of BOSH's tool: equal results, or failures at the same place and with equal words. */
class BoshCorpusTest {

    private static final Map<String, String> DIFFERENCES = differences();

    @TestFactory
    Stream<DynamicTest> shouldDoWhatTheToolDoes() {
        return Stream.of("seed-examples", "edge", "random", "defect")
                .flatMap(BoshCorpusTest::read)
                .map(recorded -> DynamicTest.dynamicTest(text(recorded, "id"), () -> {
                    String different = DIFFERENCES.get(text(recorded, "id"));
                    MapValue expected = different == null
                            ? (MapValue) recorded.get("expect")
                            : MapValue.of("document", Json.value(different));
                    assertAnswer(expected, recorded);
                }));
    }

    @TestFactory
    Stream<DynamicTest> shouldApplyOneListToManyDocuments() {
        return read("reuse")
                .map(recorded -> DynamicTest.dynamicTest(text(recorded, "id"), () -> {
                    Operations operations = Operations.of(recorded.get("ops"));
                    ListValue results = (ListValue) ((MapValue) recorded.get("expect")).get("results");
                    ListValue documents = (ListValue) recorded.get("documents");
                    for (int i = 0; i < documents.size(); i++) {
                        assertSame(((MapValue) results.get(i)).get("document"), apply(operations, documents.get(i)));
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> shouldFillPlaceholdersAsTheToolDoes() {
        return read("vars")
                .map(recorded -> DynamicTest.dynamicTest(
                        text(recorded, "id"), () -> assertFilled((MapValue) recorded.get("expect"), recorded)));
    }

    private static void assertFilled(MapValue expected, MapValue recorded) {
        try {
            Value result = Interpolation.interpolate(
                    apply(Operations.of(recorded.get("ops")), recorded.get("document")),
                    Variables.NONE.overriddenBy((MapValue) recorded.get("vars")),
                    flag(recorded, "var_errs"),
                    flag(recorded, "var_errs_unused"),
                    RenderLimits.DEFAULT);
            if (recorded.has("path")) {
                result = OperationPath.of(text(recorded, "path")).find(result, RenderLimits.DEFAULT.budget());
            }
            assertThat(expected.has("error"))
                    .as("fails with " + text(expected, "error"))
                    .isFalse();
            assertSame(expected.get("document"), result);
        } catch (OperationException e) {
            assertFailure(expected, e.reason());
        } catch (OperationPathException e) {
            assertFailure(expected, e.getMessage());
        } catch (EvaluationException e) {
            String words = text(expected, "error").replaceFirst("for value '.*' and", "for value '<redacted>' and");
            assertThat(e.getMessage())
                    .isEqualTo(
                            words.startsWith("yaml: ")
                                    ? "Expected the variables of the document to be a list of definitions but found integer"
                                    : words);
        }
    }

    private static void assertAnswer(MapValue expected, MapValue recorded) {
        try {
            Value result = apply(Operations.of(recorded.get("ops")), recorded.get("document"));
            if (recorded.has("path")) {
                result = OperationPath.of(text(recorded, "path")).find(result, RenderLimits.DEFAULT.budget());
            }
            assertThat(expected.has("error"))
                    .as("fails with " + text(expected, "error"))
                    .isFalse();
            assertSame(expected.get("document"), result);
        } catch (OperationException e) {
            assertFailure(expected, e.reason());
            if (text(expected, "stage").equals("apply")) {
                assertThat(Num.of(e.number())).isEqualTo(expected.get("op"));
            }
        } catch (OperationPathException e) {
            assertFailure(expected, e.getMessage());
        }
    }

    private static void assertFailure(MapValue expected, String message) {
        assertThat(message).isEqualTo(text(expected, "error").split(" within\n", -1)[0]);
    }

    private static Value apply(Operations operations, Value document) throws OperationException {
        return operations.applyTo(document, RenderLimits.DEFAULT.budget());
    }

    private static void assertSame(Value expected, Value actual) {
        assertThat(Json.text(byValue(actual))).isEqualTo(Json.text(byValue(expected)));
    }

    /* Compares numbers by their numeric value, and maps without their order. */
    private static Value byValue(Value value) {
        if (value instanceof MapValue map) {
            MapValue.Builder sorted = MapValue.builder();
            map.keys().stream().sorted().forEach(key -> sorted.put(key, byValue(map.get(key))));
            return sorted.build();
        }
        if (value instanceof ListValue list) {
            return ListValue.of(
                    list.items().stream().map(BoshCorpusTest::byValue).toList());
        }
        return value instanceof Num num
                ? new Text("number " + num.decimal().stripTrailingZeros().toPlainString())
                : value;
    }

    static String text(MapValue map, String key) {
        return map.get(key) instanceof Text text ? text.value() : "";
    }

    static boolean flag(MapValue recorded, String name) {
        return recorded.get("flags") instanceof MapValue flags && Bool.TRUE.equals(flags.get(name));
    }

    private static Stream<MapValue> read(String file) {
        return lines(file + ".jsonl.gz").stream().map(Json::map);
    }

    private static Map<String, String> differences() {
        return lines("differences.txt").stream()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(' ')), line -> line.substring(line.indexOf(' ') + 1)));
    }

    private static List<String> lines(String file) {
        try (InputStream in = BoshCorpusTest.class.getResourceAsStream("/bosh-ops/" + file);
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        file.endsWith(".gz") ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
