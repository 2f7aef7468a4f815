package dev.strake.local.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alerts as promtool sees them: well formed, each with its fault and without. */
class AlertRulesTest {

    private static final Path RULES = Path.of("../deploy/prometheus/rules/strake.yml");
    private static final Path TESTS = Path.of("../deploy/prometheus/tests/strake_test.yml");

    @Test
    void shouldBeWellFormed() throws Exception {
        assertThat(Tool.named("promtool").run("check", "rules", RULES.toString()))
                .contains("SUCCESS");
    }

    @Test
    void shouldFireForTheirFaultsAndForNothingElse() throws Exception {
        assertThat(Tool.named("promtool").run("test", "rules", TESTS.toString()))
                .contains("SUCCESS");
    }

    @Test
    void shouldEachBeTested() throws Exception {
        assertThat(names("alertname: (\\w+)", TESTS)).isEqualTo(names("alert: (\\w+)", RULES));
    }

    private static Set<String> names(String pattern, Path file) throws Exception {
        return Pattern.compile("- " + pattern)
                .matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
