package dev.strake.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A terminal that captures stdout and stderr. */
public record CapturedTerminal(Terminal terminal, StringWriter outBuffer, StringWriter errBuffer) {

    public static CapturedTerminal pipe() {
        return of(InputStream.nullInputStream(), false, Map.of());
    }

    public static CapturedTerminal screen(Map<String, String> environment) {
        return of(InputStream.nullInputStream(), true, environment);
    }

    /** A pipe with a text as its input. */
    public static CapturedTerminal reading(String text) {
        return of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), false, Map.of());
    }

    /** An interactive terminal with a text as its input. */
    public static CapturedTerminal typing(String text) {
        return of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), true, Map.of("NO_COLOR", "1"));
    }

    private static CapturedTerminal of(InputStream in, boolean tty, Map<String, String> environment) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(in, new PrintWriter(out), new PrintWriter(err), tty, tty, tty, environment);
        return new CapturedTerminal(terminal, out, err);
    }

    /** Runs a command, and checks its exit code. */
    public CapturedTerminal run(int code, String... arguments) {
        assertThat(Strake.run(terminal, arguments))
                .as(() -> String.join(" ", arguments) + ": " + out() + err())
                .isEqualTo(code);
        return this;
    }

    /** As {@link #run}, with arguments that contain no spaces. */
    public CapturedTerminal runLine(int code, String line) {
        return run(code, line.split(" ", -1));
    }

    public String out() {
        return outBuffer.toString();
    }

    public String err() {
        return errBuffer.toString();
    }
}
