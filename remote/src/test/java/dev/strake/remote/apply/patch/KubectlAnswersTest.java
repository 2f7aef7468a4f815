package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.Json;
import dev.strake.engine.tree.MapValue;
import dev.strake.remote.object.InvalidPatchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random objects and patches of all kinds, with answers of {@code kubectl patch --local --type strategic} (1.32).
 * Nulls and directives that kubectl leaves in unmerged parts are removed from the answers, as a typed server does.
 */
class KubectlAnswersTest {

    static Stream<String> answers() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                KubectlAnswersTest.class.getResourceAsStream("kubectl-1.32.jsonl"), StandardCharsets.UTF_8))) {
            return reader.lines().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("answers")
    void shouldMergeAsKubectlDoes(String line) throws InvalidPatchException {
        MapValue recorded = Json.map(line);
        MapValue live = (MapValue) recorded.get("live");
        MapValue patch = (MapValue) recorded.get("patch");
        MapValue expected = (MapValue) recorded.get("expect");
        if (expected.has("error")) {
            assertThat(catchThrowableOfType(InvalidPatchException.class, () -> StrategicMergePatch.apply(live, patch)))
                    .isNotNull();
        } else {
            assertThat(StrategicMergePatch.apply(live, patch)).isEqualTo(expected.get("object"));
        }
    }
}
