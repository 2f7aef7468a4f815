package dev.strake.cli.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * The streams of a command: results on stdout, everything else on stderr, both UTF-8 whatever the locale says.
 *
 * <p>Colour and progress are for people. The launcher knows which streams are terminals (a JVM cannot tell them apart)
 * and says so in the system properties {@code strake.tty.in}, {@code strake.tty.out} and {@code strake.tty.err}; without
 * a launcher there is none. {@code NO_COLOR}, set to anything, takes the colour away (no-color.org), and so does {@code TERM=dumb}.
 */
public final class Terminal {

    private static final String CLEAR_LINE = "\r\033[K";

    private final InputStream in;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean canAsk;
    private final boolean colourOut;
    private final boolean colourErr;
    private final boolean progress;
    private boolean progressShown;

    Terminal(
            InputStream in,
            PrintWriter out,
            PrintWriter err,
            boolean inIsTty,
            boolean outIsTty,
            boolean errIsTty,
            Map<String, String> environment) {
        this.in = in;
        this.out = out;
        this.err = err;
        boolean dumb = "dumb".equals(environment.get("TERM"));
        boolean plain = dumb || !environment.getOrDefault("NO_COLOR", "").isEmpty();
        this.canAsk = inIsTty && errIsTty;
        this.colourOut = outIsTty && !plain;
        this.colourErr = errIsTty && !plain;
        this.progress = errIsTty && !dumb;
    }

    /** The terminal, pipe or file that this process was started with. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                Boolean.getBoolean("strake.tty.in"),
                Boolean.getBoolean("strake.tty.out"),
                Boolean.getBoolean("strake.tty.err"),
                System.getenv());
    }

    /** Whether somebody is there who can read a question and type an answer. */
    public boolean canAsk() {
        return canAsk;
    }

    /** What was piped or typed into the command. */
    public InputStream in() {
        return in;
    }

    /** For results; buffered, so flush it when somebody waits for the line. */
    public PrintWriter out() {
        return out;
    }

    /** For whatever is not a result. */
    public PrintWriter err() {
        return err;
    }

    /** Whether picocli's help is coloured. */
    public Ansi ansi() {
        return colourOut ? Ansi.ON : Ansi.OFF;
    }

    /** Text for stdout in a style of picocli's markup, such as {@code bold} or {@code fg(green)}. */
    public String styled(String style, String text) {
        return styled(colourOut, style, text);
    }

    /** Text for stderr in such a style. */
    public String styledErr(String style, String text) {
        return styled(colourErr, style, text);
    }

    private static String styled(boolean colour, String style, String text) {
        if (!colour) {
            return text;
        }
        Ansi.IStyle[] styles = Ansi.Style.parse(style);
        // Picocli ends bold with 21, which ECMA-48 and terminals take for the begin of a double underline.
        return Ansi.Style.on(styles) + text + Ansi.Style.off(styles).replace("\033[21m", "\033[22m");
    }

    /** Shows how far a long piece of work is, in one line that the next one replaces. Only on a terminal. */
    public synchronized void progress(String line) {
        if (progress) {
            err.print(CLEAR_LINE + line);
            err.flush();
            progressShown = true;
        }
    }

    /** A remark for the person in front, on stderr; takes a progress line away first. */
    public synchronized void say(String line) {
        clearProgress();
        err.println(line);
        err.flush();
    }

    public synchronized void clearProgress() {
        if (progressShown) {
            err.print(CLEAR_LINE);
            err.flush();
            progressShown = false;
        }
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
    }
}
