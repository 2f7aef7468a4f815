package dev.strake.engine.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.oracle.NaiveOperations.NoWayException;
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
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The oracle's operations are judged by the recorded answers of BOSH's tool before they judge anybody. */
class NaiveOperationsTest {

    @TestFactory
    Stream<DynamicTest> shouldDoWhatTheToolDoes() {
        Map<String, Value> differences = new TreeMap<>();
        lines("differences.txt")
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" ", 2))
                .forEach(parts -> differences.put(parts[0], Json.value(parts[1])));
        return Stream.of("seed-examples", "edge", "random", "defect")
                .flatMap(file -> lines(file + ".jsonl.gz"))
                .map(Json::map)
                .filter(recorded -> !recorded.has("path")) // those ask for one value of the result
                .map(recorded -> {
                    String id = ((Text) recorded.get("id")).value();
                    MapValue expected = differences.containsKey(id)
                            ? MapValue.of("document", differences.get(id))
                            : (MapValue) recorded.get("expect");
                    return DynamicTest.dynamicTest(id, () -> assertAnswer(expected, recorded));
                });
    }

    private static void assertAnswer(MapValue expected, MapValue recorded) {
        String failure = expected.has("error") ? ((Text) expected.get("stage")).value() : "none";
        NaiveOperations list = new NaiveOperations(recorded.get("ops"));
        assertThat(list.unreadable() >= 0).as("cannot be read").isEqualTo(failure.equals("build"));
        if (failure.equals("build")) {
            return;
        }
        Value result = recorded.get("document");
        for (int i = 0; i < list.operations().size(); i++) {
            try {
                result = NaiveOperations.apply(list.operations().get(i), result);
            } catch (NoWayException e) {
                assertThat(failure).as("operation " + i).isEqualTo("apply");
                assertThat(Num.of(i)).isEqualTo(expected.get("op"));
                return;
            }
        }
        assertThat(failure).isEqualTo("none");
        assertThat(byValue(result)).isEqualTo(byValue(expected.get("document")));
    }

    /* Numbers compare by what they are worth. */
    private static Value byValue(Value value) {
        if (value instanceof MapValue map) {
            MapValue.Builder result = MapValue.builder();
            map.forEach((key, each) -> result.put(key, byValue(each)));
            return result.build();
        }
        if (value instanceof ListValue list) {
            return ListValue.of(
                    list.items().stream().map(NaiveOperationsTest::byValue).toList());
        }
        return value instanceof Num num
                ? new Text("number " + num.decimal().stripTrailingZeros().toPlainString())
                : value;
    }

    private static Stream<String> lines(String file) {
        try (InputStream in = NaiveOperationsTest.class.getResourceAsStream("/bosh-ops/" + file);
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        file.endsWith(".gz") ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8))) {
            List<String> lines = reader.lines().toList();
            return lines.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
