package dev.strake.engine.property;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * A small world of documents with so few names, layers, labels, paths and values that collisions are frequent. Most of
 * its documents are valid in themselves; problems come from their combination.
 */
final class Universe {

    static final List<String> LAYERS = List.of("top", "mid", "low", "leaf");
    static final String OPERATIONS = "strake/Operations/v1";
    static final String COLLECTION = "strake/Collection/v1";

    /* Labels and names for each layer. Most documents use them, so most sets have no problems. */
    private static final List<List<String>> FAMILIES =
            List.of(List.of("u", "v"), List.of("w", "x"), List.of("y", "z"), List.of("t"));
    private static final List<List<String>> NAMES_IN =
            List.of(List.of("a", "b", "c"), List.of("d", "e", "f"), List.of("g", "h"), List.of("i", "j"));

    private static final List<String> SCHEMAS = List.of("t/A/v1", "t/A/v1", "t/A/v1", "t/B/v1", "t/B/v1", "1.t/B-b/v1");
    private static final List<String> NAMES = List.of("a", "b", "d", "g", "i");
    private static final List<String> LABELS = List.of("k", "k", "m", "n");
    private static final List<Value> ODD_LABELS = List.of(
            Null.NULL,
            Null.NULL,
            Null.NULL,
            Num.of(1),
            Num.ofLiteral("1.0"),
            Json.value("true"),
            Json.value("[1]"),
            new Text("\ud83d"),
            new Text(""));
    private static final List<String> IN_OPERATIONS = List.of(
            ".operations[0].path",
            ".operations[0].path",
            ".operations[0].path",
            ".operations[0].value",
            ".operations[0].value",
            ".operations[0].type",
            ".operations[0].absent",
            ".operations[0]",
            ".operations",
            ".order",
            ".target.name",
            ".target",
            ".");
    private static final List<String> IN_COLLECTIONS =
            List.of(".path", ".path", ".key", ".as", ".schema", ".labels.k", ".labels", ".into.name", ".into", ".");
    /* Nothing of this has a meaning in a control document. */
    private static final List<String> IN_CONTROL = List.of(
            ",'replacement':true",
            ",'storagePolicy':'cleartext'",
            ",'substitutions':[{'src':{'schema':'t/A/v1','name':'a','path':'.a'},'dest':{'path':'.a'}}]",
            ",'layeringDefinition':{'layer':'low','abstract':true,'parentSelector':{'k':'u'},'actions':[]}",
            ",'labels':{'k':'u'},'more':[1.0]");
    private static final List<String> ORDERS = List.of(
            "['top','mid','low','leaf']",
            "['top','mid','low','leaf']",
            "['top','low','mid','leaf']",
            "['top','mid','low']",
            "['top','mid','other','low','leaf']",
            "['top','mid','low','mid','leaf','top']",
            "['top','mid','','low','leaf']",
            "['leaf','low','mid','top']",
            "[]");

    private final Dice dice;
    private final Contents contents;
    private final Instructions instructions;

    private final double clear;

    Universe(Dice dice) {
        this.dice = dice;
        this.clear = dice.chance(0.6) ? 0.95 : 0.7;
        this.contents = new Contents(dice);
        this.instructions = new Instructions(dice, contents);
    }

    MapValue policy(String name) {
        MapValue policy =
                control("deckhand/LayeringPolicy/v1", name, Json.value("{'layerOrder':" + dice.oneOf(ORDERS) + "}"));
        policy = dice.chance(0.15) ? inLayer(policy, dice.oneOf(LAYERS)) : policy;
        return dice.chance(0.15) ? withOtherPolicy(policy) : policy;
    }

    /** A policy with which most documents have no problems. */
    MapValue ordinaryPolicy() {
        return control("deckhand/LayeringPolicy/v1", "policy", Json.value("{'layerOrder':" + ORDERS.get(0) + "}"));
    }

    MapValue dataSchema() {
        List<String> rare =
                new ArrayList<>(List.of("t/A/v2", OPERATIONS, "deckhand/Passphrase/v1", "odd", "d/All/v1", "d/All/v1"));
        StoryKind.ALL.forEach(kind -> rare.add(kind.derived()));
        String name = dice.mostly(0.85, SCHEMAS, rare);
        MapValue schema = control("deckhand/DataSchema/v1", name, contents.body());
        if (name.contains("-") && dice.chance(0.2)) { // for Deckhand an ordinary document
            schema = schema.with("data", contents.text());
        }
        if (dice.chance(0.1)) {
            schema = inLayer(schema, dice.oneOf(LAYERS.subList(0, 2)));
            schema = dice.chance(0.3) ? toggled(schema, "abstract") : schema;
        }
        if (dice.chance(0.05)) {
            schema = withOtherPolicy(schema);
        }
        return schema;
    }

