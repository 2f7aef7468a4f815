package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the dependents of a document, in the form of {@code DependentsJson}: as a table, as JSON, or as a graph for
 * Graphviz and Mermaid.
 */
public final class DependentsOutput {

    /** The forms. */
    public enum Format {
        TABLE,
        JSON,
        DOT,
        MERMAID;

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    private final Terminal terminal;
    private final PrintWriter out;

    public DependentsOutput(Terminal terminal) {
        this.terminal = terminal;
        this.out = terminal.out();
    }

    /** Writes the dependents of a document. */
    public void print(MapValue dependents, Format format) {
        switch (format) {
            case TABLE -> table(dependents);
            case JSON -> JsonOutput.printLine(out, dependents);
            case DOT -> dot(dependents);
            case MERMAID -> mermaid(dependents);
        }
    }

    private void table(MapValue dependents) {
        Table table = new Table("DEPTH", "DOCUMENT", "LAYER", "BECAUSE IT");
        for (MapValue each : items(dependents, "dependents")) {
            MapValue document = (MapValue) each.get("document");
            table.add(((Num) each.get("depth")).literal(), name(document), document.text("layer"), because(each));
        }
        if (!items(dependents, "dependents").isEmpty()) {
            table.print(terminal);
        }
    }

    private static String because(MapValue dependent) {
        MapValue from = (MapValue) dependent.get("from");
        String reason = dependent.text("reason");
        if (reason.equals("substitutes from")) {
            return "substitutes " + dependent.text("used") + " from " + name(from);
        }
        if (dependent.get("through") instanceof MapValue owner) {
            return reason + " " + name(owner) + ", which reads " + name(from);
        }
        String layer = from.text("layer");
        return reason + " " + name(from) + (reason.equals("layers on") && !layer.isEmpty() ? " in " + layer : "");
    }

    private void dot(MapValue dependents) {
        out.println("digraph affected {");
        out.println("  rankdir=LR; node [shape=box, fontname=sans];");
        Map<Value, String> names = names(dependents);
        names.forEach((document, name) ->
                out.println("  %s [label=\"%s\"];".formatted(name, label((MapValue) document, "\\\"", "\\n"))));
        for (MapValue edge : items(dependents, "edges")) {
            out.println("  %s -> %s [label=\"%s\"];"
                    .formatted(names.get(edge.get("from")), names.get(edge.get("to")), effect(edge)));
        }
        out.println("}");
    }

    private void mermaid(MapValue dependents) {
        out.println("flowchart LR");
        Map<Value, String> names = names(dependents);
        names.forEach((document, name) ->
                out.println("  %s[\"%s\"]".formatted(name, label((MapValue) document, "#quot;", "<br>"))));
        for (MapValue edge : items(dependents, "edges")) {
            out.println(
                    "  %s -->|%s| %s".formatted(names.get(edge.get("from")), effect(edge), names.get(edge.get("to"))));
        }
    }

    /* Reverses a reason, which says what the dependent does: the arrows point to the dependent. */
    private static String effect(MapValue edge) {
        String reason = edge.text("reason");
        return switch (reason) {
            case "layers on" -> "is layered on by";
            case "substitutes from" -> "is substituted into";
            case "is operated on by" -> "operates on";
            case "is checked by" -> "checks";
            case "is derived from" -> "is made into";
            default -> "reaches"; // a kind of reference of a newer Strake
        };
    }

    private static Map<Value, String> names(MapValue dependents) {
        Map<Value, String> names = new LinkedHashMap<>();
        names.put(dependents.get("document"), "d0");
        for (MapValue each : items(dependents, "dependents")) {
            names.putIfAbsent(each.get("document"), "d" + names.size());
        }
        return names;
    }

    private static String label(MapValue document, String quote, String line) {
        String layer = document.text("layer");
        List<String> lines = new ArrayList<>(List.of(document.text("schema"), document.text("name")));
        if (!layer.isEmpty()) {
            lines.add("(" + layer + ")");
        }
        lines.replaceAll(each -> each.replace("\\", "\\\\").replace("\"", quote));
        return String.join(line, lines);
    }

    private static String name(MapValue document) {
        return document.text("schema") + "/" + document.text("name");
    }

    private static List<MapValue> items(MapValue of, String name) {
        return of.items(name).stream().map(MapValue.class::cast).toList();
    }
}
