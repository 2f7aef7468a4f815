package dev.strake.cli.option;

import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Lower;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.io.PrintWriter;
import java.util.List;

/** The languages in which documents are printed. */
public enum DocumentLanguage {
    YAML,
    JSON;

    /** Prints documents: as a stream of YAML, or as an array of JSON. */
    public void print(PrintWriter out, List<? extends Value> documents) {
        if (this == JSON) {
            JsonOutput.printArray(out, documents);
        } else {
            YamlOutput.printAll(out, documents);
        }
    }

    /** Returns the text of a single document. */
    public String text(Value document) {
        return this == JSON ? JsonOutput.text(document) + "\n" : YamlOutput.textAlone(document);
    }

    @Override
    public String toString() {
        return Lower.name(this);
    }
}
