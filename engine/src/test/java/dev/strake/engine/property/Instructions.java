package dev.strake.engine.property;

import dev.strake.engine.Json;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/** Instructions in documents: layering actions, substitutions and operations, in every notation. */
final class Instructions {

    private static final List<String> ACTIONS = List.of("merge .", "merge .", "merge .b", "replace .b", "replace .a");
    private static final List<String> ODD_ACTIONS = List.of(
            "replace .l[3]",
            "delete .b.c",
            "delete .l[0]",
            "delete .a",
            "delete .l[-1]",
            "delete ..c",
            "delete .*",
            "delete .",
            "merge .b..",
            "merge $",
            "replace $",
            "replace .",
            "merge b.c",
            "merge .data.b",
            "merge $.data",
            "replace .database",
            "merge .'a b'",
            "replace .['x.y']",
            "replace ['a b']",
            "replace .l[*]",
            "merge .l[0]",
            "replace .l[-1]",
            "merge ..c",
            "replace ..a",
            "merge .b.*",
            "replace .a,s",
            "merge .l[9]");

    private static final List<String> SOURCES = List.of(".", ".a", ".a", ".b", ".b.c", ".b.c", ".l[0]", ".s", ".s");
    private static final List<String> ODD_SOURCES = List.of(
            ".nope",
            "..c",
            ".b[",
            "$",
            "$.a",
            "a",
            ".l",
            ".l[*]",
            ".l[-1]",
            ".l[5]",
            ".*",
            ".*.c",
            ".b.*",
            "..a",
            ".c.c",
            ".'a b'",
            ".['x.y']",
            "['a b']",
            ".s[0]",
            ".u",
            ".[0]",
            ".a,s",
            "..[0]",
            ".l[*].c",
            ".''");
    private static final List<String> DESTINATIONS = List.of(".", ".a", ".a", ".b.d", ".z.y", ".l[1]", ".s");
    private static final List<String> ODD_DESTINATIONS = List.of(
            "..a",
            "..a",
            "..c",
            "..a.c",
            ".l[*]",
            ".*",
            ".b.*",
            ".l[-1]",
            ".l[-5]",
            ".l[4]",
            ".l[9]",
            ".m[1][0]",
            "$",
            "$.a",
            ".'a b'",
            ".['x.y']",
            ".q.'a b'.['x.y']",
            ".a.b.c",
            ".s[0]",
            "a",
            ".b[",
            ".l[0].c",
            ".l[0].name",
            ".l[0].name",
            ".l[*].name",
            ".a,s",
            ".c.c.c.c.c.c");

    private static final List<String> MANY_PLACES = List.of("..a", "..a", "..c", ".*", ".b.*", ".l[*]");

    private static final List<String> PATTERNS = List.of("TOKEN", "TOKEN", "T.KEN", "[A-Z]+", "NOPE");
    private static final List<String> ODD_PATTERNS = List.of(
            "",
            "(",
            "(?=x)",
            "x|y",
            "$",
            "^",
            "X*",
            ".",
            "\\w+",
            "\\s",
            "\\d",
            "T{1,2}O",
            "(?P<n>T)(.)?",
            "(x)? ?(TOKEN)",
            "\\\\",
            "(?i)token",
            "[^a-z ]",
            "(.)\\1",
            Contents.UUID_PATTERN);

    private static final List<String> GROUPED =
            List.of("(TOK)(EN)", "(x )?(TOKEN)( y)?", "(.)(.)?", "^(.*?) ?(T.*)?$", "(?P<n>T)(.)?", "(NOPE)()");
    private static final List<String> GROUPS = List.of("0", "1", "2", "2");
    private static final List<String> ODD_GROUPS = List.of("-1", "3", "-0", "99999999999");

    private static final List<String> OPERATIONS = List.of(
            "{'type':'replace','path':'/a?','value':1}",
            "{'type':'replace','path':'/a?','value':2}",
            "{'type':'replace','path':'/b?/c','value':'TOKEN'}",
            "{'type':'replace','path':'/l?/-','value':2}",
            "{'type':'replace','path':'/z?/y','value':{'x':1}}",
            "{'type':'remove','path':'/b?/d'}",
            "{'type':'remove','path':'/s?'}",
            "{'type':'remove','path':'/s?','value':null}",
            "{'type':'replace','path':'','value':{'a':0}}",
            "{'type':'replace','path':'/operations?','value':[]}");
    private static final List<String> ODD_OPERATIONS = List.of(
            "{'type':'remove','path':'/l/1'}",
            "{'type':'remove','path':'/nope'}",
            "{'type':'remove','path':''}",
            "{'type':'test','path':'/a','value':1}",
            "{'type':'test','path':'/nope','absent':true,'error':'there'}",
            "{'type':'test','path':'/b/c','value':null}",
            "{'type':'replace','path':'/l/0:before','value':0}",
            "{'type':'replace','path':'/l/-1:after','value':{'name':'x'}}",
            "{'type':'replace','path':'/l/1:prev','value':1.0}",
            "{'type':'replace','path':'/l/name=x/c','value':2}",
            "{'type':'replace','path':'/l/name=y?/c?','value':2}",
            "{'type':'remove','path':'/l/name=x:next'}",
            "{'type':'replace','path':'/x.y?','value':'TOKEN'}",
            "{'type':'replace','path':'/b~1c?','value':[1,[2]]}",
            "{'type':'replace','path':'/target?/name','value':'a'}",
            "{'type':'replace','path':'/order?','value':1}",
            "{'type':'replace','path':'/l/7','value':0}",
            "{'type':'copy','path':'/a'}",
            "{'type':'replace','path':'a','value':1}",
            "{'type':'replace','path':'/a?'}",
            "3");

