package dev.strake.engine.property;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A small world of documents: so few names, layers, labels, paths and values that everything meets everything. Most of
 * what it makes is in order by itself; the trouble comes from the company.
 */
final class Universe {

    static final List<String> LAYERS = List.of("top", "mid", "low", "leaf");

    /* Labels and names that go with a layer: most documents keep to them, so that most sets are in order. */
    private static final List<List<String>> FAMILIES =
            List.of(List.of("u", "v"), List.of("w", "x"), List.of("y", "z"), List.of("t"));
    private static final List<List<String>> NAMES_IN =
            List.of(List.of("a", "b", "c"), List.of("d", "e", "f"), List.of("g", "h"), List.of("i", "j"));

    private static final List<String> SCHEMAS = List.of("t/A/v1", "t/B/v1");
    private static final List<String> NAMES = List.of("a", "b", "d", "g", "i");
    private static final List<String> ACTIONS = List.of(
            "{'method':'merge','path':'.'}",
            "{'method':'merge','path':'.'}",
            "{'method':'merge','path':'.b'}",
            "{'method':'replace','path':'.b'}",
            "{'method':'replace','path':'.a'}",
            "{'method':'replace','path':'.l[3]'}",
            "{'method':'delete','path':'.b.c'}",
            "{'method':'delete','path':'.l[0]'}",
            "{'method':'delete','path':'.a'}",
            "{'method':'merge','path':'.b..'}");
    private static final List<String> SOURCE_PATHS =
            List.of(".", ".a", ".a", ".b", ".b.c", ".b.c", ".l[0]", ".s", ".nope", "..c", ".b[");
    private static final List<String> DESTINATIONS = List.of(
            "{'path':'.'}",
            "{'path':'.a'}",
            "{'path':'.a'}",
            "{'path':'.b.d'}",
            "{'path':'.z.y'}",
            "{'path':'.l[1]'}",
            "{'path':'.s','pattern':'TOKEN'}",
            "{'path':'.b','pattern':'T.KEN','recurse':{'depth':-1}}",
            "[{'path':'.a'},{'path':'.z'}]",
            "{'path':'.a.b.c'}");
    private static final List<String> BODIES = List.of(
            "{}",
            "{'type':'object'}",
            "{'properties':{'a':{'type':'integer'}}}",
            "{'required':['b']}",
            "{'properties':{'s':{'pattern':'TOKEN'}}}",
            "{'properties':{'a':{'maximum':1}}}",
            "{'type':12}");
    private static final List<String> ORDERS = List.of(
            "['top','mid','low','leaf']",
            "['top','mid','low','leaf']",
            "['top','low','mid','leaf']",
            "['top','mid','low']",
            "['top','mid','other','low','leaf']",
            "['leaf','low','mid','top']",
            "[]");

    private static final List<String> OPERATIONS = List.of(
            "{'type':'replace','path':'/a?','value':1}",
            "{'type':'replace','path':'/a?','value':2}",
            "{'type':'replace','path':'/b?/c','value':'TOKEN'}",
            "{'type':'replace','path':'/l?/-','value':2}",
            "{'type':'replace','path':'/z?/y','value':{'x':1}}",
            "{'type':'remove','path':'/b?/d'}",
            "{'type':'remove','path':'/s?'}",
            "{'type':'replace','path':'','value':{'a':0}}",
            "{'type':'replace','path':'/operations?','value':[]}",
            "{'type':'remove','path':'/l/1'}",
            "{'type':'test','path':'/a','value':1}",
            "{'type':'test','path':'/nope','absent':true}",
            "{'type':'copy','path':'/a'}");

    private final RandomGenerator random;

