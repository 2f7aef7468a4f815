package dev.strake.cli.option;

import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Lower;
import dev.strake.cli.output.Table;
import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.util.function.Supplier;

/** The forms in which lists are printed. */
public enum ListFormat {
    TABLE,
    YAML,
    JSON;

    /** Prints items: as their table, as a stream of YAML, or as an array of JSON. */
    public void print(Terminal terminal, Iterable<? extends Value> items, Supplier<Table> table) {
        switch (this) {
            case TABLE -> table.get().print(terminal);
            case YAML -> items.forEach(item -> YamlOutput.print(terminal.out(), item));
            case JSON -> JsonOutput.printArray(terminal.out(), items);
        }
    }

    @Override
    public String toString() {
        return Lower.name(this);
    }
}
