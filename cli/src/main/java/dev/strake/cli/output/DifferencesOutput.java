package dev.strake.cli.output;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** Writes what differs between two states of a workspace, given as {@code DifferencesJson} makes it. */
public final class DifferencesOutput {

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

    private final Screen screen;

    public DifferencesOutput(Screen screen) {
        this.screen = screen;
    }

    /** Writes the differences. Of none, people see nothing, and programs see empty lists. */
    public void print(MapValue differences, Format format) {
        ListValue documents = items(differences, "documents");
        ListValue rendered = items(differences, "rendered");
        boolean isSame = documents.size() == 0 && rendered.size() == 0;
        switch (format) {
            case JSON -> JsonOutput.printLine(screen.out(), differences);
            case YAML -> YamlOutput.print(screen.out(), differences);
            case MARKDOWN -> {
                StringBuilder text = new StringBuilder("**" + summary(documents, rendered) + "**\n");
                PreviewOutput.appendSections(text, rendered, rendered.size());
                screen.out().println(text);
            }
            case DIFF -> {
                if (!isSame) {
                    screen.out().println(summary(documents, rendered));
                    changes("Documents as published", documents);
                    changes("Rendered documents", rendered);
                }
            }
            case TABLE -> {
                if (!isSame) {
                    screen.out().println(summary(documents, rendered));
                    Table table = new Table("WHAT", "DIFFERENCE", "DOCUMENT", "LAYER", "PLACES");
                    documents.items().forEach(item -> add(table, "document", (MapValue) item));
                    rendered.items().forEach(item -> add(table, "rendered", (MapValue) item));
                    table.print(screen);
                }
            }
        }
    }

    /** Whether changes were left out, as there were too many. */
    public static boolean isCut(MapValue differences) {
        return differences.get("complete") == Bool.FALSE;
    }

    private static String summary(ListValue documents, ListValue rendered) {
        return count(documents.size(), "document") + ", " + count(rendered.size(), "rendered document");
    }

    private static String count(int number, String what) {
        return number == 1 ? "1 " + what + " differs" : number + " " + what + "s differ";
    }

    private void changes(String heading, ListValue differences) {
        if (differences.size() > 0) {
            screen.out().println(screen.bold(heading));
        }
        for (Value each : differences.items()) {
            PreviewOutput.diff(screen.out(), (MapValue) each, screen::bold);
        }
    }

    private static void add(Table table, String what, MapValue item) {
        table.add(
                what,
                PreviewOutput.difference(item),
                text(item, "schema") + "/" + text(item, "name"),
                text(item, "layer"),
                item.get("changes") instanceof ListValue changes ? changes.size() : null);
    }

    private static String text(MapValue item, String name) {
        return item.get(name) instanceof Text text ? text.value() : null;
    }

    private static ListValue items(MapValue of, String name) {
        return of.get(name) instanceof ListValue list ? list : ListValue.EMPTY;
    }
}
