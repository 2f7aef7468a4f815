package dev.strake.cli.output;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.text.JsonValues;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/** Writes values as JSON, one to a line: easy to read for programs, and for people who use grep. */
public final class JsonOutput {

    private JsonOutput() {}

    /** Where what is in UTF-8 already need not become text to be written. */
    public interface Utf8 {

        /** Writes a text. What goes wrong is kept, as a {@link PrintWriter} does. */
        void print(byte[] utf8);
    }

    public static void printLine(PrintWriter out, Value value) {
        byte[] json = JsonValues.write(value);
        if (out instanceof Utf8 utf8) {
            utf8.print(json);
            out.println();
        } else {
            out.println(new String(json, StandardCharsets.UTF_8));
        }
    }

    /** An array with each item in a line of its own; the items may still be arriving. */
    public static void printArray(PrintWriter out, Iterable<? extends Value> items) {
        out.print('[');
        Iterator<? extends Value> each = items.iterator();
        while (each.hasNext()) {
            out.println();
            out.print(text(each.next()));
            out.print(each.hasNext() ? "," : "\n");
        }
        out.println(']');
    }

    public static void printArray(PrintWriter out, List<? extends Value> items) {
        out.print('[');
        String[] separator = {"\n"};
        TextsInOrder.of(items, JsonOutput::text, text -> {
            out.print(separator[0]);
            out.print(text);
            separator[0] = ",\n";
        });
        out.println(items.isEmpty() ? "]" : "\n]");
    }

    public static void printProblems(PrintWriter out, List<Problem> problems) {
        printArray(out, problems.stream().map(ProblemJson::write).toList());
    }

    public static String text(Value value) {
        return new String(JsonValues.write(value), StandardCharsets.UTF_8);
    }
}
