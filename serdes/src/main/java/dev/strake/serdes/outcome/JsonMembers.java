package dev.strake.serdes.outcome;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/** Members of a JSON object, written by this version or by a newer one with additional members. */
record JsonMembers(MapValue map) {

    static JsonMembers of(Value json) {
        if (json instanceof MapValue map) {
            return new JsonMembers(map);
        }
        throw new IllegalArgumentException("expected a JSON object, found " + json.kindWithArticle());
    }

    /** Whether the member exists and is not null. */
    boolean has(String name) {
        return map.has(name) && !(map.get(name) instanceof Null);
    }

    Value get(String name) {
        return map.get(name);
    }

    String text(String name) {
        if (map.get(name) instanceof Text text) {
            return text.value();
        }
        throw new IllegalArgumentException("the member " + name + " has to be text");
    }

    String textOrNull(String name) {
        return has(name) ? text(name) : null;
    }

    long number(String name) {
        if (map.get(name) instanceof Num number && number.isInteger()) {
            return Long.parseLong(number.literal());
        }
        throw new IllegalArgumentException("the member " + name + " has to be an integer");
    }

    Long numberOrNull(String name) {
        return has(name) ? Long.valueOf(number(name)) : null;
    }

    int count(String name) {
        return Math.toIntExact(number(name));
    }

    List<Value> list(String name) {
        if (map.get(name) instanceof ListValue list) {
            return list.items();
        }
        throw new IllegalArgumentException("the member " + name + " has to be a list");
    }
}
