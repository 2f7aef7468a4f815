package dev.strake.cli.files;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads JSON values, one per line. Reads each line on demand, because the next one may not exist yet. */
public final class JsonLines {

    private static final DocumentReader READER = new DocumentReader(PlainYaml.LIMITS);

    private final InputStream in;
    private int number;

    public JsonLines(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /**
     * One line.
     *
     * @param number from 1
     * @param value null if the line is invalid
     * @param mistake what is wrong with an invalid line, otherwise null; never quotes it
     */
    public record Line(int number, Value value, String mistake) {

        /** Omits the content. */
        @Override
        public String toString() {
            return "Line[" + number + "]";
        }
    }

    /** Returns the next line that is not blank; null at the end. */
    public Line next() throws IOException {
        while (true) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            int next = in.read();
            if (next < 0) {
                return null;
            }
            for (; next >= 0 && next != '\n'; next = in.read()) {
                line.write(next);
            }
            number++;
            if (!line.toString(StandardCharsets.UTF_8).isBlank()) {
                return read(line.toByteArray());
            }
        }
    }

    private Line read(byte[] line) {
        try {
            List<ReadDocument> trees = READER.readTrees(line, TextFormat.JSON, "line " + number);
            return new Line(number, trees.get(0).value(), null);
        } catch (UnreadableTextException e) {
            Problem problem = e.problem();
            return new Line(
                    number,
                    null,
                    problem.hint() == null ? problem.message() : problem.message() + ": " + problem.hint());
        }
    }
}
