package dev.strake.server.deckhand.documents;

import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The differences between two values, in the notation of Python's DeepDiff:
 *
 * <pre>
 *  values_changed            {"root['t']": {new_value: y, old_value: x}}
 *  type_changes              {"root['i']": {new_type: str, new_value: '1', old_type: int, old_value: 1}}
 *  dictionary_item_added     ["root['d']['e']['g']"]
 *  dictionary_item_removed   ["root['d']['e']['f']"]
 *  iterable_item_added       {"root['l'][3]": 5}
 *  iterable_item_removed     {"root['l'][3]": 5}
 * </pre>
 *
 * <p>Lists are compared by index. Numbers are compared by value, but an integer never equals a float.
 */
public final class DeepDiff {

    private final MapValue.Builder values = MapValue.builder();
    private final MapValue.Builder types = MapValue.builder();
    private final List<Value> added = new ArrayList<>();
    private final List<Value> removed = new ArrayList<>();
    private final MapValue.Builder itemsAdded = MapValue.builder();
    private final MapValue.Builder itemsRemoved = MapValue.builder();

    private final Redaction redaction;

    private DeepDiff(Redaction redaction) {
        this.redaction = redaction;
    }

    /**
     * Returns the differences; an empty map if there are none.
     *
     * @param redaction how secrets are shown; if one value has a secret, the other is redacted, too
     */
    public static MapValue of(Value old, Value young, Redaction redaction) {
        DeepDiff diff = new DeepDiff(redaction);
        diff.compare("root", redaction.data(old), redaction.data(young));
        MapValue.Builder result = MapValue.builder();
        put(result, "values_changed", diff.values.build());
        put(result, "type_changes", diff.types.build());
        put(result, "dictionary_item_added", diff.added);
        put(result, "dictionary_item_removed", diff.removed);
        put(result, "iterable_item_added", diff.itemsAdded.build());
        put(result, "iterable_item_removed", diff.itemsRemoved.build());
        return result.build();
    }

    private static void put(MapValue.Builder result, String kind, MapValue found) {
        if (!found.isEmpty()) {
            result.put(kind, found);
        }
    }

    private static void put(MapValue.Builder result, String kind, List<Value> found) {
        if (!found.isEmpty()) {
            result.put(kind, ListValue.of(found));
        }
    }

    /* Recursion is safe, because the depth of documents is limited. */
    private void compare(String place, Value old, Value young) {
        if (old.isSecret() != young.isSecret()) {
            compare(
                    place,
                    old.isSecret() ? old : redaction.data(old.secret()),
                    young.isSecret() ? young : redaction.data(young.secret()));
        } else if (old instanceof MapValue one && young instanceof MapValue other) {
            compareMaps(place, one, other);
        } else if (old instanceof ListValue one && young instanceof ListValue other) {
            compareLists(place, one, other);
        } else if (!type(old).equals(type(young))) {
            types.put(
                    place,
                    MapValue.builder()
                            .put("new_type", type(young))
                            .put("new_value", young)
                            .put("old_type", type(old))
                            .put("old_value", old)
                            .build());
        } else if (!old.equals(young) && !isSameNumber(old, young)) {
            values.put(place, MapValue.of("new_value", young).with("old_value", old));
        }
    }

    private void compareMaps(String place, MapValue old, MapValue young) {
        young.forEach((key, value) -> {
            Value before = old.get(key);
            if (before == null) {
                added.add(new Text(below(place, key)));
            } else if (!before.equals(value)) {
                compare(below(place, key), before, value);
            }
        });
        old.forEach((key, value) -> {
            if (!young.has(key)) {
                removed.add(new Text(below(place, key)));
            }
        });
    }

    private void compareLists(String place, ListValue old, ListValue young) {
        for (int i = 0; i < Math.max(old.size(), young.size()); i++) {
            String item = place + '[' + i + ']';
            if (i >= old.size()) {
                itemsAdded.put(item, young.get(i));
            } else if (i >= young.size()) {
                itemsRemoved.put(item, old.get(i));
            } else if (!old.get(i).equals(young.get(i))) {
                compare(item, old.get(i), young.get(i));
            }
        }
    }

    private static String below(String place, String key) {
        boolean hasSingle = key.indexOf('\'') >= 0;
        boolean hasBoth = hasSingle && key.indexOf('"') >= 0;
        String quoted = hasBoth ? key.replaceAll("(['\"])", "\\\\$1") : key;
        char quote = hasSingle ? '"' : '\'';
        return place + '[' + quote + quoted + quote + ']';
    }

    /* The name of the type in Python. */
    private static String type(Value value) {
        if (value instanceof Num num) {
            return num.isInteger() ? "int" : "float";
        } else if (value instanceof Text) {
            return "str";
        } else if (value instanceof Bool) {
            return "bool";
        } else if (value instanceof Null) {
            return "NoneType";
        }
        return value instanceof MapValue ? "dict" : "list";
    }

    /* Numbers of the same type may have different literals. */
    private static boolean isSameNumber(Value old, Value young) {
        return old instanceof Num one
                && young instanceof Num other
                && (one.isInteger()
                        ? isZero(one) && isZero(other)
                        : Double.parseDouble(one.literal()) == Double.parseDouble(other.literal()));
    }

    /* Zero is the only integer with two literals. */
    private static boolean isZero(Num integer) {
        return integer.literal().equals("0") || integer.literal().equals("-0");
    }
}
