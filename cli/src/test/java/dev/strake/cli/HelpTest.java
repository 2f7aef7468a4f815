package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The help of every command, and the commands that users copy from it. */
class HelpTest {

    private static final Pattern UPPER = Pattern.compile("(Default: |of \\[)[A-Z]+\\b(?!_)");

    static List<String> commands() {
        return List.copyOf(all().getSubcommands().keySet());
    }

    static List<String> names() {
        return all().getSubcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldCreateOnlyTheRequestedCommand(String command) {
        CommandLine one = new CommandLine(new Strake());
        Commands.wantedBy(CapturedTerminal.pipe().terminal(), command, "--help").forEach(one::addSubcommand);
        assertThat(one.getSubcommands()).containsKey(command);
        assertThat(one.getSubcommands().values().stream().distinct()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldShowExamplesThatSurvivePasting(String command) {
        List<String> footer = new ArrayList<>();
        for (String line : all().getSubcommands()
                .get(command)
                .getCommandSpec()
                .usageMessage()
                .footer()) {
            if (line.startsWith("  ")) {
                footer.add(line.replace("%%", "%"));
            }
        }
        List<String> help = help(command).lines().toList();
        assertThat(help).containsAll(footer);
        assertThat(footer).allMatch(line -> line.length() <= 80);
    }

    static List<String> withSubcommands() {
        List<String> all = new ArrayList<>(List.of(""));
        all().getSubcommands().forEach((name, command) -> {
            all.add(name);
            command.getSubcommands().keySet().forEach(each -> all.add(name + " " + each));
        });
        return all;
    }

    /* Compares with the words of very wide help, which breaks no word. */
    @ParameterizedTest
    @MethodSource("withSubcommands")
    void shouldNotBreakWordsAtEightyColumns(String command) {
        CommandLine wide = all();
        for (String name : command.isEmpty() ? new String[0] : command.split(" ")) {
            wide = wide.getSubcommands().get(name);
        }
        if (command.isEmpty()) {
            wide.addSubcommand(new GenerateCompletion());
        }
        wide.setUsageHelpWidth(10_000);
        String[] typed = Stream.concat(Stream.of(command.split(" ")), Stream.of("--help"))
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.FINE, typed);
        assertThat(terminal.out().lines()).allMatch(line -> line.length() <= 80);
        Set<String> broken = words(terminal.out());
        broken.removeAll(words(wide.getUsageMessage(Ansi.OFF)));
        assertThat(broken).isEmpty();
    }

    private static CommandLine all() {
        CommandLine all = new CommandLine(new Strake());
        Commands.wantedBy(CapturedTerminal.pipe().terminal()).forEach(all::addSubcommand);
        return all;
    }

    private static Set<String> words(String text) {
        return new TreeSet<>(List.of(text.split("\\s+")));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldWriteChoicesAsTheyAreTyped(String command) {
        String help = help(command);
        assertThat(UPPER.matcher(help).results()).as(help).isEmpty();
    }

    @Test
    void shouldCompleteChoicesAsTheyAreTyped() {
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.FINE, "generate-completion");
        assertThat(terminal.out())
                .contains("complete -F _complete_strake", "\"table\"")
                .doesNotContain("\"TABLE\"", "\"JSON\"");
    }

    @Test
    void shouldNameTheVariablesBehindOptions() {
        assertThat(help("get")).contains("STRAKE_URL", "STRAKE_WORKSPACE");
        assertThat(help("watch")).contains("STRAKE_WORKSPACE", "STRAKE_TOPIC_PREFIX");
    }

    @Test
    void shouldAcceptHelpBeforeTheCommand() {
        assertThat(StrakeCommand.run(ExitCode.FINE, "help", "publish")).isEqualTo(help("publish"));
        assertThat(StrakeCommand.run(ExitCode.FINE, "help", "config", "show")).contains("Usage: strake config show");
        assertThat(StrakeCommand.run(ExitCode.FINE, "help")).contains("publish", "explain");
    }

    @Test
    void shouldReportAnUnknownCommand() {
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.USAGE, "publich");
        assertThat(terminal.err())
                .startsWith("strake: There is no command 'publich'.")
                .contains("strake publish");
    }

    @Test
    void shouldListTheChoices() {
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.USAGE, "get", "charts", "-w", "a");
        assertThat(terminal.err()).contains("documents, rendered").doesNotContain("DOCUMENTS");
    }

    private static String help(String command) {
        return StrakeCommand.run(ExitCode.FINE, command, "--help");
    }
}
