package dev.strake.cli.importing;

import dev.strake.cli.offline.OfflineRendering;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Layers as documents. Renders the documents to prove that the result equals the layers. */
final class LayeredDocuments {

    private static final String METADATA = "metadata";
    private static final String LABEL = "imported";
    private static final Text ENCRYPTED = new Text("encrypted");

    private final Set<Layer> layers = new LinkedHashSet<>();
    private final Map<Layer, Map<Layer.Item, List<MapValue>>> documents = new LinkedHashMap<>();

    LayeredDocuments(List<Layer> environments) {
        environments.forEach(each -> layers.addAll(each.withParents()));
        for (Layer layer : layers) {
            Map<Layer.Item, List<MapValue>> made = new LinkedHashMap<>();
            layer.items().forEach(item -> made.put(item, documents(layer, item)));
            documents.put(layer, made);
        }
    }

    /** All layers, the most general first. */
    Set<Layer> layers() {
        return layers;
    }

    /** The documents of each item of a layer: the item itself, and possibly operations on it. */
    Map<Layer.Item, List<MapValue>> of(Layer layer) {
        return documents.get(layer);
    }

    /** Returns how many documents still have to be encrypted. */
    long encrypted() {
        return documents.values().stream()
                .flatMap(made -> made.values().stream())
                .flatMap(List::stream)
                .filter(LayeredDocuments::isSecret)
                .count();
    }

    /** Returns the document that defines the order of the layers. */
    MapValue policy() {
        List<Value> names =
                layers.stream().<Value>map(layer -> new Text(layer.name())).toList();
        return MapValue.of("schema", "deckhand/LayeringPolicy/v1")
                .with(METADATA, MapValue.of("name", "layering-policy"))
                .with("data", MapValue.of("layerOrder", ListValue.of(names)));
    }

    private static List<MapValue> documents(Layer layer, Layer.Item item) {
        Layer.Item parent = item.parent();
        MapValue whole = item.document();
        boolean isLayered =
                parent != null && whole.get("schema").equals(parent.document().get("schema"));
        MapValue layering = MapValue.of("layer", layer.name());
        String name = name(layer, item);
        MapValue metadata = MapValue.of("name", name);
        if (!layer.isEnvironment()) {
            layering = layering.with("abstract", Bool.TRUE);
            metadata = metadata.with("labels", MapValue.of(LABEL, name));
        } else if (whole.map(METADATA).has("labels")) {
            metadata = metadata.with("labels", whole.map(METADATA).get("labels"));
        }
        if (isSecret(whole)) {
            metadata = metadata.with("storagePolicy", ENCRYPTED);
        }
        if (!isLayered) {
            return List.of(whole.with(METADATA, metadata.with("layeringDefinition", layering)));
        }
        Difference difference = new Difference(
                parent.document().get("data"),
                whole.get("data"),
                ObjectDocument.object(whole).isPresent() && !isSecret(whole) && !isSecret(parent.document()));
        layering = layering.with("parentSelector", MapValue.of(LABEL, name(item.below(), parent)))
                .with("actions", ListValue.of(difference.actions()));
        MapValue document = whole.with(METADATA, metadata.with("layeringDefinition", layering))
                .with("data", difference.data());
        if (difference.operations().isEmpty()) {
            return List.of(document);
        }
        MapValue operations = MapValue.of("schema", "strake/Operations/v1")
                .with(
                        METADATA,
                        MapValue.of("name", name).with("layeringDefinition", MapValue.of("layer", layer.name())))
                .with(
                        "data",
                        MapValue.of(
                                        "target",
                                        MapValue.of("schema", whole.get("schema"))
                                                .with("name", name))
                                .with("operations", ListValue.of(difference.operations())));
        return List.of(document, operations);
    }

    private static boolean isSecret(MapValue document) {
        return ENCRYPTED.equals(document.map(METADATA).get("storagePolicy"));
    }

    /* A parent and its child must have different names. */
    private static String name(Layer layer, Layer.Item item) {
        return layer.isEnvironment() ? item.name() : layer.name() + "/" + item.name();
    }

    /** Returns the problems of rendering an environment, and an entry for each document that differs. */
    List<Untranslated> differences(Layer environment) {
        List<Document> published = new ArrayList<>();
        List<Untranslated> differences = new ArrayList<>();
        try {
            published.add(Document.of(policy()));
            for (Layer layer : environment.withParents()) {
                for (List<MapValue> made : documents.get(layer).values()) {
                    for (MapValue document : made) {
                        published.add(Document.of(document));
                    }
                }
            }
        } catch (DocumentFormatException e) {
            throw new IllegalStateException("the import made an invalid document", e);
        }
        OfflineRendering rendering = OfflineRendering.of(published, Renderer.holdingDocuments(), Redaction.CLEARTEXT);
        for (List<Problem> problems : List.of(rendering.invalid(), rendering.problems())) {
            problems.forEach(each -> differences.add(new Untranslated(environment.name(), "layers", each.describe())));
        }
        Map<Value, Value> rendered = new LinkedHashMap<>();
        for (MapValue document : rendering.rendered()) {
            rendered.put(key(document), document.get("data"));
        }
        for (Layer.Item item : environment.items()) {
            if (!item.document().get("data").equals(rendered.get(key(item.document())))) {
                differences.add(
                        new Untranslated(environment.name(), item.name(), "its document renders to something else"));
            }
        }
        return differences;
    }

    private static Value key(MapValue document) {
        return ListValue.of(document.get("schema"), document.map(METADATA).get("name"));
    }
}
