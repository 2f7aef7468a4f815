package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.Json;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.InvalidPatchException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Merges the lists of the built-in kinds like kubectl. The table contains the answers of kubectl 1.32 to a patch of
 * each list and mapping of each kind.
 */
class MergeKeysTest {

    /* The merge keys of elements on the path to a list. */
    private static final List<String> KEYS =
            List.of("name", "uid", "mountPath", "devicePath", "containerPort", "port", "ip", "type", "topologyKey");

    static Stream<String> lines() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                MergeKeysTest.class.getResourceAsStream("merge-keys.tsv"), StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.startsWith("#")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("lines")
    void shouldMergeAListAsKubectlDoes(String line) throws InvalidPatchException {
        String[] parts = line.split("\t", -1);
        String[] path = parts[2].split("\\.", -1);
        MapValue kind = Json.map("{'apiVersion':'" + parts[0] + "','kind':'" + parts[1] + "'}");
        switch (parts[3]) {
            case "replaced" ->
                assertThat(merged(kind, path, Json.value("{'a':1}"), Json.value("{'b':2}")))
                        .isEqualTo(Json.value("{'b':2}"));
            case "set" ->
                assertThat(merged(kind, path, Json.value("['a']"), Json.value("['b']")))
                        .isEqualTo(Json.value("['b','a']"));
            case "-" ->
                assertThat(merged(kind, path, Json.value("[{'x':1}]"), Json.value("[{'y':2}]")))
                        .isEqualTo(Json.value("[{'y':2}]"));
            default -> shouldMergeByKey(kind, path, parts[3]);
        }
    }

    private static void shouldMergeByKey(MapValue kind, String[] path, String key) throws InvalidPatchException {
        assertThat(merged(
                        kind,
                        path,
                        Json.value("[{'" + key + "':'k','x':1}]"),
                        Json.value("[{'" + key + "':'k','y':2}]")))
                .isEqualTo(Json.value("[{'" + key + "':'k','x':1,'y':2}]"));
        InvalidPatchException failure = catchThrowableOfType(
                InvalidPatchException.class,
                () -> merged(kind, path, Json.value("[{'x':1}]"), Json.value("[{'y':2}]")));
        assertThat(failure.kind()).isEqualTo(Kind.MISSING_MERGE_KEY);
    }

    private static Value merged(MapValue kind, String[] path, Value live, Value patch) throws InvalidPatchException {
        Value value = StrategicMergePatch.apply(
                kind.updatedWith((MapValue) nested(path, 0, live)), (MapValue) nested(path, 0, patch));
        for (String name : path) {
            boolean isList = name.endsWith("[]");
            value = ((MapValue) value).get(isList ? name.substring(0, name.length() - 2) : name);
            value = isList ? ((ListValue) value).get(0) : value;
        }
        return value;
    }

    private static Value nested(String[] path, int from, Value value) {
        if (from == path.length) {
            return value;
        }
        Value inner = nested(path, from + 1, value);
        if (!path[from].endsWith("[]")) {
            return MapValue.of(path[from], inner);
        }
        MapValue element = (MapValue) inner;
        for (String key : KEYS) {
            element = element.has(key) ? element : element.with(key, new Text("k"));
        }
        return MapValue.of(path[from].substring(0, path[from].length() - 2), ListValue.of(element));
    }
}
