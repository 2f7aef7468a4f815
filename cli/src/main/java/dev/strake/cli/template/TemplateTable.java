package dev.strake.cli.template;

import dev.strake.cli.output.Table;
import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.AnswerJson;
import dev.strake.heat.Findings;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.template.StackNode;
import dev.strake.heat.template.TemplateAnswer;

/** Prints the parameters of a tree as a table: their values, and where these are defined. */
public final class TemplateTable {

    private static final int WIDEST = 40;

    private TemplateTable() {}

    static void print(Terminal terminal, TemplateAnswer answer, AnswerJson json, Findings findings) {
        Table table = new Table("PARAMETER", "TYPE", "DEFAULT", "VALUE", "FROM");
        add(table, answer.root(), "", json, findings);
        table.print(terminal);
        findings.needed()
                .forEach(each -> terminal.out()
                        .println("needs a value: " + each.parameter().schema().name() + " ("
                                + String.join(", ", each.paths()) + ")"));
        findings.blocked()
                .forEach((name, places) ->
                        terminal.out().println("blocked until " + name + " has a value: " + String.join(", ", places)));
        answer.unusedDefaults().forEach(name -> terminal.out().println("no template declares the default: " + name));
        answer.unusedMappings()
                .forEach(entry -> terminal.out().println("no resource uses the mapping: " + entry.key()));
    }

    private static void add(Table table, StackNode node, String above, AnswerJson json, Findings findings) {
        for (StackNode.Parameter each : node.parameters()) {
            MapValue shown = json.parameter(each);
            Location from = shown.has("Value") ? findings.ofValue(each) : findings.ofDefault(each);
            table.add(
                    above + each.schema().name(),
                    each.schema().type().written(),
                    text(shown.get("Default")),
                    text(shown.get("Value")),
                    from);
        }
        node.children().forEach((name, child) -> add(table, child, above + name + ".", json, findings));
    }

    private static String text(Value value) {
        if (value == null) {
            return null;
        }
        String text = PythonText.str(value);
        if (text.isEmpty()) {
            return "\"\""; // a dash would mean that there is none
        }
        return text.length() > WIDEST ? text.substring(0, WIDEST - 1) + "…" : text;
    }
}
