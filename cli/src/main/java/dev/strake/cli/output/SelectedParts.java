package dev.strake.cli.output;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.query.DocumentQuery;
import dev.strake.serdes.query.Selection;
import java.util.ArrayList;
import java.util.List;

/** The parts of documents that queries select, as {@code get}, {@code render} and {@code watch} print them. */
public final class SelectedParts {

    private SelectedParts() {}

    public static List<Value> of(DocumentQuery query, List<MapValue> rendered) {
        List<Value> all = new ArrayList<>();
        for (MapValue document : rendered) {
            Selection selection = query.in(document);
            if (!selection.isEmpty()) {
                String layer = AnswerFields.text(document, "metadata", "layeringDefinition", "layer");
                all.add(selection.in(MapValue.of("schema", document.get("schema"))
                        .with("layer", layer.isEmpty() ? Null.NULL : new Text(layer))
                        .with("name", AnswerFields.text(document, "metadata", "name"))));
            }
        }
        return all;
    }

    /** Returns a table with a row for each part. */
    public static Table table(Iterable<Value> items) {
        Table table = new Table("DOCUMENT", "PATH", "VALUE");
        items.forEach(item -> {
            for (Value part : parts(item)) {
                table.add(
                        AnswerFields.text(item, "schema") + "/" + AnswerFields.text(item, "name"),
                        AnswerFields.text(part, "path"),
                        text(AnswerFields.at(part, "value")));
            }
        });
        table.sortByFirst(); // keeps the order of parts within a document
        return table;
    }

    private static List<Value> parts(Value item) {
        return AnswerFields.at(item, "selected") instanceof ListValue selected ? selected.items() : List.of();
    }

    /** Returns a value in one line: a text as it is, other values as JSON. */
    public static String text(Value value) {
        return value instanceof Text text ? text.value() : JsonOutput.text(value);
    }

    public static boolean isCut(Value item) {
        return Bool.FALSE.equals(AnswerFields.at(item, "complete"));
    }

    /** Reports that parts are missing. */
    public static int sayCut(long documents, Terminal terminal) {
        terminal.say(
                "strake: not all parts of %s are shown: the query takes too much work, or compares incompatible values. Narrow it."
                        .formatted(Counted.of(documents, "document")));
        return ExitCode.DIFFERENT_OR_INVALID;
    }
}
