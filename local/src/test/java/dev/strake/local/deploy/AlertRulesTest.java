package dev.strake.local.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
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

    /** The command of deploy/README.md that sets the address of the runbook reaches every link. */
    @Test
    void shouldLeadToTheRunbookThatAnOperatorNames() throws Exception {
        String guide = Files.readString(Path.of("../deploy/README.md"));
        Matcher command = Pattern.compile(
                        "sed -i 's\\|(?<from>[^|']+)\\|(?<to>[^|']+)\\|' deploy/prometheus/rules/strake\\.yml")
                .matcher(guide);
        assertThat(command.find()).isTrue();
        String rules = Files.readString(RULES).replaceAll(command.group("from"), command.group("to"));
        assertThat(rules.lines().filter(line -> line.contains("runbook_url:")))
                .hasSameSizeAs(names("alert: (\\w+)", RULES))
                .allMatch(line -> line.contains(" " + command.group("to") + "#strake"));
    }

    @Test
    void shouldEachHaveASectionInTheRunbook() throws Exception {
        String runbook = Files.readString(Path.of("../docs/runbook.md"));
        assertThat(names("alert: (\\w+)", RULES))
                .allSatisfy(name -> assertThat(runbook).contains("\n## " + name + "\n"));
    }

    private static Set<String> names(String pattern, Path file) throws Exception {
        return Pattern.compile("- " + pattern)
                .matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
