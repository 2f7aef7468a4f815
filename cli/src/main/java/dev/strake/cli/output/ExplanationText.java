package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * Writes explanations for people: a line for each value, and below it the steps that wrote it, the winner first.
 *
 * <pre>
 * .replicas: 3
 *   won   3  action 0, merge .  armada/Chart/v1/nova in site    site/nova.yaml:12
 *   lost  2  own data           armada/Chart/v1/nova in global  global/nova.yaml:9
 * </pre>
 */
public record ExplanationText(Terminal terminal) {

    private static final int LONGEST_VALUE = 40;

    /** Writes an explanation in the form of {@code ExplanationJson}. */
    public void print(MapValue explanation) {
        terminal.print(terminal.bold(explanation.text("path") + ": " + value(explanation)));
        Table table = new Table("", "", "", "", "");
        add(table, explanation, "", true);
        table.printRows(terminal);
    }

    private void add(Table table, MapValue explanation, String indent, boolean winning) {
        List<Value> causes = explanation.items("causes");
        for (int i = causes.size() - 1; i >= 0; i--) {
            MapValue cause = (MapValue) causes.get(i);
            boolean won = winning && Bool.TRUE.equals(cause.get("won"));
            String kind = cause.text("kind");
            if (kind.equals("parent")
                    && cause.get("from") instanceof MapValue from
                    && !from.items("causes").isEmpty()) {
                add(table, from, indent, won);
                continue;
            }
            MapValue document = (MapValue) cause.get("document");
            String place = cause.text("dataPlace").isEmpty() ? cause.text("place") : cause.text("dataPlace");
            if (cause.get("revision") instanceof Num revision) {
                place = (place.isEmpty() ? "" : place + ", ") + "revision " + revision.literal();
            }
            table.add(
                    "  " + indent + (indent.isEmpty() ? (won ? "won" : "lost") : "from"),
                    value(cause),
                    how(cause, kind),
                    name(document),
                    place.isEmpty() ? cause.text("path") : place);
            if (cause.get("from") instanceof MapValue from
                    && !from.items("causes").isEmpty()) {
                add(table, from, indent + "  ", won);
            }
        }
    }

    private static String how(MapValue cause, String kind) {
        return switch (kind) {
            case "own" -> "own data";
            case "parent" -> "parent " + name((MapValue) cause.get("base"));
            case "action" -> "action " + number(cause) + ", " + cause.text("method") + " " + cause.text("actionPath");
            case "substitution" -> {
                MapValue source = (MapValue) cause.get("source");
                String pattern = cause.has("sourcePattern") ? " ~ " + cause.text("sourcePattern") : "";
                String into = cause.has("destinationPattern") ? " into " + cause.text("destinationPattern") : "";
                yield "substitution " + number(cause) + into + ", " + source.text("schema") + "/" + source.text("name")
                        + " " + cause.text("sourcePath") + pattern;
            }
            case "derivation" -> "derivation";
            default -> "operation " + number(cause) + ", " + cause.text("type");
        };
    }

    /** Returns the name of a document in texts, with its layer if it has one. */
    public static String name(MapValue document) {
        String layer = document.text("layer");
        return document.text("schema") + "/" + document.text("name") + (layer.isEmpty() ? "" : " in " + layer);
    }

    private static String number(MapValue cause) {
        return ((Num) cause.get("number")).literal();
    }

    /* Programs behind a pipe get the whole value. */
    private String value(MapValue of) {
        if (!of.has("value")) {
            return "(nothing)";
        }
        String text = JsonOutput.text(of.get("value"));
        return text.length() <= LONGEST_VALUE || terminal.columns() == Integer.MAX_VALUE
                ? text
                : text.substring(0, LONGEST_VALUE - 1) + "…";
    }
}
