package dev.strake.engine.property;

import dev.strake.engine.Json;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Data of documents, and schemas for it. Mostly a mapping of few keys with small values, so that paths find something
 * and equal values are frequent; sometimes any other tree.
 */
final class Contents {

    static final String UUID_PATTERN = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";

    private static final List<String> TEXTS = List.of("x TOKEN y", "TOKEN", "plain", "t");
    private static final List<String> ODD_TEXTS = List.of(
            "",
            "TOKEN\n",
            "TOKENTOKEN",
            "say \"TOKEN\" 'or'",
            "$1 ${x} $",
            "a\\1\\n\\",
            "\u0001\b\f\t\r\n\u007f",
            "grüße \u2028 \ufeff",
            "\ud83d\ude00TOKEN\ud83d\ude00",
            "\ud83d",
            "\ude00",
            "123e4567-e89b-12d3-a456-426614174000",
            "123e4567-e89b-12d3-a456",
            "0",
            "true",
            "/k?",
            "/k?",
            "/b?/k",
            "/l?/k=v?/c?");
    private static final List<String> NUMBERS = List.of("0", "1", "2");
    private static final List<String> ODD_NUMBERS =
            List.of("-1 -0 1.0 0.10 -1.5 1e2 1E-7 -0.0 0.0 12345678901234567890123 1e400 -1E-400 100".split(" "));
    private static final List<String> ODD_KEYS =
            List.of("a b|x.y||b/c|\ud83d\ude00|*|0|name|a'b|\"|a[0]|$|-1|a\\b|where|l".split("\\|"));

    /** Of these, documents that say what is to be done may take some. */
    private static final List<String> SAID =
            List.of("'replace'", "'remove'", "'/a?'", "'.a'", "'map'", "'t/A/v1'", "'a'", "'x'", "'x'", "'y'");

    private static final List<String> SAID_AS_A_WHOLE = List.of(
            "{'type':'replace','path':'/a?','value':1}",
            "[{'type':'remove','path':'/s?'}]",
            "{'schema':'t/A/v1','name':'a'}",
            "{'schema':'d/All/v1','name':'x'}",
            "{'k':'u'}",
            "true",
            "3");

    private static final List<String> BODIES = List.of(
            "{}",
            "{'type':'object'}",
            "{'properties':{'a':{'type':'integer'}}}",
            "{'required':['b']}",
            "{'properties':{'s':{'pattern':'TOKEN'}}}",
            "{'properties':{'a':{'maximum':1}}}",
            "{'properties':{'u':{'type':'string','pattern':'" + UUID_PATTERN + "'}}}",
            "{'$schema':'http://json-schema.org/draft-07/schema#','properties':{'a':{'const':1}}}");
    private static final List<String> ODD_BODIES = List.of(
            "{'type':12}",
            "{'required':'a'}",
            "{'enum':[]}",
            "{'properties':{'a':3}}",
            "{'exclusiveMaximum':true}",
            "{'type':['object','string'],'minProperties':1,'maxProperties':4}",
            "{'properties':{'l':{'items':{'type':['integer','string']},'maxItems':2}}}",
            "{'properties':{'l':{'items':[{'minimum':1},{}],'uniqueItems':true}}}",
            "{'properties':{'b':{'additionalProperties':{'type':'string'}}},'required':['a','s']}",
            "{'additionalProperties':false,'properties':{'a':{},'b':{},'l':{},'s':{}}}",
            "{'patternProperties':{'^[ab]$':{'not':{'type':'null'}}}}",
            "{'definitions':{'n':{'type':'integer'}},'properties':{'a':{'$ref':'#/definitions/n'}}}",
            "{'properties':{'a':{'$ref':'#/nowhere'}}}",
            "{'anyOf':[{'required':['a']},{'required':['b']}],'oneOf':[{'required':['l']},{'required':['s']}]}",
            "{'dependencies':{'a':['b'],'s':{'required':['l']}}}",
            "{'properties':{'a':{'enum':[0,1,'t',null]},'s':{'minLength':1,'maxLength':9}}}",
            "{'properties':{'a':{'minimum':0,'maximum':2,'exclusiveMaximum':true}}}",
            "{'properties':{'s':{'pattern':'(?=x)'}}}",
            "{'format':'none','title':'x','unknown':3}");

