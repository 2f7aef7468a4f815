package dev.strake.checks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/** Proves that the harness works; a figure of runs this small means nothing. */
@Execution(ExecutionMode.CONCURRENT)
class BenchTest {

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
                        "--partitions",
                        "2",
                        "--threads",
                        "1"))
                .hasSize(1 + 5 + 5 + 2 + 2 + 2)
                .anyMatch(what -> what.startsWith("Strake / identity, p99"));
    }

    private static List<String> figures(String... args) {
        StringWriter out = new StringWriter();
        assertThat(new CommandLine(new Bench()).setOut(new PrintWriter(out)).execute(args))
                .isZero();
        return out.toString().lines().toList();
    }
}
