package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the alerts with promtool: well-formed rules, each tested with and without its fault. */
class AlertRulesTest {

    private static final Path FOLDER = Path.of("../deploy/prometheus");

    @ParameterizedTest
    @ValueSource(strings = {"strake", "strake_remote"})
    void shouldBeWellFormed(String name) throws Exception {
        assertThat(Tool.named("promtool").run("check", "rules", rules(name).toString()))
                .contains("SUCCESS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"strake", "strake_remote"})
    void shouldFireOnlyForTheirFaults(String name) throws Exception {
        assertThat(Tool.named("promtool").run("test", "rules", tests(name).toString()))
                .contains("SUCCESS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"strake", "strake_remote"})
    void shouldHaveATestForEachAlert(String name) throws Exception {
        assertThat(names("alertname: (\\w+)", tests(name))).isEqualTo(names("alert: (\\w+)", rules(name)));
    }

    /** The command in deploy/README.md that sets the address of the runbook changes every link. */
    @ParameterizedTest
    @ValueSource(strings = {"strake", "strake_remote"})
    void shouldLinkToTheRunbookThatAnOperatorNames(String name) throws Exception {
        String guide = Files.readString(Path.of("../deploy/README.md"));
        Matcher command = Pattern.compile(
                        "sed -i 's\\|(?<from>[^|']+)\\|(?<to>[^|']+)\\|' deploy/prometheus/rules/\\*\\.yml")
                .matcher(guide);
        assertThat(command.find()).isTrue();
        String rules = Files.readString(rules(name)).replaceAll(command.group("from"), command.group("to"));
        assertThat(rules.lines().filter(line -> line.contains("runbook_url:")))
                .hasSameSizeAs(names("alert: (\\w+)", rules(name)))
                .allMatch(line -> line.contains(" " + command.group("to") + "#strake"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"strake", "strake_remote"})
    void shouldHaveASectionOfTheRunbookForEachAlert(String name) throws Exception {
        String runbook = Files.readString(Path.of("../docs/runbook.md"));
        assertThat(names("alert: (\\w+)", rules(name)))
                .allSatisfy(alert -> assertThat(runbook).contains("\n## " + alert + "\n"));
    }

    private static Path rules(String name) {
        return FOLDER.resolve("rules/" + name + ".yml");
    }

    private static Path tests(String name) {
        return FOLDER.resolve("tests/" + name + "_test.yml");
    }

    private static Set<String> names(String pattern, Path file) throws Exception {
        return Pattern.compile("- " + pattern)
                .matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
