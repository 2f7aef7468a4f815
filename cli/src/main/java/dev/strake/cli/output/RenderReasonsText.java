package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;

/**
 * Writes for people why a revision rendered a document again, in the form of {@code RenderReasonsJson}:
 *
 * <pre>
 * armada/Chart/v1/nova in site in revision 12: rendered again
 *   armada/Chart/v1/nova in site    layers on armada/Chart/v1/nova in global, which changed
 *   armada/Chart/v1/nova in global  substitutes from images/Images/v1/images in global, which changed
 *   images/Images/v1/images in global  was edited
 * </pre>
 */
public record RenderReasonsText(Terminal terminal) {

    /** Writes the chain of reasons. */
    public void print(MapValue answer) {
        ListValue reasons = (ListValue) answer.get("reasons");
        String outcome = reasons.size() == 0 ? "not reached" : verdict((MapValue) reasons.get(0));
        terminal.out()
                .println(terminal.bold("%s in revision %s: %s"
                        .formatted(name(answer.get("document")), ((Num) answer.get("revision")).literal(), outcome)));
        Table table = new Table("", "");
        for (Value each : reasons.items()) {
            MapValue reason = (MapValue) each;
            table.add("  " + name(reason.get("document")), because(reason));
        }
        table.printRows(terminal);
    }

    private static String verdict(MapValue reason) {
        return switch (reason.text("verdict")) {
            case "rendered" -> "rendered again";
            case "cut-off" -> "evaluated again with the same result, so cut off";
            case "verified" -> "not evaluated again, nothing that it uses changed";
            case "clean" -> "not evaluated again, nothing that it depends on changed";
            default -> "it has a problem";
        };
    }

    private static String because(MapValue reason) {
        return switch (reason.text("reason")) {
            case "edited" -> "was edited";
            case "derived" -> reason.text("edge") + " " + name(reason.get("on")) + ", which was evaluated";
            case "changed", "read" -> reason.text("edge") + " " + name(reason.get("on")) + ", which changed";
            case "resolved" -> resolved(reason);
            case "placed" -> "changed its place: its name, layer or replacement";
            case "cyclic" -> "is or was part of a cycle";
            case "limited" -> "the limits changed";
            default -> "nothing that it depends on changed";
        };
    }

    /* A missing source may have become abstract, or an abstract source may have been deleted. */
    private static String resolved(MapValue reason) {
        return reason.get("on").equals(reason.get("before"))
                ? "substitutes from a document that is missing for another reason than before"
                : "%s %s now, before %s"
                        .formatted(reason.text("edge"), name(reason.get("on")), name(reason.get("before")));
    }

    private static String name(Value document) {
        return document instanceof MapValue id ? ExplanationText.name(id) : "nothing";
    }
}
