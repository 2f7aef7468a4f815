package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of every command, as somebody reads it and pastes from it. */
class HelpTest {

    private static final Pattern UPPER = Pattern.compile("(Default: |of \\[)[A-Z]+\\b(?!_)");

    static List<String> commands() {
        CommandLine all = new CommandLine(new Strake());
        Commands.wantedBy(CapturedTerminal.pipe().terminal()).forEach(all::addSubcommand);
        return List.copyOf(all.getSubcommands().keySet());
    }

    static List<String> names() {
        CommandLine all = new CommandLine(new Strake());
        Commands.wantedBy(CapturedTerminal.pipe().terminal()).forEach(all::addSubcommand);
        return all.getSubcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldMakeOnlyTheCommandThatIsWanted(String command) {
        CommandLine one = new CommandLine(new Strake());
        Commands.wantedBy(CapturedTerminal.pipe().terminal(), command, "--help").forEach(one::addSubcommand);
        assertThat(one.getSubcommands()).containsKey(command);
        assertThat(one.getSubcommands().values().stream().distinct()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldShowExamplesThatSurvivePasting(String command) {
        List<String> footer = new ArrayList<>();
        CommandLine all = new CommandLine(new Strake());
        Commands.wantedBy(CapturedTerminal.pipe().terminal()).forEach(all::addSubcommand);
        for (String line : all.getSubcommands()
                .get(command)
                .getCommandSpec()
                .usageMessage()
                .footer()) {
            if (line.startsWith("  ")) {
                footer.add(line.replace("%%", "%"));
            }
        }
        List<String> help = help(CapturedTerminal.pipe(), command).lines().toList();
        assertThat(help).containsAll(footer);
        assertThat(footer).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldWriteChoicesAsTheyAreTyped(String command) {
        String help = help(CapturedTerminal.pipe(), command);
        assertThat(UPPER.matcher(help).results()).as(help).isEmpty();
    }

    @Test
    void shouldCompleteChoicesAsTheyAreTyped() {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "generate-completion")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .contains("complete -F _complete_strake", "\"table\"")
                .doesNotContain("\"TABLE\"")
                .doesNotContain("\"JSON\"");
    }

    @Test
    void shouldNameTheVariablesBehindOptions() {
        assertThat(help(CapturedTerminal.pipe(), "get")).contains("STRAKE_URL", "STRAKE_WORKSPACE");
        assertThat(help(CapturedTerminal.pipe(), "watch")).contains("STRAKE_WORKSPACE", "STRAKE_TOPIC_PREFIX");
    }

    @Test
    void shouldAnswerPeopleWhoAskForHelpFirst() {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "help", "publish")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).isEqualTo(help(CapturedTerminal.pipe(), "publish"));

        terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "help", "config", "show")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("Usage: strake config show");

        terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "help")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("publish", "explain");
    }

    @Test
    void shouldSayThatThereIsNoSuchCommand() {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "publich")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err())
                .startsWith("strake: There is no command 'publich'.")
                .contains("strake publish");
    }

    @Test
    void shouldSayWhatCanBeChosen() {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "get", "charts", "-w", "a")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("documents, rendered").doesNotContain("DOCUMENTS");
    }

    private static String help(CapturedTerminal terminal, String command) {
        assertThat(Strake.run(terminal.terminal(), command, "--help")).isEqualTo(ExitCode.FINE);
        return terminal.out();
    }
}
