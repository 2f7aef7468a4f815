package dev.strake.service.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** A terminal whose two streams can be read afterwards. */
public record CapturedTerminal(Terminal terminal, StringWriter outBuffer, StringWriter errBuffer) {

    public static CapturedTerminal pipe() {
        return of(false, Map.of());
    }

    public static CapturedTerminal screen(Map<String, String> environment) {
        return of(true, environment);
    }

    private static CapturedTerminal of(boolean tty, Map<String, String> environment) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), tty, tty, environment);
        return new CapturedTerminal(terminal, out, err);
    }

    public String out() {
        return outBuffer.toString();
    }

    public String err() {
        return errBuffer.toString();
    }
}