    MapValue validationPolicy() {
        String name = dice.oneOf(NAMES);
        String until = dice.chance(0.5) ? "" : ",'expiresAfter':'1 week'";
        MapValue policy = control(
                "deckhand/ValidationPolicy/v1",
                name,
                Json.value("{'validations':[{'name':'" + name + "'" + until + "}]}"));
        policy = dice.chance(0.2) ? withOtherPolicy(policy) : policy;
        return dice.chance(0.3) ? labelled(policy, MapValue.of("k", new Text(family(0)))) : policy;
    }

    MapValue secret() {
        String schema = dice.chance(0.8) ? "deckhand/Passphrase/v1" : "deckhand/Passphrase/v2";
        return document(schema, dice.oneOf(NAMES), "top")
                .with("data", dice.chance(0.9) ? contents.text() : MapValue.of("a", Num.of(1)));
    }

    /** An ordinary document; some substitute from others. */
    MapValue ordinary(Story.State state) {
        int layer = dice.below(LAYERS.size());
        String name = dice.oneOf(dice.chance(0.95) ? NAMES_IN.get(layer) : NAMES);
        String schema = dice.chance(0.98) ? dice.oneOf(SCHEMAS) : "t/A/v2";
        MapValue document = withData(
                document(schema, name, dice.chance(0.99) ? LAYERS.get(layer) : dice.oneOf(List.of("nowhere", ""))),
                contents.data());
        if (layer > 0 && dice.chance(0.6)) {
            document = selecting(document, selector(state, document));
        }
        if (dice.chance(0.65)) {
            document = labelled(document, labels(LAYERS.get(layer)));
        }
        if (dice.chance(0.1)) {
            document = toggled(document, "abstract");
        }
        document = dice.chance(0.35) ? substituting(document, state) : document;
        return dice.chance(0.01) ? control(schema, name, contents.data()) : document;
    }

    /** A document with operations on others; some inherit their target from a parent, or take values of a source. */
    MapValue operations(Story.State state, DocumentKey target) {
        int layer = dice.below(LAYERS.size());
        MapValue document = document(OPERATIONS, dice.oneOf(List.of("o", "p", "q")), LAYERS.get(layer));
        boolean inherits = layer > 0 && dice.chance(0.3);
        MapValue label = MapValue.of("o", new Text("1"));
        if (inherits) {
            document = selecting(document, dice.chance(0.7) ? label : selector(state, document));
        }
        if (dice.chance(0.4)) {
            MapValue own = labels(LAYERS.get(layer));
            document = labelled(
                    document, dice.chance(inherits ? 0.1 : 0.8) ? permuted(own.with("o", new Text("1"))) : own);
        }
        if (dice.chance(0.06)) {
            document = substituting(document, state);
        }
        document = instructed(document, state, IN_OPERATIONS);
        return document.with("data", operationsData(state, dice.chance(inherits ? 0.1 : 0.97) ? target : null));
    }

    /** A collection; some inherit their instructions from a parent, or take some of a source. */
    MapValue collection(Story.State state) {
        int layer = dice.below(LAYERS.size());
        MapValue document = document(COLLECTION, dice.oneOf(List.of("r", "s", "t")), LAYERS.get(layer));
        boolean inherits = layer > 0 && dice.chance(0.2);
        if (inherits) {
            document = selecting(document, MapValue.of("o", new Text("2")));
        }
        if (dice.chance(0.3)) {
            document = labelled(document, MapValue.of("o", new Text("2")));
        }
        document = instructed(document, state, IN_COLLECTIONS);
        return document.with("data", inherits && dice.chance(0.5) ? MapValue.EMPTY : collectionData(state));
    }

    private MapValue instructed(MapValue document, Story.State state, List<String> places) {
        return dice.chance(0.1)
                ? document.with(
                        "metadata",
                        metadata(document)
                                .with("substitutions", ListValue.of(instructions.instructed(source(state), places))))
                : document;
    }