    private final Dice dice;
    private final Contents contents;
    /** The probability of a pattern for a text. Low in some stories: patterns excuse marks that others have to explain. */
    private final double patterns;

    Instructions(Dice dice, Contents contents) {
        this.dice = dice;
        this.patterns = dice.oneOf(List.of(0.02, 0.5, 0.8));
        this.contents = contents;
    }

    /** Actions on a parent; some are about a place in the child's own data. */
    ListValue actions(Value own) {
        List<Value> actions = new ArrayList<>();
        for (int i = dice.oneOf(List.of(1, 1, 1, 2, 3)); i > 0; i--) {
            String[] words = dice.mostly(0.8, ACTIONS, ODD_ACTIONS).split(" ", 2);
            Text path = own == null || dice.chance(0.8)
                    ? new Text(words[1])
                    : Found.in(own, dice).path();
            actions.add(MapValue.of("method", new Text(words[0])).with("path", path));
        }
        return ListValue.of(actions);
    }

    /** A path for reading. */
    String source() {
        return dice.mostly(0.75, SOURCES, ODD_SOURCES);
    }

    /** A substitution from a source: mostly of a value that it has, to a place that the document has. */
    MapValue substitution(MapValue from, Value into) {
        Found found = !from.has("data") || dice.chance(0.15) ? null : Found.in(from.get("data"), dice);
        MapValue source = named(from).with("path", found == null ? new Text(source()) : found.path());
        if (dice.chance(found != null && found.value() instanceof Text ? patterns : patterns / 8)) {
            boolean isGrouped = dice.chance(0.6);
            source = source.with("pattern", isGrouped ? new Text(dice.oneOf(GROUPED)) : pattern());
            if (isGrouped || dice.chance(0.2)) {
                source = source.with("match_group", Num.ofLiteral(dice.mostly(0.9, GROUPS, ODD_GROUPS)));
            }
        }
        source = dice.chance(0.03) ? source.with("deepcopy", Json.value("true")) : source;
        return MapValue.of("src", source).with("dest", destinations(into));
    }

    private static MapValue named(MapValue from) {
        return MapValue.of("schema", from.get("schema"))
                .with("name", Universe.metadata(from).get("name"));
    }

    /** A substitution of a value for something by which a document says what is to be done. */
    MapValue instructed(MapValue from, List<String> places) {
        MapValue source = named(from).with("path", new Text(dice.mostly(0.9, List.of(".a", ".s", ".s"), ODD_SOURCES)));
        return MapValue.of("src", source).with("dest", MapValue.of("path", new Text(dice.oneOf(places))));
    }

    private Value destinations(Value into) {
        if (dice.chance(0.75)) {
            return destination(into);
        }
        if (dice.chance(0.4)) { // repeated: the second time the value exists already
            Value twice = dice.chance(0.6) ? MapValue.of("path", new Text(dice.oneOf(MANY_PLACES))) : destination(into);
            return ListValue.of(twice, twice);
        }
        return ListValue.of(destination(into), destination(into));
    }

    private MapValue destination(Value into) {
        Found found = into == null || dice.chance(0.5) ? null : Found.in(into, dice);
        boolean isText = found != null && found.value() instanceof Text;
        if (dice.chance(isText ? patterns : patterns / 2)) {
            MapValue byPattern = MapValue.of(
                            "path",
                            found == null
                                    ? new Text(dice.mostly(0.7, List.of(".s", ".b"), DESTINATIONS))
                                    : found.path())
                    .with("pattern", pattern());
            boolean recurses = dice.chance(isText ? 0.2 : 0.7);
            Num depth = Num.ofLiteral(dice.oneOf(List.of("-1", "-1", "0", "1", "2", "123456789012345678901234567890")));
            return recurses ? byPattern.with("recurse", MapValue.of("depth", depth)) : byPattern;
        }
        return MapValue.of(
                "path", found == null ? new Text(dice.mostly(0.75, DESTINATIONS, ODD_DESTINATIONS)) : found.path());
    }

    private Text pattern() {
        return new Text(dice.mostly(0.7, PATTERNS, ODD_PATTERNS));
    }

    /** A list of operations; sometimes one that is malformed or fails. */
    ListValue operations() {
        List<Value> list = new ArrayList<>();
        for (int i = dice.below(4); i > 0; i--) {
            list.add(operation());
        }
        return ListValue.of(list);
    }

    private Value operation() {
        if (dice.chance(0.04)) { // a path that exceeds the length limit of messages
            String path = "/b/" + (dice.chance(0.5) ? "x" : "") + "\ud83d\ude00".repeat(155);
            return MapValue.of("type", new Text("remove")).with("path", new Text(path));
        }
        Value operation = Json.value(dice.mostly(0.9, OPERATIONS, ODD_OPERATIONS));
        boolean hasValue = operation instanceof MapValue map && map.has("value");
        return hasValue && dice.chance(0.1) ? ((MapValue) operation).with("value", contents.value()) : operation;
    }
}
