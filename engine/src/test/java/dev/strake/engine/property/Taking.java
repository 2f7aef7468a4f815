package dev.strake.engine.property;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves a part of a document's data into a source and substitutes it back, so that the document renders as before.
 * Random pairs of document and source rarely fit where the data is an operation, or the name of an item.
 */
final class Taking {

    /** Names of operations documents that no other generator uses. */
    private static final List<String> NAMES = List.of("m", "n");

    private static final List<String> ON_NAMED = List.of(
            "{'type':'remove','path':'/l/name=x'}",
            "{'type':'remove','path':'/l/name=z?'}",
            "{'type':'replace','path':'/l/name=y/c','value':2}",
            "{'type':'replace','path':'/l/name=y?/c?','value':2}",
            "{'type':'replace','path':'/l/name=z?/c?','value':2}",
            "{'type':'replace','path':'/l/name=x:after','value':3}",
            "{'type':'test','path':'/l/name=x/name','value':'x'}");
    private static final List<String> ON_PLAIN = List.of(
            "{'type':'remove','path':'/a','value':null}",
            "{'type':'remove','path':'/s?'}",
            "{'type':'test','path':'/s','value':'t'}",
            "{'type':'test','path':'/z','absent':true}",
            "{'type':'replace','path':'/z?/y','value':{'x':1}}");
    private static final Value OTHERWISE = Json.value("[{'type':'replace','path':'','value':{'l':[{'name':'y'}]}}]");

    private final Dice dice;
    private final Universe universe;
    private final Instructions instructions;

    Taking(Dice dice, Universe universe, Instructions instructions) {
        this.dice = dice;
        this.universe = universe;
        this.instructions = instructions;
    }

    /** Returns a source and the document that substitutes it; sometimes also documents that it edits or that edit it. */
    List<MapValue> next(MapValue any, DocumentKey target) {
        return switch (dice.below(5)) {
            case 0 -> taking(any);
            case 1, 2 -> named();
            default -> operations(target);
        };
    }

    /* Operations that find items of a list by name. A name comes from the source. */
    private List<MapValue> named() {
        Value list = Json.value("[{'name':'x','c':0},{'name':'y','c':1}]");
        MapValue edited = plain(dice.oneOf(List.of("a", "b")), MapValue.of("l", list));
        List<MapValue> trees = new ArrayList<>(taking(edited));
        for (String name : dice.someOf(NAMES)) {
            Value operation = Json.value(dice.oneOf(ON_NAMED));
            trees.add(operations(name, Document.ofValid(edited).id().key(), ListValue.of(operation)));
        }
        return trees;
    }

    /* Operations of which a part comes from the source, with other operations before or after them. */
    private List<MapValue> operations(DocumentKey any) {
        MapValue plain = plain(dice.oneOf(List.of("a", "b")), Json.value("{'a':0,'s':'t'}"));
        boolean isPlain = dice.chance(0.7);
        DocumentKey target = isPlain ? Document.ofValid(plain).id().key() : any;
        List<String> names = dice.shuffled(NAMES);
        Value operations = isPlain && dice.chance(0.5)
                ? ListValue.of(dice.someOf(ON_PLAIN).stream().map(Json::value).toList())
                : instructions.operations();
        MapValue first = operations(names.get(0), target, operations);
        boolean takesOrder = dice.chance(0.4);
        Found order = new Found(new Text(".order"), Num.of(1 + dice.below(2)));
        List<MapValue> trees = new ArrayList<>(takesOrder ? taking(first, order) : taking(first));
        if (isPlain) {
            trees.add(plain);
        }
        if (takesOrder || dice.chance(0.5)) {
            trees.add(operations(
                    names.get(1), target, takesOrder || dice.chance(0.7) ? OTHERWISE : instructions.operations()));
        }
        return trees;
    }

    private MapValue operations(String name, DocumentKey target, Value operations) {
        MapValue named = MapValue.of("schema", new Text(target.schema())).with("name", new Text(target.name()));
        MapValue data = MapValue.of("target", named).with("operations", operations);
        if (dice.chance(0.7)) {
            data = data.with("order", Json.value(dice.oneOf(List.of("0", "1", "2"))));
        }
        return universe.plain(Universe.OPERATIONS, name, data);
    }

    /* A document of a schema that may have a DataSchema, or of one that never has. */
    private MapValue plain(String name, Value data) {
        return universe.plain(dice.oneOf(List.of("t/A/v1", "t/C/v1")), name, data);
    }

    private List<MapValue> taking(MapValue document) {
        return document.has("data") ? taking(document, Found.in(document.get("data"), dice)) : List.of(document);
    }

    private List<MapValue> taking(MapValue document, Found part) {
        MapValue source = plain("v", part.value());
        return List.of(
                dice.chance(0.5) ? Universe.withOtherPolicy(source) : source,
                Universe.taking(document, part.path(), source));
    }
}
