package dev.strake.engine;

import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds documents for tests. A document is in layer {@code site} and not encrypted, unless set otherwise. JSON may have
 * single quotes, as in {@link Json}.
 */
public final class TestDocument {

    private static final String MERGE = "[{'method':'merge','path':'.'}]";

    private final String schema;
    private final List<Value> substitutions = new ArrayList<>();
    private MapValue metadata;
    private MapValue layering = MapValue.of("layer", new Text("site"));

    private TestDocument(String schema, String name) {
        this.schema = schema;
        metadata = MapValue.builder()
                .put("schema", new Text("metadata/Document/v1"))
                .put("name", new Text(name))
                .put(StoragePolicy.KEY, new Text("cleartext"))
                .build();
    }

    public static TestDocument document(String schema, String name) {
        return new TestDocument(schema, name);
    }

    /** The layering policy with these layers, the most general one first. */
    public static MapValue layers(String... layers) {
        return control("deckhand/LayeringPolicy/v1", "policy", "{'layerOrder':['" + String.join("','", layers) + "']}");
    }

    /** The data schema for all documents of a schema. */
    public static MapValue dataSchema(String schema, String data) {
        return control("deckhand/DataSchema/v1", schema, data);
    }

    private static MapValue control(String schema, String name, String data) {
        return Json.map("{'schema':'%s','metadata':{'schema':'metadata/Control/v1','name':'%s'},'data':%s}"
                .formatted(schema, name, data));
    }

    public TestDocument in(String layer) {
        layering = layering.with("layer", new Text(layer));
        return this;
    }

    public TestDocument isAbstract() {
        layering = layering.with("abstract", Bool.TRUE);
        return this;
    }

    public TestDocument isReplacement() {
        metadata = metadata.with("replacement", Bool.TRUE);
        return this;
    }

    public TestDocument encrypted() {
        return policy("encrypted");
    }

    public TestDocument policy(String storagePolicy) {
        metadata = metadata.with(StoragePolicy.KEY, new Text(storagePolicy));
        return this;
    }

    public TestDocument labels(String labels) {
        metadata = metadata.with("labels", Json.map(labels));
        return this;
    }

    /** Merges the data over that of the parent with these labels. */
    public TestDocument over(String parent) {
        return over(parent, MERGE);
    }

    public TestDocument over(String parent, String actions) {
        layering = layering.with("parentSelector", Json.map(parent)).with("actions", Json.value(actions));
        return this;
    }

    /** Takes the value at a path of another document to a path of this one. */
    public TestDocument taking(String schema, String name, String path, String destination) {
        return taking(
                "{'schema':'%s','name':'%s','path':'%s'}".formatted(schema, name, path),
                "{'path':'" + destination + "'}");
    }

    public TestDocument taking(String source, String destination) {
        substitutions.add(MapValue.of("src", Json.value(source)).with("dest", Json.value(destination)));
        return this;
    }

    /** Returns the document with this data. */
    public MapValue data(String data) {
        MapValue all = substitutions.isEmpty() ? metadata : metadata.with("substitutions", ListValue.of(substitutions));
        return MapValue.of("schema", new Text(schema))
                .with("metadata", all.with("layeringDefinition", layering))
                .with("data", Json.value(data));
    }
}
