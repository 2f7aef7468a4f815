package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final String ID = "example/Addresses/v1/addresses";

    @Test
    void shouldPrintEachRowOnOneLineIntoAPipe() {
        Table table = new Table("NAME", "MESSAGE");
        table.add("one", "word ".repeat(40).strip());
        CapturedTerminal pipe = CapturedTerminal.pipe();
        table.print(pipe.terminal());
        assertThat(pipe.out()).hasLineCount(2);
    }

    @Test
    void shouldIndentContinuationsOfASingleColumn() {
        Table table = new Table("PROBLEM");
        table.add("a.yaml:1:1: there is no document of that name");
        table.add("  two other documents wait until one is there");
        assertThat(printed(table, 40)).isEqualToNormalizingNewlines("""
                PROBLEM
                a.yaml:1:1: there is no document of that
                    name
                  two other documents wait until one is
                      there
                """);
    }

    @Test
    void shouldWrapTheWidestCellBetweenWords() {
        Table table = new Table("REVISION", "STATUS", "MESSAGE");
        table.add(1, "rendered", "new name servers for all of the sites in the north");
        table.add(2, "failed", null);
        assertThat(printed(table, 50)).isEqualToNormalizingNewlines("""
                REVISION  STATUS    MESSAGE
                1         rendered  new name servers for all of
                                    the sites in the north
                2         failed    -
                """);
    }

    @Test
    void shouldOmitEmptyColumnsOnANarrowTerminal() {
        Table table = new Table("NAME", "AUTHOR", "MESSAGE");
        table.add("n".repeat(20), null, "word ".repeat(4).strip());
        assertThat(printed(table, 45))
                .startsWith("NAME                  MESSAGE\n")
                .hasLineCount(2);
        assertThat(printed(table, 60)).startsWith("NAME                  AUTHOR  MESSAGE\n");
    }

    @Test
    void shouldFoldLinesBetweenWordsWhenNoColumnCanShrink() {
        Table table = new Table("A", "B", "C");
        table.add("  won", ID, ID + " in site");
        assertThat(printed(table, 60)).isEqualToNormalizingNewlines("""
                A      B                               C
                  won  example/Addresses/v1/addresses
                    example/Addresses/v1/addresses in site
                """);
        assertThat(printed(table, 80).lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void shouldNotBreakAWordThatIsLongerThanTheTerminal() {
        Table table = new Table("NAME");
        table.add("n".repeat(90) + " end");
        assertThat(printed(table, 40)).contains("n".repeat(90) + "\n    end\n");
    }

    @Test
    void shouldIgnoreImplausibleWidths() {
        for (String columns : new String[] {"", "0", "12", "wide", "99999"}) {
            assertThat(CapturedTerminal.screen(Map.of("COLUMNS", columns))
                            .terminal()
                            .columns())
                    .isEqualTo(Integer.MAX_VALUE);
        }
    }

    private static String printed(Table table, int columns) {
        CapturedTerminal screen =
                CapturedTerminal.screen(Map.of("COLUMNS", Integer.toString(columns), "NO_COLOR", "1"));
        table.print(screen.terminal());
        return screen.out();
    }
}
