package dev.strake.cli.terminal;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/**
 * The streams of a command: results on stdout, everything else on stderr, both UTF-8 whatever the locale says.
 *
 * <p>Colour is for people. The launcher knows which streams are terminals (a JVM cannot tell them apart)
 * and says so in the system properties {@code strake.tty.in}, {@code strake.tty.out} and {@code strake.tty.err}; without
 * a launcher there is none. It also says in {@code COLUMNS} how wide the terminal is. {@code NO_COLOR}, set to anything, takes the colour away (no-color.org), and so does {@code TERM=dumb}.
 */
public final class Terminal {

    private static final int FEWEST_COLUMNS = 40;

    private final InputStream in;
    private final Results results;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean canAsk;
    private final boolean colourOut;
    private final boolean colourErr;
    private final int columns;
    private final int columnsOfErr;

    public Terminal(
            InputStream in,
            Writer out,
            PrintWriter err,
            boolean inIsTty,
            boolean outIsTty,
            boolean errIsTty,
            Map<String, String> environment) {
        this.in = in;
        this.results = new Results(out);
        this.out = new PrintWriter(results, false);
        this.err = err;
        boolean plain = "dumb".equals(environment.get("TERM"))
                || !environment.getOrDefault("NO_COLOR", "").isEmpty();
        this.canAsk = inIsTty && errIsTty;
        this.colourOut = outIsTty && !plain;
        this.colourErr = errIsTty && !plain;
        int width = columns(environment.getOrDefault("COLUMNS", ""));
        this.columns = outIsTty ? width : Integer.MAX_VALUE;
        this.columnsOfErr = errIsTty ? width : Integer.MAX_VALUE;
    }

    /** The terminal, pipe or file that this process was started with. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                utf8(FileDescriptor.out),
                new PrintWriter(utf8(FileDescriptor.err), false),
                Boolean.getBoolean("strake.tty.in"),
                Boolean.getBoolean("strake.tty.out"),
                Boolean.getBoolean("strake.tty.err"),
                System.getenv());
    }

    /* A terminal of which nobody knows better has no limit: what is cut by mistake is worse than a line that wraps. */
    private static int columns(String text) {
        return text.matches("[0-9]{2,4}") && Integer.parseInt(text) >= FEWEST_COLUMNS
                ? Integer.parseInt(text)
                : Integer.MAX_VALUE;
    }

    /** How many characters of results go into a line: as many as the terminal has columns, or any number. */
    public int columns() {
        return columns;
    }

    /** Whether somebody is there who can read a question and type an answer. */
    public boolean canAsk() {
        return canAsk;
    }

    /** What somebody types as the answer to a question; empty if nothing comes. */
    public String answer() {
        try {
            String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /** A line that stands out, where that can be shown. */
    public String bold(String line) {
        return styled("bold", line);
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
        return Ansi.Style.on(Ansi.Style.parse(style)) + text + Ansi.Style.reset.on();
    }

    /** Results for people. Where a terminal has too few columns for a line, it is continued below. */
    public void print(String text) {
        folded(text, columns).forEach(out::println);
    }

    /** A remark for the person in front, on stderr, behind the results that are there. */
    public synchronized void say(String text) {
        out.flush();
        folded(text, columnsOfErr).forEach(err::println);
        err.flush();
    }

    /** A remark with a command, in one line however long it is: so it can be pasted. */
    public synchronized void sayCommand(String line) {
        out.flush();
        err.println(line);
        err.flush();
    }

    private static Stream<String> folded(String text, int columns) {
        return Stream.of(text.split("\n", -1)).flatMap(line -> Folding.hanging(line, columns).stream());
    }

    /** Why results were lost, as on a full disk. Nothing if they were not, or if their reader had enough (strake get ... | head). */
    public Optional<String> lossOfResults() {
        if (!out.checkError()) {
            return Optional.empty();
        }
        String reason = results.failure == null ? "they could not be passed on" : results.failure;
        return reason.equals(reasonOfUnreadPipe()) ? Optional.empty() : Optional.of(reason);
    }

    /* The system gives its reasons in the language of its user: "Broken pipe" in others. So it is asked. */
    private static String reasonOfUnreadPipe() {
        try {
            Pipe pipe = Pipe.open();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                pipe.source().close();
                sink.write(ByteBuffer.wrap(new byte[1]));
                return ""; // no reason to give: nobody minds here
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Writer utf8(FileDescriptor descriptor) {
        return new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8);
    }

    /** Keeps what went wrong when results were written, which a PrintWriter does not tell. */
    private static final class Results extends Writer {

        private final Writer to;
        private String failure;

        Results(Writer to) {
            this.to = to;
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            kept(() -> to.write(text, from, length));
        }

        @Override
        public void flush() throws IOException {
            kept(to::flush);
        }

        @Override
        public void close() throws IOException {
            to.close();
        }

        private void kept(Writing writing) throws IOException {
            try {
                writing.run();
            } catch (IOException e) {
                failure = failure == null ? String.valueOf(e.getMessage()) : failure;
                throw e;
            }
        }

        private interface Writing {

            void run() throws IOException;
        }
    }

    /** A path as it can be pasted into a POSIX shell: in quotes if it has anything but plain characters. */
    public static String pasted(Path path) {
        String text = path.toString();
        return text.matches("[\\w./+@%=:,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