    /** The data of a collection; sometimes invalid. */
    MapValue collectionData(Story.State state) {
        String from = dice.mostly(
                0.9,
                SCHEMAS,
                List.of(
                        "t/A/v2",
                        OPERATIONS,
                        COLLECTION,
                        "deckhand/Passphrase/v1",
                        "deckhand/DataSchema/v1",
                        "t/None/v1"));
        MapValue data = MapValue.of("schema", new Text(from));
        if (dice.chance(0.3)) {
            data = data.with("labels", labelsOf(state, new DocumentKey(from, "")));
        }
        if (dice.chance(0.85)) {
            data = data.with("path", new Text(instructions.source()));
        }
        boolean asMap = dice.chance(0.5);
        if (asMap || dice.chance(0.5)) {
            data = data.with("as", new Text(asMap ? "map" : "list"));
        }
        if (asMap && dice.chance(0.4)) {
            data = data.with("key", new Text(instructions.source()));
        }
        String schema = dice.mostly(0.75, List.of("d/All/v1"), SCHEMAS);
        MapValue into = MapValue.of("schema", new Text(schema))
                .with("name", new Text(dice.oneOf(schema.startsWith("d/") ? List.of("x", "y", "z") : NAMES)));
        data = data.with("into", into);
        return permuted(dice.chance(0.04) ? oddCollection(data) : data);
    }

    /** An owner of a kind from another module, or a document that such an owner may read. */
    MapValue ofKind(Story.State state, StoryKind kind) {
        int layer = dice.below(LAYERS.size());
        DocumentKey key = kind.next(dice);
        MapValue document =
                document(key.schema(), key.name(), LAYERS.get(layer)).with("data", kind.data(dice, key.schema()));
        if (layer > 0 && dice.chance(0.15)) {
            document = selecting(document, selector(state, document));
        }
        return dice.chance(0.3) ? labelled(document, labels(LAYERS.get(layer))) : document;
    }

    private MapValue oddCollection(MapValue data) {
        String[] odd = dice.oneOf(List.of(
                        "more 1",
                        "schema 'A'",
                        "as 'set'",
                        "key '.a'",
                        "into {}",
                        "labels {}",
                        "labels {'k':null}",
                        "path 3",
                        "schema 2",
                        "into {'schema':'strake/Collection/v1','name':'r'}",
                        "into {'schema':'heat/Stack/v1','name':'u'}",
                        "into {'schema':'t/A/v1','name':''}",
                        "into {'schema':'deckhand/Passphrase/v1','name':'a'}",
                        "into {'schema':'t/A/v1','name':'a','layer':'top'}"))
                .split(" ", 2);
        return data.with(odd[0], Json.value(odd[1]));
    }

    /** Some operations on a document, or on those with labels; without a target if there is none. */
    MapValue operationsData(Story.State state, DocumentKey target) {
        MapValue data = MapValue.EMPTY;
        if (target != null) {
            MapValue named = MapValue.of("schema", new Text(target.schema()));
            data = MapValue.of(
                    "target",
                    dice.chance(0.5)
                            ? named.with("name", new Text(target.name()))
                            : named.with("labels", labelsOf(state, target)));
        }
        if (dice.chance(0.4)) {
            data = data.with(
                    "order", Json.value(dice.mostly(0.95, List.of("0", "1", "2"), List.of("'first'", "1.0", "null"))));
        }
        return data.with("operations", instructions.operations());
    }

    /** The document with other operations on the same target; its labels and the keys around them are shuffled. */
    MapValue withOtherOperations(MapValue document) {
        MapValue data = document.get("data") instanceof MapValue map ? map : MapValue.EMPTY;
        data = data.with("operations", instructions.operations());
        if (data.get("target") instanceof MapValue target) {
            MapValue same =
                    target.get("labels") instanceof MapValue labels ? target.with("labels", permuted(labels)) : target;
            data = data.with("target", permuted(same));
        }
        return document.with("data", data);
    }

    /* Some labels that documents of this name have, in random order. */
    private MapValue labelsOf(Story.State state, DocumentKey target) {
        List<MapValue> carried = state.trees().stream()
                .filter(tree -> tree.get("schema").equals(new Text(target.schema()))
                        && metadata(tree).get("labels") instanceof MapValue labels
                        && !labels.isEmpty())
                .map(tree -> (MapValue) metadata(tree).get("labels"))
                .toList();
        if (dice.chance(0.02)) { // matches any document whose label is null
            return MapValue.of(dice.oneOf(LABELS), Null.NULL).with(dice.oneOf(LABELS), Null.NULL);
        }
        return carried.isEmpty() || dice.chance(0.2) ? labels(dice.oneOf(LAYERS)) : some(dice.oneOf(carried));
    }

    private MapValue document(String schema, String name, String layer) {
        boolean encrypted = !dice.chance(clear);
        boolean isLeftOut = !encrypted && !schema.startsWith("deckhand/") && dice.chance(0.1);
        boolean isExplicit = dice.chance(0.02);
        return Json.map("{'schema':'" + schema + "','metadata':{" + kind("Document") + "'name':'" + name + "',"
                + (isLeftOut ? "" : "'storagePolicy':'" + (encrypted ? "encrypted" : "cleartext") + "',")
                + (isExplicit ? "'replacement':false,'substitutions':[]," : "")
                + "'layeringDefinition':{'layer':'" + layer + "'" + (isExplicit ? ",'abstract':false" : "") + "}}}");
    }

