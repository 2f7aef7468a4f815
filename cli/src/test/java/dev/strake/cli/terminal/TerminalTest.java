package dev.strake.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

    @Test
    void shouldReportLostResults() {
        StringWriter err = new StringWriter();
        assertThat(Strake.run(onto("No space left on device", err), "problem", "InvalidYaml"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err).hasToString("strake: Results could not be written: No space left on device.\n");
    }

    @Test
    void shouldExitNormallyWhenTheReaderClosesThePipe() {
        StringWriter err = new StringWriter();
        assertThat(Strake.run(onto("Broken pipe", err), "problem", "InvalidYaml"))
                .isEqualTo(ExitCode.FINE);
        assertThat(err.toString()).isEmpty();
    }

    private static Terminal onto(String failure, StringWriter err) {
        Writer full = new FilterWriter(Writer.nullWriter()) {
            @Override
            public void write(String text, int from, int length) throws IOException {
                throw new IOException(failure);
            }

            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException(failure);
            }
        };
        return onto(full, err);
    }

    private static Terminal onto(Writer out, StringWriter err) {
        InputStream nothing = InputStream.nullInputStream();
        return new Terminal(nothing, out, new PrintWriter(err), false, false, false, Map.of());
    }

    @Test
    void shouldPrintPathsThatCanBePasted() {
        assertThat(Terminal.pasted(Path.of("sites/a-1.yaml"))).isEqualTo("sites/a-1.yaml");
        assertThat(Terminal.pasted(Path.of("my site/it's"))).isEqualTo("'my site/it'\\''s'");
        assertThat(Terminal.pasted(Path.of("$HOME"))).isEqualTo("'$HOME'");
    }

    @Test
    void shouldTreatAnEmptyNoColorAsUnset() {
        Terminal terminal = CapturedTerminal.screen(Map.of("NO_COLOR", "")).terminal();
        assertThat(terminal.styled("bold", "x")).isEqualTo("\033[1mx\033[0m");
    }
}
