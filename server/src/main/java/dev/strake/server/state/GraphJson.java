package dev.strake.server.state;

import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.DependentsJson;
import dev.strake.serdes.outcome.ProblemJson;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The layer graph as JSON:
 *
 * <pre>{@code
 * graph     {..., "layers": [text, ...], "items": [document, ...]}
 * document  {"schema", "layer", "name", "bucket", "since", "labels"?: {...}, "abstract"?: true, "replacement"?: true,
 *            "internal"?: true, "secret"?: true, "uses"?: [{"reason", "schema", "layer", "name"}, ...]}
 * derived   {"schema", "layer": null, "name", "derived": true, "uses": [the document that it comes from]}
 * }</pre>
 *
 * <p>Layers are ordered from the most general to the most specific. {@code since} is the revision that last changed the
 * document. An internal document is only for use by other documents. Reasons are those of {@link DependentsJson}. A
 * missing source has no layer, and {@code "missing": true}.
 */
final class GraphJson {

    private GraphJson() {}

    static ListValue layers(Graph graph) {
        List<String> order = graph.layerOrder() == null ? List.of() : graph.layerOrder();
        return ListValue.of(order.stream().<Value>map(Text::new).toList());
    }

    static MapValue document(Graph graph, Facts facts) {
        MapValue.Builder json = name(MapValue.builder(), facts.id())
                .put("bucket", facts.bucket())
                .put("since", facts.since());
        if (!facts.labels().isEmpty()) {
            json.put("labels", facts.labels());
        }
        flag(json, "abstract", facts.isAbstract());
        flag(json, "replacement", facts.isReplacement());
        flag(json, "internal", !facts.isForConsumers());
        flag(json, "secret", graph.isSecret(facts.id()));
        Set<MapValue> uses = new LinkedHashSet<>(); // a document that substitutes twice from another uses it once
        graph.dependencies(facts.id()).forEach(dependency -> add(uses, dependency));
        if (!uses.isEmpty()) {
            json.put("uses", ListValue.of(uses));
        }
        return json.build();
    }

    static MapValue derived(DocumentKey key, DocumentId owner) {
        MapValue.Builder use = MapValue.builder().put("reason", DependentsJson.DERIVED);
        return name(MapValue.builder(), new DocumentId(key.schema(), "", key.name()))
                .put("derived", Bool.TRUE)
                .put("uses", ListValue.of(List.of(name(use, owner).build())))
                .build();
    }

    private static void add(Set<MapValue> uses, Dependency dependency) {
        MapValue.Builder use =
                MapValue.builder().put("reason", dependency.reference().verb());
        if (dependency.on() != null) {
            uses.add(name(use, dependency.on()).build());
        } else if (dependency.reference() instanceof Reference.Source source) {
            DocumentKey key = source.document();
            uses.add(name(use, new DocumentId(key.schema(), "", key.name()))
                    .put("missing", Bool.TRUE)
                    .build());
        }
    }

    private static MapValue.Builder name(MapValue.Builder json, DocumentId id) {
        MapValue name = ProblemJson.write(id);
        name.keys().forEach(key -> json.put(key, name.get(key)));
        return json;
    }

    private static void flag(MapValue.Builder json, String name, boolean isSet) {
        if (isSet) {
            json.put(name, Bool.TRUE);
        }
    }
}
