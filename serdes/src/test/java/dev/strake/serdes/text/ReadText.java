package dev.strake.serdes.text;

import static org.assertj.core.api.Assertions.fail;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.JsonBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.provider.Arguments;

/** Runs readers for the tests of this package, and formats results as JSON, one document a line. */
final class ReadText {

    private ReadText() {}

    static String yaml(String text) {
        return json(text, TextFormat.YAML);
    }

    static String json(String text, TextFormat format) {
        try {
            return lines(new DocumentReader(Limits.DEFAULT).readTrees(bytes(text), format, "text"));
        } catch (UnreadableTextException e) {
            return fail("refused: " + e.getMessage(), e);
        }
    }

    static Problem refused(String text) {
        return refused(bytes(text), TextFormat.YAML, Limits.DEFAULT);
    }

    static Problem refused(byte[] text, TextFormat format, Limits limits) {
        try {
            List<ReadDocument> read = new DocumentReader(limits).readTrees(text, format, "text");
            return fail("not refused, but read as %d documents", read.size());
        } catch (UnreadableTextException e) {
            return e.problem();
        }
    }

    static String lines(List<ReadDocument> documents) {
        return documents.stream()
                .map(document -> JsonBytes.text(document.value()))
                .collect(Collectors.joining("\n"));
    }

    /** Answers of another parser: lines like {@code text => JSON}. */
    static List<Arguments> answers(String resource) {
        try (InputStream in = ReadText.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("# "))
                    .map(line -> line.split(" => ", 2))
                    .map(parts -> Arguments.of(parts[0].replace("\\n", "\n").replace("\\t", "\t"), parts[1]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
