package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A document as the oracle reads it from its tree: only what its author wrote, without any consequences. */
public record PlainDocument(
        MapValue tree,
        DocumentId id,
        boolean control,
        boolean isAbstract,
        boolean replacement,
        MapValue labels,
        MapValue selector,
        List<Action> actions,
        List<Substitution> substitutions,
        Value data) {

    static final String OPERATIONS = "strake/Operations/v1";
    static final String COLLECTION = "strake/Collection/v1";

    /** One action of a child on its parent's data. */
    record Action(String method, String path) {}

    /** A value of another document, and its destinations. */
    record Substitution(
            DocumentKey source, String path, String pattern, BigInteger group, List<Destination> destinations) {}

    /**
     * A destination of a value.
     *
     * @param depth how many levels below the place are searched, all if negative; null if none are
     */
    record Destination(String path, String pattern, BigInteger depth) {}

    /** Reads a tree that has the format of a document. */
    static PlainDocument of(MapValue tree) {
        MapValue metadata = map(tree, "metadata");
        MapValue layering = map(metadata, "layeringDefinition");
        boolean control = text(metadata, "schema").startsWith("metadata/Control/");
        return new PlainDocument(
                tree,
                new DocumentId(text(tree, "schema"), text(layering, "layer"), text(metadata, "name")),
                control,
                Bool.TRUE.equals(layering.get("abstract")),
                !control && Bool.TRUE.equals(metadata.get("replacement")),
                map(metadata, "labels"),
                control ? MapValue.EMPTY : map(layering, "parentSelector"),
                control ? List.of() : actions(layering),
                control ? List.of() : substitutions(metadata),
                data(tree).secretIf(text(metadata, "storagePolicy").equals("encrypted")));
    }

    private static Value data(MapValue tree) {
        return tree.has("data") ? Secrets.forgotten(tree.get("data")) : MapValue.EMPTY;
    }

    private static List<Action> actions(MapValue layering) {
        return maps(layering, "actions").stream()
                .map(action -> new Action(text(action, "method"), text(action, "path")))
                .toList();
    }

    private static List<Substitution> substitutions(MapValue metadata) {
        List<Substitution> result = new ArrayList<>();
        for (MapValue each : maps(metadata, "substitutions")) {
            MapValue src = map(each, "src");
            List<MapValue> places = each.get("dest") instanceof MapValue single ? List.of(single) : maps(each, "dest");
            result.add(new Substitution(
                    new DocumentKey(text(src, "schema"), text(src, "name")),
                    text(src, "path"),
                    text(src, "pattern"),
                    src.has("match_group") ? integer(src.get("match_group")) : BigInteger.ZERO,
                    places.stream().map(PlainDocument::destination).toList()));
        }
        return result;
    }

    private static Destination destination(MapValue place) {
        BigInteger depth = place.has("recurse") ? integer(map(place, "recurse").get("depth")) : null;
        return new Destination(text(place, "path"), text(place, "pattern"), depth);
    }

    private static BigInteger integer(Value value) {
        return new BigInteger(((Num) value).literal());
    }

    private static MapValue map(MapValue parent, String key) {
        return parent.get(key) instanceof MapValue map ? map : MapValue.EMPTY;
    }

    private static List<MapValue> maps(MapValue parent, String key) {
        return parent.get(key) instanceof ListValue list
                ? list.items().stream().map(MapValue.class::cast).toList()
                : List.of();
    }

    private static String text(MapValue parent, String key) {
        return parent.get(key) instanceof Text text ? text.value() : "";
    }

    DocumentKey key() {
        return id.key();
    }

    /** Whether the document modifies others instead of being published itself. */
    boolean isOperations() {
        return !control && id.schema().equals(OPERATIONS);
    }

    /** Whether the document derives others instead of being published itself. */
    boolean derives() {
        return isCollection() || kind() != null;
    }

    /** The kind of the owner; null if the document is not an owner, or is a collection. */
    NaiveKind kind() {
        return control ? null : NaiveKind.ALL.get(id.schema());
    }

    boolean isCollection() {
        return !control && id.schema().equals(COLLECTION);
    }

    boolean isEncrypted() {
        return text(map(tree, "metadata"), "storagePolicy").equals("encrypted");
    }

    /** Whether it is a schema for the data of other documents. */
    boolean governs() {
        return control
                && id.schema().equals(Links.DATA_SCHEMA)
                && !id.name().startsWith("deckhand/")
                && isSchemaName(id.name());
    }

    /** Whether an invalid schema is rejected. For other documents, Deckhand accepts anything. */
    boolean hasToBeSchema() {
        return governs() && id.name().matches("[A-Za-z]+/[A-Za-z]+/v.*");
    }

    /** Whether documents may have this schema. */
    static boolean isSchemaName(String text) {
        String[] parts = text.split("/", -1);
        return parts.length == 3
                && Stream.of(parts[0], parts[1])
                        .allMatch(each ->
                                each.matches("\\w[\\w.-]*") && each.matches("[^_].*") && each.matches(".*[A-Za-z0-9]"))
                && parts[2].matches("v[0-9]+((alpha|beta)[0-9]+)?");
    }

    /** Returns a document with all defaults written out. */
    public static MapValue whole(MapValue tree) {
        MapValue metadata = map(tree, "metadata");
        MapValue result = MapValue.EMPTY;
        if (!metadata.has("schema")) {
            boolean control = text(tree, "schema").matches("deckhand/(LayeringPolicy|DataSchema|ValidationPolicy)/.*");
            result = result.with("schema", new Text(control ? "metadata/Control/v1" : "metadata/Document/v1"));
        }
        for (String key : metadata.keys()) {
            result = result.with(key, metadata.get(key));
            if (key.equals("name")
                    && !metadata.has("storagePolicy")
                    && text(result.updatedWith(metadata), "schema").equals("metadata/Document/v1")) {
                result = result.with("storagePolicy", new Text("cleartext"));
            }
        }
        return tree.with("metadata", result);
    }

    /** The target of the operations as published; null if the document does not name one. */
    Target target() {
        return isOperations() ? Target.of(data) : null;
    }

    /** Returns the record of the rendered document. */
    MapValue rendered(Value rendered) {
        return MapValue.builder()
                .put("schema", tree.get("schema"))
                .put("metadata", tree.get("metadata"))
                .put("data", rendered)
                .build();
    }

    /**
     * The target of operations: one document by name, or all documents with some labels.
     *
     * @param name null if the target is given by labels
     */
    record Target(String schema, String name, MapValue labels) {

        static Target of(Value data) {
            if (!(data instanceof MapValue map)
                    || !(map.get("target") instanceof MapValue target)
                    || target.size() != 2
                    || !(target.get("schema") instanceof Text schema)) {
                return null;
            }
            if (target.get("name") instanceof Text name) {
                return new Target(schema.value(), name.value(), MapValue.EMPTY);
            }
            boolean labelled = target.get("labels") instanceof MapValue labels
                    && !labels.isEmpty()
                    && labels.keys().stream().noneMatch(key -> labels.get(key) instanceof Null);
            return labelled ? new Target(schema.value(), null, (MapValue) target.get("labels")) : null;
        }
    }
}