    private MapValue control(String schema, String name, Value data) {
        String more = dice.mostly(0.9, List.of(""), IN_CONTROL);
        MapValue document = Json.map("{'schema':'" + schema + "','metadata':{"
                + (schema.startsWith("deckhand/") ? kind("Control") : "'schema':'metadata/Control/v1',")
                + "'name':'" + name + "'" + more + "}}");
        return withData(document, data);
    }

    /* The kind, which an author may omit. */
    private String kind(String kind) {
        return dice.chance(0.1) ? "" : "'schema':'metadata/" + kind + "/v1',";
    }

    /** The document with other data; without data if it is null. */
    static MapValue withData(MapValue document, Value data) {
        return data == null ? document.without("data") : document.with("data", data);
    }

    Value data() {
        return contents.data();
    }

    /** The document with its data in another order. */
    MapValue reordered(MapValue document) {
        return document.get("data") instanceof MapValue data ? document.with("data", permuted(data)) : document;
    }

    private MapValue permuted(MapValue map) {
        MapValue.Builder result = MapValue.builder();
        dice.shuffled(map.keys()).forEach(key -> result.put(key, map.get(key)));
        return result.build();
    }

    private MapValue some(MapValue map) {
        MapValue.Builder result = MapValue.builder();
        dice.someOf(map.keys()).forEach(key -> result.put(key, map.get(key)));
        return result.build();
    }

    /** Labels for a layer: mostly one or two, in random order. */
    MapValue labels(String layer) {
        MapValue result = MapValue.EMPTY;
        boolean allNull = dice.chance(0.02);
        for (int i = dice.chance(0.07) ? 0 : 1 + dice.below(3); i > 0; i--) {
            Value value = allNull
                    ? Null.NULL
                    : dice.chance(0.96) ? new Text(family(LAYERS.indexOf(layer))) : dice.oneOf(ODD_LABELS);
            result = result.with(dice.oneOf(LABELS), value);
        }
        return permuted(result);
    }

    /** A selector for a document: mostly labels of a document in a layer above. */
    MapValue selector(Story.State state, MapValue child) {
        int layer = layerOf(child);
        List<MapValue> above = state.trees().stream()
                .filter(tree -> tree.get("schema").equals(child.get("schema"))
                        && layerOf(tree) < layer
                        && metadata(tree).get("labels") instanceof MapValue labels
                        && !labels.isEmpty())
                .toList();
        MapValue result;
        if (!above.isEmpty() && dice.chance(0.75)) {
            result = some((MapValue) metadata(dice.oneOf(above)).get("labels"));
        } else if (dice.chance(0.9)) {
            result = MapValue.of(dice.oneOf(LABELS), new Text(family(dice.below(Math.max(1, layer)))));
        } else { // matches only null
            result = MapValue.of(dice.oneOf(LABELS), Null.NULL).with(dice.oneOf(LABELS), Null.NULL);
        }
        if (dice.chance(0.06)) {
            result = result.with(dice.oneOf(LABELS), dice.chance(0.6) ? Null.NULL : dice.oneOf(ODD_LABELS));
        }
        return permuted(result);
    }

    private static int layerOf(MapValue document) {
        return layering(document).get("layer") instanceof Text layer ? LAYERS.indexOf(layer.value()) : -1;
    }

    private String family(int layer) {
        return dice.oneOf(FAMILIES.get(layer < 0 || dice.chance(0.03) ? dice.below(FAMILIES.size()) : layer));
    }

    MapValue selecting(MapValue document, MapValue selector) {
        MapValue layering = layering(document)
                .with("parentSelector", selector)
                .with("actions", instructions.actions(document.get("data")));
        return document.with("metadata", metadata(document).with("layeringDefinition", layering));
    }

    /** The document with a label that no other document of its layer and name has. */
    MapValue marked(MapValue document) {
        String mark = ((Text) metadata(document).get("name")).value() + layerOf(document);
        return labelled(document, MapValue.of("r", new Text(mark)));
    }

    static MapValue labelled(MapValue document, MapValue labels) {
        return document.with("metadata", metadata(document).with("labels", labels));
    }