    private final Dice dice;

    Contents(Dice dice) {
        this.dice = dice;
    }

    /** The data of a document; null for a document without data. */
    Value data() {
        if (dice.chance(0.96)) {
            return map();
        }
        return switch (dice.below(6)) {
            case 0 -> null;
            case 1 -> list();
            case 2 -> MapValue.EMPTY;
            case 3 -> dice.chance(0.3) ? Null.NULL : number();
            default -> text();
        };
    }

    private MapValue map() {
        Map<String, Value> entries = new LinkedHashMap<>();
        entries.put("a", value());
        MapValue b = MapValue.of("c", value());
        entries.put("b", dice.chance(0.5) ? b.with("d", new Text("TOKEN")) : b);
        entries.put("l", list());
        entries.put("s", text());
        if (dice.chance(0.1)) {
            entries.put("a", Json.value(dice.oneOf(SAID_AS_A_WHOLE)));
            entries.put("s", Json.value(dice.oneOf(SAID)));
        }
        List<String> keys = new ArrayList<>(List.of("a", "b", "l", "s"));
        while (keys.size() > 1 && dice.chance(0.3)) {
            keys.remove(dice.below(keys.size()));
        }
        if (dice.chance(0.12)) {
            String key = dice.oneOf(ODD_KEYS);
            entries.put(key, value());
            keys.add(key);
        }
        if (dice.chance(0.08)) {
            entries.put("u", new Text(dice.oneOf(ODD_TEXTS.subList(11, 13))));
            keys.add("u");
        }
        if (dice.chance(0.05)) {
            entries.put("c", MapValue.of("c", b));
            keys.add("c");
        }
        MapValue.Builder result = MapValue.builder();
        // The order of keys is not part of the content.
        (dice.chance(0.3) ? dice.shuffled(keys) : keys).forEach(key -> result.put(key, entries.get(key)));
        return result.build();
    }

    private ListValue list() {
        if (dice.chance(0.85)) {
            return ListValue.of(value(), value());
        }
        return switch (dice.below(4)) {
            case 0 -> ListValue.EMPTY;
            case 1 -> ListValue.of(named("x"), named("y"));
            case 2 -> ListValue.of(named("x"), named("x"), ListValue.of(value()));
            default -> ListValue.of(MapValue.of("c", value()), MapValue.of("c", value()), value());
        };
    }

    private Value named(String name) {
        return MapValue.of("name", new Text(name)).with("c", value());
    }

    /** A small value of any kind, most often one of three numbers. */
    Value value() {
        if (dice.chance(0.75)) {
            return Num.ofLiteral(dice.oneOf(NUMBERS));
        }
        return switch (dice.below(11)) {
            case 0, 1 -> text();
            case 2 -> Null.NULL;
            case 3 -> number();
            case 4 -> Json.value(dice.oneOf(List.of("true", "false")));
            case 5, 6 -> MapValue.of("x", Num.of(1));
            case 7 -> dice.oneOf(List.of(MapValue.EMPTY, ListValue.EMPTY, ListValue.of(MapValue.EMPTY)));
            case 8 -> MapValue.of("c", value()).with("a", value());
            case 9 -> ListValue.of(value(), MapValue.of("c", value()));
            default -> deep();
        };
    }

    private Value deep() {
        Value result = value();
        for (int i = dice.below(6); i > 0; i--) {
            result = dice.chance(0.7) ? MapValue.of(dice.oneOf(List.of("c", "a")), result) : ListValue.of(result);
        }
        return result;
    }

    Text text() {
        if (dice.chance(0.02)) {
            return new Text((dice.chance(0.5) ? "T" : "") + "\ud83d\ude00".repeat(60 + dice.below(120)));
        }
        return new Text(dice.mostly(0.85, TEXTS, ODD_TEXTS));
    }

    private Num number() {
        return Num.ofLiteral(dice.mostly(0.3, NUMBERS, ODD_NUMBERS));
    }

    /** The body of a DataSchema; sometimes an invalid one. */
    MapValue body() {
        return Json.map(dice.mostly(0.7, BODIES, ODD_BODIES));
    }
}