    Universe(RandomGenerator random) {
        this.random = random;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    MapValue policy(String name) {
        return control("deckhand/LayeringPolicy/v1", name, "{'layerOrder':" + oneOf(ORDERS) + "}");
    }

    /** The policy under which most documents are in order. */
    MapValue ordinaryPolicy() {
        return control("deckhand/LayeringPolicy/v1", "policy", "{'layerOrder':" + ORDERS.get(0) + "}");
    }

    MapValue dataSchema() {
        String name = chance(0.9) ? oneOf(SCHEMAS) : oneOf(List.of("deckhand/Passphrase/v1", "odd"));
        MapValue schema = control("deckhand/DataSchema/v1", name, oneOf(BODIES));
        return chance(0.1) ? inLayer(schema, "top") : schema;
    }

    MapValue validationPolicy() {
        MapValue policy = control(
                "deckhand/ValidationPolicy/v1", oneOf(NAMES), "{'validations':[{'name':'" + oneOf(NAMES) + "'}]}");
        return chance(0.3) ? policy.with("metadata", metadata(policy).with("labels", labels("top"))) : policy;
    }

    MapValue secret() {
        MapValue secret = document("deckhand/Passphrase/v1", oneOf(NAMES), "top");
        return secret.with("data", Json.value(chance(0.9) ? "'word " + random.nextInt(3) + "'" : "{'a':1}"));
    }

    /** Any document of the ordinary kind, with a source that it may substitute from. */
    MapValue ordinary(DocumentKey source) {
        int layer = random.nextInt(LAYERS.size());
        String name = oneOf(chance(0.95) ? NAMES_IN.get(layer) : NAMES);
        MapValue document = document(oneOf(SCHEMAS), name, chance(0.99) ? LAYERS.get(layer) : "nowhere");
        if (layer > 0 && chance(0.6)) {
            document = selecting(document, selector(LAYERS.get(layer)));
        }
        if (chance(0.6)) {
            document = document.with("metadata", metadata(document).with("labels", labels(LAYERS.get(layer))));
        }
        if (chance(0.1)) {
            document = toggled(document, "abstract");
        }
        return chance(0.35) ? substituting(document, source) : document;
    }

    /** A document with operations on others; some take over the target of a parent of theirs. */
    MapValue operations(DocumentKey target) {
        int layer = random.nextInt(LAYERS.size());
        MapValue document = document(OperationsDocument.SCHEMA, oneOf(List.of("o", "p", "q")), LAYERS.get(layer));
        boolean inherits = layer > 0 && chance(0.3);
        if (inherits) {
            document = selecting(document, Json.map("{'o':'1'}"));
        } else if (chance(0.5)) {
            document = document.with("metadata", metadata(document).with("labels", Json.map("{'o':'1'}")));
        }
        return document.with("data", operationsData(chance(inherits ? 0.1 : 0.97) ? target : null));
    }

    /** Some operations on a document, or on those with a label; of no target, if there is none. */
    Value operationsData(DocumentKey target) {
        List<String> entries = new ArrayList<>();
        if (target != null) {
            String labels = Json.text(labels(oneOf(LAYERS)));
            entries.add("'target':{'schema':'" + target.schema() + "',"
                    + (chance(0.6) ? "'name':'" + target.name() + "'" : "'labels':" + labels) + "}");
        }
        if (chance(0.4)) {
            entries.add("'order':" + (chance(0.95) ? Integer.toString(random.nextInt(3)) : "'first'"));
        }
        List<String> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(oneOf(chance(0.7) ? OPERATIONS.subList(0, 9) : OPERATIONS));
        }
        entries.add("'operations':[" + String.join(",", list) + "]");
        return Json.value("{" + String.join(",", entries) + "}");
    }

