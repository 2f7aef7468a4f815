package dev.strake.cli.option;

import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which documents are asked for.
 *
 * @param schema as written, or without its last parts: {@code armada/Chart} is any version of it; empty for all
 * @param name empty for all
 */
public record WantedDocuments(Optional<String> schema, Optional<String> name) {

    /**
     * What was given on a command line.
     *
     * @param schema of {@code --schema}
     * @param name a name, or a schema and a name; with {@code --schema} it is a name, whatever it looks like
     */
    public static WantedDocuments of(Optional<String> schema, Optional<String> name) {
        return schema.isEmpty() && name.isPresent() && DocumentName.hasSchema(name.get())
                ? new WantedDocuments(
                        Optional.of(DocumentName.of(name.get()).schema()),
                        Optional.of(DocumentName.of(name.get()).name()))
                : new WantedDocuments(schema, name);
    }

    /** Whether not all documents are meant. */
    public boolean isSome() {
        return schema.isPresent() || name.isPresent();
    }

    /** In words, as in a sentence about there being none. */
    public String words() {
        return name.isEmpty()
                ? "document of schema " + schema.orElseThrow()
                : "document " + schema.map(each -> each + "/").orElse("") + name.get();
    }

    /** How a running Strake is asked for them. */
    public List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        schema.ifPresent(given -> parameters.add(new Parameter("schema", given)));
        name.ifPresent(given -> parameters.add(new Parameter("name", given)));
        return parameters;
    }

    /** Those of some rendered documents. */
    public List<MapValue> of(List<MapValue> rendered) {
        return rendered.stream()
                .filter(each -> has(each.text("schema"), ((MapValue) each.get("metadata")).text("name")))
                .toList();
    }

    public boolean has(String documentSchema, String documentName) {
        return name.map(documentName::equals).orElse(true)
                && schema.map(each -> documentSchema.equals(each) || documentSchema.startsWith(each + "/"))
                        .orElse(true);
    }
}
