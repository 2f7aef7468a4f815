package dev.strake.cli.output;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.ProblemJson;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;

/** Writes values as JSON, one per line: easy to read for programs, and for users of grep. */
public final class JsonOutput {

    private JsonOutput() {}

    public static void printLine(PrintWriter out, Value value) {
        out.println(text(value));
    }

    /** Prints an array with one item per line. The items may still be arriving. */
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

    public static void printProblems(PrintWriter out, List<Problem> problems) {
        printArray(out, problems.stream().map(ProblemJson::write).toList());
    }

    public static String text(Value value) {
        return JsonBytes.text(value);
    }
}