    private MapValue document(String schema, String name, String layer) {
        return Json.map("{'schema':'" + schema + "','metadata':{'schema':'metadata/Document/v1','name':'" + name
                        + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'" + layer + "'}}}")
                .with("data", data());
    }

    private MapValue control(String schema, String name, String data) {
        return Json.map("{'schema':'" + schema + "','metadata':{'schema':'metadata/Control/v1','name':'" + name
                + "'},'data':" + data + "}");
    }

    Value data() {
        List<String> entries = new ArrayList<>();
        entries.add("'a':" + scalar());
        entries.add("'b':{'c':" + scalar() + (chance(0.5) ? ",'d':'TOKEN'" : "") + "}");
        entries.add("'l':[" + scalar() + "," + scalar() + "]");
        entries.add("'s':'" + oneOf(List.of("x TOKEN y", "TOKEN", "plain")) + "'");
        while (entries.size() > 1 && chance(0.3)) {
            entries.remove(random.nextInt(entries.size()));
        }
        for (int i = entries.size() - 1; i > 0 && chance(0.3); i--) { // another order of keys is the same content
            entries.add(entries.remove(random.nextInt(i + 1)));
        }
        return chance(0.98) ? Json.value("{" + String.join(",", entries) + "}") : Json.value("'text'");
    }

    private String scalar() {
        return chance(0.8) ? Integer.toString(random.nextInt(3)) : oneOf(List.of("'t'", "null", "1.0", "{'x':1}"));
    }

    /** The document with its data in another order, and otherwise equal. */
    MapValue reordered(MapValue document) {
        if (!(document.get("data") instanceof MapValue data) || data.size() < 2) {
            return document;
        }
        String first = data.keyAt(0);
        return document.with("data", data.without(first).with(first, data.get(first)));
    }

    MapValue labels(String layer) {
        return chance(0.1)
                ? MapValue.EMPTY
                : Json.map("{'" + oneOf(List.of("k", "k", "m")) + "':'" + family(layer, 0) + "'}");
    }

    MapValue selector(String layer) {
        String value = chance(0.97) ? "'" + family(layer, 1) + "'" : oneOf(List.of("null", "1"));
        return Json.map("{'" + oneOf(List.of("k", "k", "m")) + "':" + value + "}");
    }

    private String family(String layer, int above) {
        int own = chance(0.97) ? LAYERS.indexOf(layer) : random.nextInt(FAMILIES.size());
        int chosen = above == 0 || own <= 0 ? own : random.nextInt(own);
        return oneOf(FAMILIES.get(Math.max(0, chosen)));
    }

    MapValue selecting(MapValue document, MapValue selector) {
        ListValue actions = chance(0.7) ? ListValue.of(action()) : ListValue.of(action(), action());
        MapValue layering = layering(document).with("parentSelector", selector).with("actions", actions);
        return document.with("metadata", metadata(document).with("layeringDefinition", layering));
    }

    private Value action() {
        return Json.value(ACTIONS.get(random.nextInt(chance(0.7) ? 5 : ACTIONS.size())));
    }

    MapValue substituting(MapValue document, DocumentKey from) {
        List<Value> all = new ArrayList<>();
        if (metadata(document).get("substitutions") instanceof ListValue list && chance(0.5)) {
            all.addAll(list.items());
        }
        boolean whole = !from.schema().startsWith("t/");
        String source = "{'schema':'" + from.schema() + "','name':'" + (chance(0.95) ? from.name() : oneOf(NAMES))
                + "','path':'" + (whole ? "." : oneOf(SOURCE_PATHS)) + "'"
                + (chance(0.1) ? ",'pattern':'[xt]'" : "") + "}";
        all.add(Json.value("{'src':" + source + ",'dest':" + oneOf(DESTINATIONS) + "}"));
        return document.with("metadata", metadata(document).with("substitutions", ListValue.of(all)));
    }

    /** A document that would take the place of this one. */
    MapValue replacementOf(MapValue document) {
        String layer = oneOf(LAYERS.subList(1, LAYERS.size()));
        MapValue metadata = metadata(document).without("substitutions").without("labels");
        MapValue child = inLayer(document.with("metadata", metadata), layer).with("data", data());
        MapValue selector = metadata(document).get("labels") instanceof MapValue labels && !labels.isEmpty()
                ? labels
                : selector(layer);
        return toggled(selecting(child, selector), "replacement");
    }

    MapValue inLayer(MapValue document, String layer) {
        MapValue layering = layering(document).with("layer", new Text(layer));
        return document.with("metadata", metadata(document).with("layeringDefinition", layering));
    }

    MapValue toggled(MapValue document, String flag) {
        MapValue metadata = metadata(document);
        if (flag.equals("abstract")) {
            MapValue layering = layering(document);
            boolean was = layering.has(flag);
            return document.with(
                    "metadata",
                    metadata.with(
                            "layeringDefinition",
                            was ? layering.without(flag) : layering.with(flag, Json.value("true"))));
        }
        return document.with(
                "metadata", metadata.has(flag) ? metadata.without(flag) : metadata.with(flag, Json.value("true")));
    }

    static MapValue metadata(MapValue document) {
        return (MapValue) document.get("metadata");
    }

    private static MapValue layering(MapValue document) {
        return metadata(document).get("layeringDefinition") instanceof MapValue map ? map : MapValue.EMPTY;
    }
}
