package dev.strake.checks.chaos;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SplittableRandom;

/** Writes a change in the style of different publishers: JSON, or YAML in blocks, in one line, or by hand. */
final class Texts {

    private final SplittableRandom random;

    Texts(SplittableRandom random) {
        this.random = random;
    }

    /** A change of several documents. */
    String of(List<String> documents) {
        return switch (random.nextInt(4)) {
            case 0 -> blocks(documents);
            case 1 -> byHand(documents);
            default -> "[" + String.join(",", documents) + "]";
        };
    }

    /** Writes one document, or the body of a change without documents. */
    String of(String json) {
        return switch (random.nextInt(4)) {
            case 0 -> blocks(List.of(json));
            case 1 -> byHand(List.of(json));
            default -> json;
        };
    }

    private static String blocks(List<String> documents) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        for (String document : documents) {
            Value value = JsonReader.read(document);
            YamlOutput.print(out, value);
        }
        return text.toString();
    }

    /* With features of YAML only: comments, anchors, merge keys, and old notations of booleans and octal numbers. */
    private static String byHand(List<String> documents) {
        StringBuilder text = new StringBuilder();
        for (String document : documents) {
            text.append("--- # by hand\n")
                    .append(document.replace(
                            "\"data\":{\"own\"", "\"data\":{ <<: &more {hand: yes, mode: 0644}, also: *more, \"own\""))
                    .append('\n');
        }
        return text.toString();
    }
}
