package dev.strake.serdes.outcome;

import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Dependents.Dependent;
import dev.strake.engine.explain.Dependents.Edge;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The documents that depend on a document, as JSON:
 *
 * <pre>{@code
 * {"document": {"schema", "layer", "name"},
 *  "dependents": [{"document": {...}, "depth", "reason", "from": {...}, "used", "through": {...}}, ...],
 *  "edges": [{"from": {...}, "to": {...}, "reason"}, ...],
 *  "complete": true | false}
 * }</pre>
 *
 * <p>The nearest come first. A reason is {@code layers on}, {@code substitutes from}, {@code is operated on by},
 * {@code is checked by} or {@code is derived from}; {@code used} is the place in the data of {@code from}. Of
 * a derived document, {@code through} is the owner, if that is not {@code from} itself but reads it. A limit can make the
 * list incomplete.
 */
public final class DependentsJson {

    /** The reason of a derived document. */
    public static final String DERIVED = "is derived from";

    private DependentsJson() {}

    /** Returns the dependents of a document. */
    public static MapValue write(DocumentId of, Dependents dependents) {
        return MapValue.builder()
                .put("document", ProblemJson.write(of))
                .put(
                        "dependents",
                        ListValue.of(dependents.found().stream()
                                .map(DependentsJson::dependent)
                                .toList()))
                .put("edges", edges(dependents))
                .put("complete", Bool.of(dependents.isComplete()))
                .build();
    }

    private static MapValue dependent(Dependent dependent) {
        Edge edge = dependent.edge();
        MapValue.Builder json = MapValue.builder()
                .put("document", ProblemJson.write(dependent.document()))
                .put("depth", Num.of(dependent.depth()))
                .put("reason", new Text(edge.reference().verb()))
                .put("from", ProblemJson.write(edge.from()))
                .put("used", new Text(edge.used().toString()));
        if (edge.reference() instanceof Reference.Derivation by && !by.owner().equals(edge.from())) {
            json.put("through", ProblemJson.write(by.owner()));
        }
        return json.build();
    }

    /* Several substitutions between the same two documents are one edge. */
    private static ListValue edges(Dependents dependents) {
        Set<MapValue> edges = new LinkedHashSet<>();
        for (Edge edge : dependents.edges()) {
            edges.add(MapValue.builder()
                    .put("from", ProblemJson.write(edge.from()))
                    .put("to", ProblemJson.write(edge.to()))
                    .put("reason", new Text(edge.reference().verb()))
                    .build());
        }
        return ListValue.of(edges);
    }
}
