package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrakeTest {

    private final CapturedTerminal terminal = CapturedTerminal.pipe();

    @Test
    void shouldPrintHelpAsAResult() {
        terminal.run(ExitCode.FINE, "--help");
        assertThat(terminal.out()).contains("Usage: strake", "Exit codes", " 5  done, except", "70  a bug", "NO_COLOR");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldPrintTheVersionsItRunsOn() {
        terminal.run(ExitCode.FINE, "--version");
        assertThat(terminal.out()).startsWith("strake ").contains("Kafka 4.", "Java " + Runtime.version());
    }

    @Test
    void shouldAskForAMissingCommand() {
        terminal.run(ExitCode.USAGE);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).startsWith("strake: Missing command.");
    }

    @Test
    void shouldNameTheArgumentThatIsNotANumber() {
        terminal.run(ExitCode.USAGE, "tag", "-w", "a", "v1", "good");
        assertThat(terminal.err()).contains("(REVISION): 'v1' is not a whole number");
        terminal.run(ExitCode.USAGE, "get", "outcomes", "-w", "a", "--last", "9999999999");
        assertThat(terminal.err()).contains("'--last': '9999999999' is too large");
    }

    @Test
    void shouldRefuseATagThatAlreadyNamesARevision() {
        for (String tag : List.of("12", "head", "published")) {
            terminal.run(ExitCode.USAGE, "tag", "-w", "a", "3", tag);
            assertThat(terminal.err()).contains("'" + tag + "' cannot be a tag");
        }
    }

    @Test
    void shouldColorHelpOnATerminalOnly() {
        CapturedTerminal screen = CapturedTerminal.screen(Map.of());
        CapturedTerminal plainScreen = CapturedTerminal.screen(Map.of("NO_COLOR", "1"));
        Strake.run(screen.terminal(), "--help");
        Strake.run(plainScreen.terminal(), "--help");
        Strake.run(terminal.terminal(), "--help");
        assertThat(screen.out()).contains("\033[");
        assertThat(plainScreen.out()).doesNotContain("\033[");
        assertThat(terminal.out()).doesNotContain("\033[");
    }
}
