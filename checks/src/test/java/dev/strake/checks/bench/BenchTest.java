package dev.strake.checks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests that the benchmark harness works; figures of such small runs mean nothing. Not concurrent, because a benchmark
 * identifies threads by name, and needs the JVM for itself.
 */
@Execution(ExecutionMode.SAME_THREAD)
class BenchTest {

    @TempDir
    Path directory;

    @Test
    void shouldMeasureTheState() throws Exception {
        assertThat(figures(
                        "state",
                        "--documents",
                        "50,100",
                        "--changes",
                        "20",
                        "--revisions",
                        "40",
                        "--children",
                        "20",
                        "--secrets",
                        "1"))
                .hasSize(2 * 15 + 2 + 4 * 4)
                .anyMatch(what -> what.startsWith("one-leaf change among 100"));
    }

    @Test
    void shouldMeasureEndToEnd() throws Exception {
        assertThat(figures(
                        "stream",
                        "--documents",
                        "200",
                        "--changes",
                        "40",
                        "--warm-up",
                        "40",
                        "--settle",
                        "0",
                        "--workspaces",
                        "3",
                        "--bulk",
                        "2",
                        "--children",
                        "50",
                        "--partitions",
                        "2",
                        "--threads",
                        "1"))
                .hasSize(1 + 5 + 5 + 2 + 2 + 2 + 2 + 5)
                .contains("Strake, fan-out / identity with a store, by turns");
    }

    @Test
    void shouldMeasureDeckhandsApi() throws Exception {
        assertThat(figures("airship", "--rounds", "1", "--warm-up", "1"))
                .hasSize(2 + 3 + 2)
                .contains("PUT, one changed, of airsloop, 427 documents");
    }

    private List<String> figures(String... args) throws IOException {
        Path json = directory.resolve("figures.json");
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--json", json.toString()));
        assertThat(Bench.run(all.toArray(String[]::new))).isZero();
        MapValue result = (MapValue) JsonReader.read(Files.readAllBytes(json));
        List<String> names = new ArrayList<>();
        ((ListValue) result.get("figures")).items().forEach(each -> {
            MapValue figure = (MapValue) each;
            String what = ((Text) figure.get("what")).value();
            if (!what.contains("heap")) { // a collection may free more memory than so few documents take
                assertThat(((Num) figure.get("value")).decimal()).as(what).isNotNegative();
            }
            names.add(what);
        });
        return names;
    }
}
