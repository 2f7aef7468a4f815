package dev.strake.cli.output;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * Writes explanations for people: a line for each value, and under it what wrote to its place, the winner first.
 *
 * <pre>
 * .replicas: 3
 *   won   3  action 0, merge .  armada/Chart/v1/nova in site    site/nova.yaml:12
 *   lost  2  own data           armada/Chart/v1/nova in global  global/nova.yaml:9
 * </pre>
 */
public final class ExplanationText {

    private static final int LONGEST_VALUE = 40;

    private final Screen screen;

    public ExplanationText(Screen screen) {
        this.screen = screen;
    }

    /** Writes an explanation, given as {@code ExplanationJson} makes it. */
    public void print(MapValue explanation) {
        screen.out().println(screen.bold(text(explanation, "path") + ": " + value(explanation)));
        Table table = new Table("", "", "", "", "");
        add(table, explanation, "", true);
        table.printRows(screen);
    }

    private static void add(Table table, MapValue explanation, String indent, boolean winning) {
        ListValue causes = (ListValue) explanation.get("causes");
        for (int i = causes.size() - 1; i >= 0; i--) {
            MapValue cause = (MapValue) causes.get(i);
            boolean won = winning && cause.get("won") == Bool.TRUE;
            String kind = text(cause, "kind");
            if (kind.equals("parent") && cause.get("from") instanceof MapValue from && hasCauses(from)) {
                add(table, from, indent, won);
                continue;
            }
            MapValue document = (MapValue) cause.get("document");
            String place = text(cause, "dataPlace") == null ? text(cause, "place") : text(cause, "dataPlace");
            if (cause.get("revision") instanceof Num revision) {
                place = (place == null ? "" : place + ", ") + "revision " + revision.literal();
            }
            table.add(
                    "  " + indent + (indent.isEmpty() ? (won ? "won" : "lost") : "from"),
                    value(cause),
                    how(cause, kind),
                    name(document),
                    place == null ? text(cause, "path") : place);
            if (cause.get("from") instanceof MapValue from && hasCauses(from)) {
                add(table, from, indent + "  ", won);
            }
        }
    }

    private static boolean hasCauses(MapValue explanation) {
        return explanation.get("causes") instanceof ListValue causes && causes.size() > 0;
    }

    private static String how(MapValue cause, String kind) {
        return switch (kind) {
            case "own" -> "own data";
            case "parent" -> "parent " + name((MapValue) cause.get("base"));
            case "action" -> "action " + number(cause) + ", " + text(cause, "method") + " " + text(cause, "actionPath");
            case "substitution" -> {
                MapValue source = (MapValue) cause.get("source");
                String pattern = cause.has("sourcePattern") ? " ~ " + text(cause, "sourcePattern") : "";
                String into = cause.has("destinationPattern") ? " into " + text(cause, "destinationPattern") : "";
                yield "substitution " + number(cause) + into + ", " + text(source, "schema") + "/"
                        + text(source, "name") + " " + text(cause, "sourcePath") + pattern;
            }
            case "derivation" -> "derivation";
            default -> "operation " + number(cause) + ", " + text(cause, "type");
        };
    }

    /** A document as the texts of answers name it: with its layer, if it has one. */
    public static String name(MapValue document) {
        String layer = text(document, "layer");
        return text(document, "schema") + "/" + text(document, "name") + (layer == null ? "" : " in " + layer);
    }

    private static String number(MapValue cause) {
        return ((Num) cause.get("number")).literal();
    }

    private static String value(MapValue of) {
        if (!of.has("value")) {
            return "(nothing)";
        }
        String text = JsonOutput.text(of.get("value"));
        return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE - 1) + "…";
    }

    private static String text(MapValue of, String name) {
        Value value = of.get(name);
        return value instanceof Text text ? text.value() : null;
    }
}
