package dev.strake.engine.oracle;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * JSON Schema of draft 4, implemented directly from its specification: every keyword except {@code format} and external
 * references. Reports where data violates the schema, with one place for each violated rule.
 */
final class NaiveSchema {

    /** Deeper than any schema of the tests, except those with cyclic references. */
    private static final int DEEPEST = 1_000;

    private final MapValue root;

    NaiveSchema(MapValue root) {
        this.root = root;
    }

    /** Signals that a schema cannot be applied: an unresolvable reference, an invalid pattern, endless recursion. */
    private static final class InapplicableException extends RuntimeException {}

    /** The places at which data violates the schema, sorted; empty if the data is valid. */
    List<String> violations(Value data) {
        try {
            List<String> result = new ArrayList<>();
            check(root, data, ".data", 0, result);
            Collections.sort(result);
            return result;
        } catch (InapplicableException | IllegalArgumentException e) {
            return List.of(".data");
        }
    }

    private boolean fits(Value schema, Value data, String at, int depth) {
        List<String> found = new ArrayList<>();
        check(schema, data, at, depth, found);
        return found.isEmpty();
    }

    private void check(Value schema, Value data, String at, int depth, List<String> found) {
        if (depth > DEEPEST) {
            throw new InapplicableException();
        }
        MapValue rules = (MapValue) schema;
        if (rules.get("$ref") instanceof Text reference) { // keywords beside a reference are ignored
            check(referred(reference.value()), data, at, depth + 1, found);
            return;
        }
        for (String keyword : rules.keys()) {
            apply(keyword, rules.get(keyword), rules, data, at, depth + 1, found);
        }
    }

    private void apply(
            String keyword, Value rule, MapValue rules, Value data, String at, int depth, List<String> found) {
        boolean broken = switch (keyword) {
            case "type" -> list(rule).stream().noneMatch(type -> isOf(((Text) type).value(), data));
            case "enum" -> ((ListValue) rule).items().stream().noneMatch(each -> same(each, data));
            case "not" -> fits(rule, data, at, depth);
            case "oneOf" ->
                list(rule).stream().filter(each -> fits(each, data, at, depth)).count() != 1;
            default -> false;
        };
        if (broken) {
            found.add(at);
        }
        boolean noneFits =
                keyword.equals("anyOf") && list(rule).stream().noneMatch(each -> fits(each, data, at, depth));
        if (keyword.equals("allOf") || noneFits) {
            list(rule).forEach(each -> check(each, data, at, depth, found));
        }
        if (data instanceof MapValue map) {
            applyToMap(keyword, rule, rules, map, at, depth, found);
        } else if (data instanceof ListValue list) {
            applyToList(keyword, rule, rules, list, at, depth, found);
        } else if ((data instanceof Text text && breaks(keyword, rule, text.value()))
                || (data instanceof Num num && breaks(keyword, rule, rules, num))) {
            found.add(at);
        }
    }

    private void applyToMap(
            String keyword, Value rule, MapValue rules, MapValue map, String at, int depth, List<String> found) {
        switch (keyword) {
            case "required" ->
                ((ListValue) rule)
                        .items().stream()
                                .filter(key -> !map.has(((Text) key).value()))
                                .forEach(key -> found.add(at));
            case "properties" ->
                ((MapValue) rule).forEach((key, schema) -> {
                    if (map.has(key)) {
                        check(schema, map.get(key), below(at, key), depth, found);
                    }
                });
            case "patternProperties" ->
                map.forEach((key, value) -> ((MapValue) rule).forEach((pattern, schema) -> {
                    if (Patterns.finds(Patterns.of(pattern), key)) {
                        check(schema, value, below(at, key), depth, found);
                    }
                }));
            case "additionalProperties" ->
                additional(map, rules).forEach(key -> {
                    if (Bool.FALSE.equals(rule)) {
                        found.add(at);
                    } else if (rule instanceof MapValue) {
                        check(rule, map.get(key), below(at, key), depth, found);
                    }
                });
            case "minProperties" -> foundIf(map.size() < number(rule).intValue(), at, found);
            case "maxProperties" -> foundIf(map.size() > number(rule).intValue(), at, found);
            case "dependencies" ->
                ((MapValue) rule).forEach((key, needed) -> {
                    if (map.has(key) && needed instanceof MapValue) {
                        check(needed, map, at, depth, found);
                    } else if (map.has(key)) {
                        foundIf(list(needed).stream().anyMatch(each -> !map.has(((Text) each).value())), at, found);
                    }
                });
            default -> {}
        }
    }

