package dev.strake.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares a table of {@code docs/metrics.md} with the code; {@code -Dstrake.write-docs=true} updates it. */
class MetricsPageTest {

    private static final Path PAGE = Path.of("../docs/metrics.md");
    private static final String BEGIN = "<!-- remote metrics: begin -->\n";
    private static final String END = "<!-- remote metrics: end -->\n";

    @Test
    void shouldDescribeEachMetric() throws Exception {
        String page = Files.readString(PAGE);
        String table = RemoteMetrics.ALL.stream()
                .map(metric -> "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                metric.name(),
                                metric.name().endsWith("_total") ? "counter" : "gauge",
                                String.join(", ", metric.labels()),
                                metric.help()))
                .collect(Collectors.joining(
                        "", "| metric | type | labels | what it tells |\n| --- | --- | --- | --- |\n", ""));
        String made =
                page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + table + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("strake.write-docs")) {
            Files.writeString(PAGE, made);
        } else {
            assertThat(page).isEqualTo(made);
        }
    }
}
