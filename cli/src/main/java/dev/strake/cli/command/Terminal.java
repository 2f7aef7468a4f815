package dev.strake.cli.command;

import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Screen;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Help.Ansi;

/**
 * The streams of a command: results on stdout, everything else on stderr, both UTF-8 whatever the locale says.
 *
 * <p>Colour and progress are for people. The launcher knows which streams are terminals (a JVM cannot tell them apart)
 * and says so in the system properties {@code strake.tty.in}, {@code strake.tty.out} and {@code strake.tty.err}; without
 * a launcher there is none. {@code NO_COLOR}, set to anything, takes the colour away (no-color.org), and so does {@code TERM=dumb}.
 */
public final class Terminal implements Screen {

    private static final String CLEAR_LINE = "\r\033[K";
    private static final int USUAL_COLUMNS = 80;

    private final InputStream in;
    private final Results results;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean canAsk;
    private final boolean colourOut;
    private final boolean colourErr;
    private final boolean progress;
    private final int columns;
    private boolean progressShown;

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
        this.out = new ResultPrinter(results);
        this.err = err;
        boolean dumb = "dumb".equals(environment.get("TERM"));
        boolean plain = dumb || !environment.getOrDefault("NO_COLOR", "").isEmpty();
        this.canAsk = inIsTty && errIsTty;
        this.colourOut = outIsTty && !plain;
        this.colourErr = errIsTty && !plain;
        this.progress = errIsTty && !dumb;
        this.columns = outIsTty ? columns(environment.get("COLUMNS")) : Integer.MAX_VALUE;
    }

    /* What the person says goes before what the launcher found out. */
    private static int columns(String said) {
        for (String text : new String[] {said, System.getProperty("strake.tty.columns")}) {
            if (text != null && text.matches("[1-9][0-9]{0,4}")) {
                return Integer.parseInt(text);
            }
        }
        return USUAL_COLUMNS;
    }

    /** The terminal, pipe or file that this process was started with. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                utf8(new FileOutputStream(FileDescriptor.out)),
                new PrintWriter(utf8(new FileOutputStream(FileDescriptor.err)), false),
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
    @Override
    public PrintWriter out() {
        return out;
    }

    /** For whatever is not a result. */
    public PrintWriter err() {
        return err;
    }

    @Override
    public String bold(String line) {
        return styled("bold", line);
    }

    @Override
    public int columns() {
        return columns;
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
        return Ansi.Style.on(styles) + text + withBoldEnded(Ansi.Style.off(styles));
    }

    /* Picocli ends bold with 21, which ECMA-48 and terminals take for the begin of a double underline. */
    private static String withBoldEnded(String styled) {
        return styled.replace("\033[21m", "\033[22m");
    }

    /** For picocli's help on stdout. */
    public PrintWriter helpOut() {
        return new HelpWriter(out);
    }

    /** For picocli's suggestions on stderr. */
    public PrintWriter helpErr() {
        return new HelpWriter(err);
    }

    /** Picocli writes a help as one text, so no sequence is cut in two. */
    private static final class HelpWriter extends PrintWriter {

        HelpWriter(PrintWriter to) {
            super(to);
        }

        @Override
        public void write(String text, int from, int length) {
            String styled = withBoldEnded(text.substring(from, from + length));
            super.write(styled, 0, styled.length());
        }
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

    /** A stream that takes text in UTF-8. */
    static Writer utf8(OutputStream stream) {
        return new Utf8Writer(stream);
    }

    private static final class ResultPrinter extends PrintWriter implements JsonOutput.Utf8 {

        private final Results results;

        ResultPrinter(Results results) {
            super(results, false);
            this.results = results;
        }

        @Override
        public void print(byte[] utf8) {
            try {
                results.write(utf8);
            } catch (IOException e) {
                setError();
            }
        }
    }

    /** Passes on what is encoded already. Of megabytes, encoding them again would be a twentieth of a whole command. */
    private static final class Utf8Writer extends OutputStreamWriter {

        /** What a writer gathers before it passes something on. */
        private static final int BUFFER = 8 << 10;

        private final OutputStream encoded;

        Utf8Writer(OutputStream encoded) {
            super(encoded, StandardCharsets.UTF_8);
            this.encoded = encoded;
        }

        void write(byte[] utf8) throws IOException {
            if (utf8.length < BUFFER) {
                write(new String(utf8, StandardCharsets.UTF_8)); // so a line is passed on at once with its end
            } else {
                flush();
                encoded.write(utf8);
            }
        }
    }

    /** Keeps what went wrong when results were written, which a PrintWriter does not tell. */
    private static final class Results extends FilterWriter {

        private String failure;

        Results(Writer to) {
            super(to);
        }

        @Override
        public void write(int character) throws IOException {
            kept(() -> out.write(character));
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            kept(() -> out.write(text, from, length));
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            kept(() -> out.write(text, from, length));
        }

        void write(byte[] utf8) throws IOException {
            kept(() -> {
                if (out instanceof Utf8Writer encoded) {
                    encoded.write(utf8);
                } else {
                    out.write(new String(utf8, StandardCharsets.UTF_8));
                }
            });
        }

        @Override
        public void flush() throws IOException {
            kept(out::flush);
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
