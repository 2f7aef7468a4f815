package dev.strake.cli.option;

import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Selects documents.
 *
 * @param schema a schema, or its first parts: {@code armada/Chart} selects all versions; empty for all
 * @param name empty for all
 */
public record WantedDocuments(Optional<String> schema, Optional<String> name) {

    /**
     * Creates the selection of a command line.
     *
     * @param schema the value of {@code --schema}
     * @param name a name, or a schema and a name; always a name if there is a {@code --schema}
     */
    public static WantedDocuments of(Optional<String> schema, Optional<String> name) {
        return schema.isEmpty() && name.isPresent() && DocumentName.hasSchema(name.get())
                ? new WantedDocuments(
                        Optional.of(DocumentName.of(name.get()).schema()),
                        Optional.of(DocumentName.of(name.get()).name()))
                : new WantedDocuments(schema, name);
    }

    /** Whether the selection is limited. */
    public boolean isSome() {
        return schema.isPresent() || name.isPresent();
    }

    /** Describes the selection for a message that nothing matches. */
    public String words() {
        return name.isEmpty()
                ? "document of schema " + schema.orElseThrow()
                : "document " + schema.map(each -> each + "/").orElse("") + name.get();
    }

    /** The query parameters for a running Strake. */
    public List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        schema.ifPresent(given -> parameters.add(new Parameter("schema", given)));
        name.ifPresent(given -> parameters.add(new Parameter("name", given)));
        return parameters;
    }

    /** Returns those rendered documents that are selected. */
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