    /** The document with up to three more substitutions. */
    MapValue substituting(MapValue document, Story.State state) {
        List<Value> all = new ArrayList<>();
        if (metadata(document).get("substitutions") instanceof ListValue list && dice.chance(0.5)) {
            all.addAll(list.items());
        }
        for (int i = dice.oneOf(List.of(1, 1, 2, 3)); i > 0; i--) {
            all.add(instructions.substitution(source(state), document.get("data")));
        }
        return document.with("metadata", metadata(document).with("substitutions", ListValue.of(all)));
    }

    /* Mostly a document that has values of its own, so that circles are rare; sometimes one that does not exist. */
    private MapValue source(Story.State state) {
        List<MapValue> all = state.trees();
        List<MapValue> plain = all.stream()
                .filter(tree -> tree.has("data")
                        && !metadata(tree).has("substitutions")
                        && !Document.ofValid(tree).isAbstract())
                .toList();
        if (plain.isEmpty() || dice.chance(0.05)) {
            return document(dice.oneOf(SCHEMAS), dice.oneOf(NAMES), LAYERS.get(0));
        }
        return dice.oneOf(dice.chance(0.2) ? all : plain);
    }

    /** A document that substitutes the whole data of another one. */
    static MapValue taking(MapValue document, Text place, MapValue source) {
        MapValue from = MapValue.of("schema", source.get("schema"))
                .with("name", metadata(source).get("name"))
                .with("path", new Text("."));
        MapValue substitution = MapValue.of("src", from).with("dest", MapValue.of("path", place));
        return document.with("metadata", metadata(document).with("substitutions", ListValue.of(substitution)));
    }

    /** A document in the highest layer, without labels, parent and substitutions. */
    MapValue plain(String schema, String name, Value data) {
        return document(schema, name, LAYERS.get(0)).with("data", data);
    }

    /** A document of another name that layers on this one, or on its replacement. */
    MapValue childOf(Story.State state, MapValue parent) {
        String layer = LAYERS.get(LAYERS.size() - 1);
        String schema = ((Text) parent.get("schema")).value();
        MapValue child = document(schema, dice.oneOf(NAMES_IN.get(LAYERS.size() - 1)), layer);
        MapValue selector = metadata(parent).get("labels") instanceof MapValue labels && !labels.isEmpty()
                ? permuted(labels)
                : selector(state, child);
        return selecting(withData(child, contents.data()), selector);
    }

    /** A replacement of this document, in a layer below, with its labels or without labels. */
    MapValue replacementOf(Story.State state, MapValue document) {
        int above = Math.min(layerOf(document), LAYERS.size() - 2);
        String layer = dice.oneOf(LAYERS.subList(dice.chance(0.9) ? above + 1 : 1, LAYERS.size()));
        MapValue metadata = metadata(document).without("substitutions").without("labels");
        MapValue child = withData(inLayer(document.with("metadata", metadata), layer), contents.data());
        MapValue selector = metadata(document).get("labels") instanceof MapValue labels && !labels.isEmpty()
                ? permuted(labels)
                : selector(state, child);
        child = selecting(child, selector);
        child = dice.chance(0.6) ? labelled(child, labels(layer)) : child;
        child = dice.chance(0.3) ? substituting(child, state) : child;
        if (layering(child).has("abstract") != dice.chance(0.3)) {
            child = toggled(child, "abstract");
        }
        return metadata(child).has("replacement") ? child : toggled(child, "replacement");
    }

    static MapValue inLayer(MapValue document, String layer) {
        MapValue layering = layering(document).with("layer", new Text(layer));
        return document.with("metadata", metadata(document).with("layeringDefinition", layering));
    }

    /** The document with the other storage policy. */
    static MapValue withOtherPolicy(MapValue document) {
        MapValue metadata = metadata(document);
        boolean encrypted = new Text("encrypted").equals(metadata.get("storagePolicy"));
        return document.with(
                "metadata", metadata.with("storagePolicy", new Text(encrypted ? "cleartext" : "encrypted")));
    }

    static MapValue toggled(MapValue document, String flag) {
        MapValue metadata = metadata(document);
        Value yes = Json.value("true");
        if (flag.equals("abstract")) {
            MapValue layering = layering(document);
            return document.with(
                    "metadata",
                    metadata.with(
                            "layeringDefinition",
                            layering.has(flag) ? layering.without(flag) : layering.with(flag, yes)));
        }
        return document.with("metadata", metadata.has(flag) ? metadata.without(flag) : metadata.with(flag, yes));
    }

    static MapValue metadata(MapValue document) {
        return (MapValue) document.get("metadata");
    }

    private static MapValue layering(MapValue document) {
        return metadata(document).get("layeringDefinition") instanceof MapValue map ? map : MapValue.EMPTY;
    }
}
