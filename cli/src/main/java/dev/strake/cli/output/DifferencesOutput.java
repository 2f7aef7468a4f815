package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.util.List;

/** Writes the differences between two states of a workspace, in the form of {@code DifferencesJson}. */
public record DifferencesOutput(Terminal terminal) {

    /** The forms. */
    public enum Format {
        TABLE,
        DIFF,
        JSON,
        YAML,
        MARKDOWN;

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    /** Writes the differences. If there are none, users see nothing, and programs get empty lists. */
    public void print(MapValue differences, Format format) {
        List<Value> documents = differences.items("documents");
        List<Value> rendered = differences.items("rendered");
        boolean isSame = documents.isEmpty() && rendered.isEmpty();
        switch (format) {
            case JSON -> JsonOutput.printLine(terminal.out(), differences);
            case YAML -> YamlOutput.print(terminal.out(), differences);
            case MARKDOWN -> {
                StringBuilder text = new StringBuilder("**" + summary(documents, rendered) + "**\n");
                PreviewOutput.appendSections(text, rendered, rendered.size());
                terminal.out().println(text);
            }
            case DIFF -> {
                if (!isSame) {
                    terminal.print(summary(documents, rendered));
                    changes("Documents as published", documents);
                    changes("Rendered documents", rendered);
                }
            }
            case TABLE -> {
                if (!isSame) {
                    terminal.print(summary(documents, rendered));
                    Table table = new Table("WHAT", "DIFFERENCE", "DOCUMENT", "LAYER", "PLACES");
                    documents.forEach(item -> add(table, "document", (MapValue) item));
                    rendered.forEach(item -> add(table, "rendered", (MapValue) item));
                    table.print(terminal);
                }
            }
        }
    }

    /** Whether changes were left out, because there were too many. */
    public static boolean isCut(MapValue differences) {
        return Bool.FALSE.equals(differences.get("complete"));
    }

    private static String summary(List<Value> documents, List<Value> rendered) {
        return count(documents.size(), "document") + ", " + count(rendered.size(), "rendered document");
    }

    private static String count(int number, String what) {
        return number == 1 ? "1 " + what + " differs" : number + " " + what + "s differ";
    }

    private void changes(String heading, List<Value> differences) {
        if (!differences.isEmpty()) {
            terminal.print(terminal.bold(heading));
        }
        for (Value each : differences) {
            PreviewOutput.diff(terminal, (MapValue) each);
        }
    }

    private static void add(Table table, String what, MapValue item) {
        table.add(
                what,
                PreviewOutput.difference(item),
                item.text("schema") + "/" + item.text("name"),
                item.text("layer"),
                item.get("changes") instanceof ListValue changes ? changes.size() : null);
    }
}
