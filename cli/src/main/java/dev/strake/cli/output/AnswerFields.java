package dev.strake.cli.output;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** Reads members of answers by their paths. */
public final class AnswerFields {

    private AnswerFields() {}

    /** Returns the value at a path; null if there is none. */
    public static Value at(Value item, String... path) {
        Value value = item;
        for (String key : path) {
            value = value instanceof MapValue map ? map.get(key) : null;
        }
        return value;
    }

    /** Returns the text or number at a path; empty if there is none. */
    public static String text(Value item, String... path) {
        Value value = at(item, path);
        return value instanceof Text text ? text.value() : value instanceof Num num ? num.literal() : "";
    }
}
