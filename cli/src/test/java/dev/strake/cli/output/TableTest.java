package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void shouldBeAsWideAsItsCellsInAPipe() {
        assertThat(print(Integer.MAX_VALUE)).isEqualToNormalizingNewlines("""
                <SCHEMA           NAME                                       LAYER>
                armada/Chart/v1  a-name-of-many-words-that-goes-on-and-on   site
                armada/Chart/v1  short                                      -
                """.replace("on   site", "on  site")
                .replace("    LAYER", "   LAYER")
                .replace("     -", "    -"));
    }

    @Test
    void shouldFoldTheWidestCellsOnANarrowTerminal() {
        assertThat(print(50)).isEqualToNormalizingNewlines("""
                <SCHEMA           NAME                        LAYER>
                armada/Chart/v1  a-name-of-many-words-that-  site
                                 goes-on-and-on
                armada/Chart/v1  short                       -
                """);
        assertThat(print(50).lines()).allMatch(line -> line.length() <= 52);
    }

    @Test
    void shouldPutTheLastColumnBelowWhereThereIsNoRoom() {
        assertThat(print(40)).isEqualToNormalizingNewlines("""
                <SCHEMA           NAME>
                <    LAYER>
                armada/Chart/v1  a-name-of-many-words-
                                 that-goes-on-and-on
                    site
                armada/Chart/v1  short
                """);
    }

    @Test
    void shouldLoseNothingHoweverNarrowTheTerminalIs() {
        for (int columns = 1; columns < 80; columns++) {
            assertThat(print(columns).replaceAll("\\s", "")).contains("short").contains("LAYER");
        }
    }

    @Test
    void shouldKeepNamesAndPlacesWholeBelowRowsThatDoNotFit() {
        assertThat(printRows(90)).isEqualToNormalizingNewlines("""
                  won     3  action 0, merge .  example/Server/v1/web in site    site/web.yaml:12:3
                    from  1  own data           example/Server/v1/web in global  global.yaml:10:3
                """);
        assertThat(printRows(60)).isEqualToNormalizingNewlines("""
                  won     3  action 0, merge .
                      example/Server/v1/web in site  site/web.yaml:12:3
                    from  1  own data
                        example/Server/v1/web in global  global.yaml:10:3
                """);
    }

    @Test
    void shouldRatherFoldBehindBlanksThanWithinNames() {
        assertThat(Table.folded("substitutes .dns.ip from example/Addresses/v1/addresses", 42))
                .containsExactly("substitutes .dns.ip from", "example/Addresses/v1/addresses");
        assertThat(Table.folded("12345678901 2345", 11)).containsExactly("12345678901", "2345");
    }

    private static String printRows(int columns) {
        StringWriter text = new StringWriter();
        Table table = new Table("", "", "", "", "");
        table.add("  won", "3", "action 0, merge .", "example/Server/v1/web in site", "site/web.yaml:12:3");
        table.add("    from", "1", "own data", "example/Server/v1/web in global", "global.yaml:10:3");
        table.printRows(new Paper(new PrintWriter(text, true), columns), 2);
        return text.toString();
    }

    private static String print(int columns) {
        StringWriter text = new StringWriter();
        Table table = new Table("SCHEMA", "NAME", "LAYER");
        table.add("armada/Chart/v1", "a-name-of-many-words-that-goes-on-and-on", "site");
        table.add("armada/Chart/v1", "short", null);
        table.print(new Paper(new PrintWriter(text, true), columns));
        return text.toString();
    }

    private record Paper(PrintWriter out, int columns) implements Screen {

        @Override
        public String bold(String line) {
            return "<" + line + ">";
        }
    }
}
