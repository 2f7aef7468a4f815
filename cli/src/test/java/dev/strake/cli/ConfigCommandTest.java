package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code strake config} at a shell. */
class ConfigCommandTest {

    private final CapturedTerminal terminal = CapturedTerminal.pipe();

    @TempDir
    Path directory;

    @Test
    void shouldShowEveryValueWithItsOrigin() throws Exception {
        Path file = Files.writeString(
                directory.resolve("strake.properties"), "strake.history.age = P30D\nstrake.threads = 3\n");
        Path kafka = Files.writeString(
                directory.resolve("client.properties"), "sasl.jaas.config = password='hunter2'\nlinger.ms = 7\n");
        terminal.runLine(
                ExitCode.FINE,
                "config show --config " + file + " --kafka-config " + kafka
                        + " --set strake.limits.documents=10 --http-port 0 --threads 2 --accept-empty-state");
        assertThat(terminal.out().lines().map(line -> line.replaceAll(" {2,}", "  ")))
                .contains(
                        "NAME  VALUE  ORIGIN",
                        "strake.history.age  P30D  file " + file + ", line 1",
                        "strake.threads  2  option --threads",
                        "strake.http.port  0  option --http-port",
                        "strake.accept-empty-state  true  option --accept-empty-state",
                        "strake.limits.documents  10  option --set",
                        "strake.http.advertised  -  default",
                        "linger.ms  7  file " + kafka + ", line 2",
                        "sasl.jaas.config  ***  file " + kafka + ", line 1");
        assertThat(terminal.out()).doesNotContain("hunter2");
    }

    @Test
    void shouldShowTheDefaultsOfUpWhereTheyDiffer() {
        terminal.run(ExitCode.FINE, "config", "show", "--up", "-o", "json");
        assertThat(terminal.out())
                .contains("{\"name\":\"strake.partitions\",\"value\":\"4\",\"origin\":\"default of 'strake up'\"}");
    }

    @Test
    void shouldListAllSettings() {
        terminal.run(ExitCode.FINE, "config", "list", "-o", "yaml");
        assertThat(terminal.out()).contains("- name: strake.limits.depth", "range: a whole number from 1 to 1,000");
    }

    @Test
    void shouldRefuseAnUnknownSettingAndSuggestTheNearest() {
        terminal.run(ExitCode.USAGE, "serve", "--set", "strake.limit.documents=10");
        assertThat(terminal.err()).contains("strake.limit.documents");
        terminal.run(ExitCode.USAGE, "serve", "--http-port", "eighty");
        assertThat(terminal.err()).contains("strake.http.port cannot be 'eighty' (option --http-port)");
    }
}
