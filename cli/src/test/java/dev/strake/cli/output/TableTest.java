package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void shouldBeAsWideAsItsCells() {
        assertThat(print()).isEqualToNormalizingNewlines("""
                <SCHEMA           NAME                                      LAYER>
                armada/Chart/v1  a-name-of-many-words-that-goes-on-and-on  site
                armada/Chart/v1  short                                     -
                """);
    }

    @Test
    void shouldPrintRowsAlone() {
        StringWriter text = new StringWriter();
        Table table = new Table("", "");
        table.add("  won", "3");
        table.add("    from", "1");
        table.printRows(new Paper(new PrintWriter(text, true)));
        assertThat(text.toString()).isEqualToNormalizingNewlines("""
                  won     3
                    from  1
                """);
    }

    private static String print() {
        StringWriter text = new StringWriter();
        Table table = new Table("SCHEMA", "NAME", "LAYER");
        table.add("armada/Chart/v1", "a-name-of-many-words-that-goes-on-and-on", "site");
        table.add("armada/Chart/v1", "short", null);
        table.print(new Paper(new PrintWriter(text, true)));
        return text.toString();
    }

    private record Paper(PrintWriter out) implements Screen {

        @Override
        public String bold(String line) {
            return "<" + line + ">";
        }
    }
}
