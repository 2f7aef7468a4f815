package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the dashboard of appliers and fetchers with their metrics in docs/metrics.md. */
class RemoteDashboardTest {

    private static final Path DASHBOARD = Path.of("../deploy/grafana/dashboards/strake-remote.json");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(strake_(?:apply|fetch)_\\w+)` \\| \\w+ \\| ([^|]*) \\|");
    private static final Pattern METRIC = Pattern.compile("\\bstrake_\\w+");
    private static final Pattern LABELS = Pattern.compile("by \\(([^)]*)\\)|(\\w+)=~?\"");

    private static final Map<String, Set<String>> LABELS_OF = new TreeMap<>();
    private static final List<String> QUERIES = new ArrayList<>();

    @TempDir
    Path directory;

    @BeforeAll
    static void read() throws Exception {
        ROW.matcher(Files.readString(Path.of("../docs/metrics.md"))).results().forEach(row -> {
            Set<String> labels = new TreeSet<>(Set.of("job", "instance"));
            labels.addAll(List.of(row.group(2).split(", ")));
            LABELS_OF.put(row.group(1), labels);
        });
        JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
        for (JsonNode panel : dashboard.get("panels")) {
            panel.path("targets")
                    .forEach(target -> QUERIES.add(target.get("expr").asText()));
        }
    }

    @Test
    void shouldShowExactlyTheMetricsOfAppliersAndFetchers() {
        assertThat(LABELS_OF).isNotEmpty();
        Set<String> shown = QUERIES.stream()
                .flatMap(query -> METRIC.matcher(query).results())
                .map(metric -> metric.group())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(shown).isEqualTo(LABELS_OF.keySet());
    }

    @Test
    void shouldUseOnlyLabelsThatTheMetricHas() {
        for (String query : QUERIES) {
            Matcher metric = METRIC.matcher(query);
            assertThat(metric.find()).as(query).isTrue();
            Set<String> asked = LABELS.matcher(query)
                    .results()
                    .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
                    .flatMap(labels -> List.of(labels.split(", ")).stream())
                    .collect(Collectors.toSet());
            assertThat(asked).as(query).isSubsetOf(LABELS_OF.get(metric.group()));
        }
    }

    @Test
    void shouldUseQueriesThatPrometheusParses() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n- name: panels\n  rules:\n");
        for (int i = 0; i < QUERIES.size(); i++) {
            rules.append("  - record: panel_%d\n    expr: '%s'\n"
                    .formatted(i, QUERIES.get(i).replace("$__rate_interval", "1m")));
        }
        Path file = Files.writeString(directory.resolve("panels.yml"), rules);
        assertThat(Tool.named("promtool").run("check", "rules", file.toString()))
                .contains(QUERIES.size() + " rules found");
    }
}
