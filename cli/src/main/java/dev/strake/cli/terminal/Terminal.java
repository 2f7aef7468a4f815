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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/**
 * The streams of a command: results on stdout, everything else on stderr, both in UTF-8 whatever the locale says.
 *
 * <p>Only terminals get colours. The launcher knows which streams are terminals (a JVM cannot tell them apart), and
 * sets the system properties {@code strake.tty.in}, {@code strake.tty.out} and {@code strake.tty.err}; without a
 * launcher, no stream counts as a terminal. The launcher sets {@code COLUMNS} to the width of the terminal. A
 * {@code NO_COLOR} that is not empty (no-color.org) disables colours, and so does {@code TERM=dumb}.
 */
public final class Terminal {

    /** A line of a message with a command of Kafka. It stays whole, so that the user can paste it. */
    private static final Pattern KAFKA_COMMAND = Pattern.compile(" +kafka-[a-z]+\\.sh .*");

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

    /* The width is unlimited if it is unknown: text that is cut by mistake is worse than a line that wraps. */
    private static int columns(String text) {
        return text.matches("[0-9]{2,4}") && Integer.parseInt(text) >= FEWEST_COLUMNS
                ? Integer.parseInt(text)
                : Integer.MAX_VALUE;
    }

    /** The maximum length of a line of results: the width of the terminal, or unlimited. */
    public int columns() {
        return columns;
    }

    /** Whether a user can read a question and type an answer. */
    public boolean canAsk() {
        return canAsk;
    }

    /** Returns the answer that the user types; empty if there is none. */
    public String answer() {
        try {
            String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The standard input. */
    public InputStream in() {
        return in;
    }

    /** For results. The writer is buffered: flush it when a reader waits for the line. */
    public PrintWriter out() {
        return out;
    }

    /** For everything that is not a result. */
    public PrintWriter err() {
        return err;
    }

    /** Returns a line in bold, if the terminal can show that. */
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

    /** Text for stderr in a style of picocli's markup. */
    public String styledErr(String style, String text) {
        return styled(colourErr, style, text);
    }

    private static String styled(boolean colour, String style, String text) {
        if (!colour) {
            return text;
        }
        return Ansi.Style.on(Ansi.Style.parse(style)) + text + Ansi.Style.reset.on();
    }

    /** Prints results for people. Folds lines that are too long for the terminal. */
    public void print(String text) {
        folded(text, columns).forEach(out::println);
    }

    /** Prints a remark for the user to stderr, after the results so far. */
    public synchronized void say(String text) {
        out.flush();
        folded(text, columnsOfErr).forEach(err::println);
        err.flush();
    }

    /** Prints a remark with a command. Never folds the line, so that the user can paste it. */
    public synchronized void sayCommand(String line) {
        out.flush();
        err.println(line);
        err.flush();
    }

    private static Stream<String> folded(String text, int columns) {
        return Stream.of(text.split("\n", -1))
                .flatMap(line -> KAFKA_COMMAND.matcher(line).matches()
                        ? Stream.of(line)
                        : Folding.hanging(line, columns).stream());
    }

    /** Returns why results were lost. Empty if none were, or if the reader closed the pipe (strake get ... | head). */
    public Optional<String> lossOfResults() {
        if (!out.checkError()) {
            return Optional.empty();
        }
        String reason = results.failure == null ? "they could not be passed on" : results.failure;
        return reason.equals(reasonOfUnreadPipe()) ? Optional.empty() : Optional.of(reason);
    }

    /* Tries out the system's message for a closed pipe, because it depends on the locale: "Broken pipe" or others. */
    private static String reasonOfUnreadPipe() {
        try {
            Pipe pipe = Pipe.open();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                pipe.source().close();
                sink.write(ByteBuffer.wrap(new byte[1]));
                return ""; // a closed pipe gives no error here
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Writer utf8(FileDescriptor descriptor) {
        return new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8);
    }

    /** Keeps the message of a failed write, which a PrintWriter does not report. */
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

    /** Returns a path that can be pasted into a POSIX shell, in quotes if it contains special characters. */
    public static String pasted(Path path) {
        String text = path.toString();
        return text.matches("[\\w./+@%=:,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
