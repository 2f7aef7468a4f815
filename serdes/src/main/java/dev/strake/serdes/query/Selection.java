package dev.strake.serdes.query;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * The values that a query selects in one document.
 *
 * @param parts in the order of the document
 * @param isComplete whether the parts are all selected values; false if the query exceeded a limit
 */
public record Selection(List<Part> parts, boolean isComplete) {

    /**
     * A selected value.
     *
     * @param path where it is, as {@link dev.strake.engine.tree.Place#path} writes it: {@code .data.servers[0]['odd key']}
     */
    public record Part(String path, Value value) {}

    public Selection {
        parts = List.copyOf(parts);
    }

    public boolean isEmpty() {
        return parts.isEmpty() && isComplete;
    }

    /**
     * Adds the members {@code "selected": [{"path", "value"}, ...]}, and {@code "complete": false} if parts are
     * missing.
     */
    public MapValue in(MapValue what) {
        MapValue result = what.with(
                "selected",
                ListValue.of(parts.stream()
                        .map(part -> MapValue.of("path", new Text(part.path())).with("value", part.value()))
                        .toList()));
        return isComplete ? result : result.with("complete", Bool.FALSE);
    }

    /** Never shows the values. */
    @Override
    public String toString() {
        return "Selection[" + parts.size() + " parts]";
    }
}
