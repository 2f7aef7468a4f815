package dev.strake.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FoldingTest {

    @Test
    void shouldContinueLinesBetweenWords() {
        assertThat(Folding.lines("one two  three four", 9, "  ")).containsExactly("one two", "  three", "  four");
        assertThat(Folding.lines("one two", 7, "  ")).containsExactly("one two");
        assertThat(Folding.lines("", 7, "  ")).containsExactly("");
    }

    @Test
    void shouldNotBreakWordsThatAreLongerThanALine() {
        assertThat(Folding.lines("see .a.very.long.path there", 10, "  "))
                .containsExactly("see", "  .a.very.long.path", "  there");
        assertThat(Folding.lines("    indented.and.long", 10, "  ")).containsExactly("    indented.and.long");
    }

    @Test
    void shouldNotCountColours() {
        assertThat(Folding.lines("\033[1mstrake:\033[0m it is", 13, "  "))
                .containsExactly("\033[1mstrake:\033[0m it is");
        assertThat(Folding.lines("\033[1mstrake:\033[0m it is", 12, "  "))
                .containsExactly("\033[1mstrake:\033[0m it", "  is");
        assertThat(Folding.lines("\033[31m- a bc de\033[0m", 6, "  ")).containsExactly("\033[31m- a bc", "  de\033[0m");
    }

    @Test
    void shouldFoldResultsAndMessagesOnATerminalOnly() {
        String line = "  word".repeat(10);
        CapturedTerminal screen = CapturedTerminal.screen(Map.of("COLUMNS", "40", "NO_COLOR", "1"));
        screen.terminal().print(line + "\n" + line);
        screen.terminal().say(line);
        screen.terminal().sayCommand(line);
        assertThat(screen.out()).isEqualTo((folded() + "\n").repeat(2));
        assertThat(screen.err()).isEqualTo(folded() + "\n" + line + "\n");

        CapturedTerminal pipe = CapturedTerminal.pipe();
        pipe.terminal().print(line);
        pipe.terminal().say(line);
        assertThat(pipe.out()).isEqualTo(line + "\n");
        assertThat(pipe.err()).isEqualTo(line + "\n");
    }

    @Test
    void shouldNotFoldACommandInAMessage() {
        String command = "  kafka-configs.sh --bootstrap-server 127.0.0.1:9092 --alter --entity-type topics";
        CapturedTerminal screen = CapturedTerminal.screen(Map.of("COLUMNS", "40", "NO_COLOR", "1"));
        screen.terminal().say("The topic is not configured as Strake needs it:\n" + command);
        assertThat(screen.err()).isEqualTo("The topic is not configured as Strake\n    needs it:\n" + command + "\n");
    }

    private static String folded() {
        return "  word  word  word  word  word  word\n      word  word  word  word";
    }
}
