package dev.strake.cli.template;

import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.heat.Findings.Needed;
import dev.strake.heat.parameter.Constraint;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.python.PythonText;
import java.io.PrintWriter;
import java.util.List;

/** Writes an environment without values: every parameter that needs one, and what is known about it. */
public final class StubEnvironment {

    private StubEnvironment() {}

    /** Prints the environment. Heat accepts it as soon as the values are filled in. */
    public static void print(PrintWriter out, List<Needed> needed) {
        if (needed.isEmpty()) {
            out.println("# No parameter needs a value.");
            return;
        }
        section(out, "parameters", needed.stream().filter(Needed::isForTopAlone).toList());
        section(
                out,
                "parameter_defaults",
                needed.stream().filter(each -> !each.isForTopAlone()).toList());
    }

    private static void section(PrintWriter out, String name, List<Needed> needed) {
        if (needed.isEmpty()) {
            return;
        }
        out.println(name + ":");
        for (Needed each : needed) {
            ParameterSchema schema = each.parameter().schema();
            out.println();
            if (schema.notes().description() != null) {
                comment(out, PythonText.str(schema.notes().description()));
            }
            comment(out, schema.type().written() + (schema.hidden() ? ", hidden" : ""));
            schema.constraints().forEach(constraint -> comment(out, text(constraint)));
            if (!each.isForTopAlone()) {
                comment(out, "for " + String.join(", ", each.paths()));
            }
            out.println("  " + key(schema.name()) + ":");
        }
    }

    private static void comment(PrintWriter out, String text) {
        text.lines().map(line -> "  # " + line.replaceAll("\\p{Cntrl}", " ")).forEach(out::println);
    }

    private static String key(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_.-]*") && !name.matches("(?i)y|n|yes|no|on|off|true|false|null")
                ? name
                : PythonText.jsonInOrder(new Text(name));
    }

    private static String text(Constraint constraint) {
        String says = constraint.description() == null ? "" : " (" + constraint.description() + ")";
        if (constraint instanceof Constraint.Length length) {
            return "length " + bounds(length.min(), length.max()) + says;
        }
        if (constraint instanceof Constraint.Range range) {
            return "range " + bounds(range.min(), range.max()) + says;
        }
        if (constraint instanceof Constraint.Modulo modulo) {
            return "a multiple of " + PythonText.number(modulo.step()) + " plus " + PythonText.number(modulo.offset())
                    + says;
        }
        if (constraint instanceof Constraint.AllowedValues values) {
            return "one of " + PythonText.jsonInOrder(values.allowed()) + says;
        }
        if (constraint instanceof Constraint.AllowedPattern pattern) {
            return "matches " + pattern.written() + says;
        }
        return "custom constraint " + ((Constraint.Custom) constraint).constraint() + says;
    }

    private static String bounds(Num min, Num max) {
        if (min == null || max == null) {
            return min == null ? "at most " + PythonText.number(max) : "at least " + PythonText.number(min);
        }
        return PythonText.number(min) + " to " + PythonText.number(max);
    }
}
