package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.metrics.Scrape.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of {@code docs/metrics.md}: Strake's own metrics from the code, and other metrics from a running instance.
 * To regenerate them:
 * {@code mvn verify -pl server -am -Dtest=None -Dit.test=MetricsIT -Dstrake.write-docs=true
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
final class MetricsPage {

    private static final Path PAGE = Path.of("../docs/metrics.md");
    private static final String OWN = "own metrics";
    private static final String OTHERS = "metrics of others";

    private MetricsPage() {}

    /** Returns the metrics that are still missing: some appear with the first task, or the first GC pause. */
    static Set<String> missing(Scrape scrape) {
        Set<String> missing = new TreeSet<>();
        for (Metric metric : OwnMetrics.ALL) {
            missing.add(metric.name());
        }
        ProcessMetrics.OF_KAFKA.forEach(name -> missing.add(name.replace('.', '_')));
        ProcessMetrics.OF_JVM.forEach(name -> missing.add(name.replace('.', '_')));
        missing.removeIf(
                name -> scrape.families().keySet().stream().anyMatch(shown -> shown.equals(name) || isOf(name, shown)));
        return missing;
    }

    /* Micrometer appends the unit and the kind of a metric to its name. */
    private static boolean isOf(String name, String shown) {
        return shown.startsWith(name + "_");
    }

    static void writeOrCompare(Scrape scrape) throws IOException {
        String page = Files.readString(PAGE);
        String made = with(with(page, OWN, own(scrape)), OTHERS, others(scrape));
        if (Boolean.getBoolean("strake.write-docs")) {
            Files.writeString(PAGE, made);
        } else {
            assertThat(page)
                    .as("docs/metrics.md; the comment of MetricsPage says how to write it anew")
                    .isEqualTo(made);
        }
    }

    private static String with(String page, String part, String table) {
        String begin = "<!-- " + part + ": begin -->\n";
        String end = "<!-- " + part + ": end -->\n";
        return page.substring(0, page.indexOf(begin) + begin.length()) + table + page.substring(page.indexOf(end));
    }

    private static String own(Scrape scrape) {
        List<String> rows = new ArrayList<>();
        for (Metric metric : OwnMetrics.ALL) {
            Family shown = scrape.families().get(metric.name());
            assertThat(shown.help()).as(metric.name()).isEqualTo(metric.help());
            rows.add(row(metric.name(), shown.type(), String.join(", ", metric.labels()), metric.help()));
        }
        return table("metric | type | labels | what it tells", rows);
    }

    private static String others(Scrape scrape) {
        Set<String> own = OwnMetrics.ALL.stream().map(Metric::name).collect(Collectors.toSet());
        return scrape.families().values().stream()
                .filter(family -> !own.contains(family.name().replaceAll("_max$", "")))
                .map(family -> family.name() + "\n")
                .collect(Collectors.joining("", "```text\n", "```\n"));
    }

    private static String table(String head, List<String> rows) {
        return "| " + head + " |\n|" + " --- |".repeat(head.split("\\|", -1).length) + "\n" + String.join("", rows);
    }

    private static String row(String name, String... cells) {
        return Stream.of(cells)
                .map(cell -> " | " + cell.replace("|", "\\|"))
                .collect(Collectors.joining("", "| `" + name + "`", " |\n"));
    }
}