    private static List<String> additional(MapValue map, MapValue rules) {
        MapValue properties = rules.get("properties") instanceof MapValue named ? named : MapValue.EMPTY;
        MapValue patterns = rules.get("patternProperties") instanceof MapValue some ? some : MapValue.EMPTY;
        return map.keys().stream()
                .filter(key -> !properties.has(key)
                        && patterns.keys().stream().noneMatch(pattern -> Patterns.finds(Patterns.of(pattern), key)))
                .toList();
    }

    private void applyToList(
            String keyword, Value rule, MapValue rules, ListValue list, String at, int depth, List<String> found) {
        int named = rules.get("items") instanceof ListValue each ? each.size() : list.size();
        switch (keyword) {
            case "items" -> {
                for (int i = 0; i < Math.min(list.size(), named); i++) {
                    Value schema = rule instanceof ListValue each ? each.get(i) : rule;
                    check(schema, list.get(i), at + "[" + i + "]", depth, found);
                }
            }
            case "additionalItems" -> {
                for (int i = named; i < list.size(); i++) {
                    if (Bool.FALSE.equals(rule)) {
                        found.add(at);
                    } else if (rule instanceof MapValue) {
                        check(rule, list.get(i), at + "[" + i + "]", depth, found);
                    }
                }
            }
            case "minItems" -> foundIf(list.size() < number(rule).intValue(), at, found);
            case "maxItems" -> foundIf(list.size() > number(rule).intValue(), at, found);
            case "uniqueItems" -> foundIf(Bool.TRUE.equals(rule) && hasEqualItems(list), at, found);
            default -> {}
        }
    }

    private static boolean hasEqualItems(ListValue list) {
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (same(list.get(i), list.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean breaks(String keyword, Value rule, String text) {
        int length = text.codePointCount(0, text.length());
        return switch (keyword) {
            case "minLength" -> length < number(rule).intValue();
            case "maxLength" -> length > number(rule).intValue();
            case "pattern" -> !Patterns.finds(Patterns.of(((Text) rule).value()), text);
            default -> false;
        };
    }

    private static boolean breaks(String keyword, Value rule, MapValue rules, Num num) {
        boolean exclusiveMinimum = Bool.TRUE.equals(rules.get("exclusiveMinimum"));
        boolean exclusiveMaximum = Bool.TRUE.equals(rules.get("exclusiveMaximum"));
        return switch (keyword) {
            case "minimum" -> decimal(num).compareTo(number(rule)) < (exclusiveMinimum ? 1 : 0);
            case "maximum" -> decimal(num).compareTo(number(rule)) > (exclusiveMaximum ? -1 : 0);
            case "multipleOf" -> decimal(num).remainder(number(rule)).signum() != 0;
            default -> false;
        };
    }

    private static boolean isOf(String type, Value data) {
        return switch (type) {
            case "object" -> data instanceof MapValue;
            case "array" -> data instanceof ListValue;
            case "string" -> data instanceof Text;
            case "boolean" -> data instanceof Bool;
            case "null" -> data instanceof Null;
            case "number" -> data instanceof Num;
            default -> data instanceof Num num && num.literal().matches("-?[0-9]+");
        };
    }

    /* Compares numbers by their numeric value, everything else as values do. */
    private static boolean same(Value one, Value other) {
        if (one instanceof Num a && other instanceof Num b) {
            return decimal(a).compareTo(decimal(b)) == 0;
        }
        if (one instanceof ListValue a && other instanceof ListValue b) {
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = same(a.get(i), b.get(i));
            }
            return same;
        }
        if (one instanceof MapValue a && other instanceof MapValue b) {
            return new TreeSet<>(a.keys()).equals(new TreeSet<>(b.keys()))
                    && a.keys().stream().allMatch(key -> same(a.get(key), b.get(key)));
        }
        return one.equals(other);
    }

    private Value referred(String reference) {
        if (!reference.startsWith("#")) {
            throw new InapplicableException();
        }
        Value at = root;
        for (String step : reference.length() == 1
                ? List.<String>of()
                : List.of(reference.substring(2).split("/"))) {
            String name = step.replace("~1", "/").replace("~0", "~");
            at = at instanceof MapValue map ? map.get(name) : null;
        }
        if (!(at instanceof MapValue)) {
            throw new InapplicableException();
        }
        return at;
    }

    private static void foundIf(boolean broken, String at, List<String> found) {
        if (broken) {
            found.add(at);
        }
    }

    private static List<Value> list(Value rule) {
        return rule instanceof ListValue list ? list.items() : List.of(rule);
    }

    private static BigDecimal number(Value rule) {
        return decimal((Num) rule);
    }

    private static BigDecimal decimal(Num num) {
        return num.decimal();
    }

    private static String below(String at, String key) {
        return at + "." + key;
    }
}
