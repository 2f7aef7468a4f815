package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.PythonText;

/** Functions of mappings. */
final class MapFunctions {

    private MapFunctions() {}

    private static MapValue map(String name, Value value) {
        if (value instanceof Null) {
            return MapValue.EMPTY;
        }
        if (value instanceof MapValue map) {
            return map;
        }
        throw new UnresolvedException("Incorrect arguments: to \"" + name + "\", arguments must be a list of maps.");
    }

    static final Function MAP_MERGE = Function.of(
            (name, argument) -> Arguments.items(argument) != null || Arguments.isDynamic(argument)
                    ? null
                    : "Incorrect arguments to \"" + name + "\" should be: " + name
                            + " : - {\"k1\": \"v1\", \"k2\": \"v2\"} - {\"k1\": \"v2\"}",
            MapFunctions::merged);

    private static Value merged(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue maps)) {
            throw new UnresolvedException("Incorrect arguments to \"" + name + "\"");
        }
        MapValue.Builder merged = MapValue.builder();
        for (Value item : maps.items()) {
            MapValue map = map(name, item);
            scope.budget().spend(map.size());
            map.forEach(merged::put);
        }
        return merged.build();
    }

    static final Function MAP_REPLACE = Function.of(
            (name, argument) -> Arguments.isDynamic(argument) || Arguments.isPair(argument)
                    ? null
                    : "Incorrect arguments to \"" + name + "\" should be: " + name
                            + " : - {\"k1\": \"v1\", \"k2\": \"v2\"} - keys: {\"k1\": \"K1\"} values: {\"v2\": \"V2\"}",
            MapFunctions::replaced);

    private static Value replaced(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue both) || both.size() != 2) {
            throw new UnresolvedException("Incorrect arguments to \"" + name + "\"");
        }
        MapValue map = map(name, both.get(0));
        MapValue replacements = map(name, both.get(1));
        for (String key : replacements.keys()) {
            if (!key.equals("keys") && !key.equals("values")) {
                throw new UnresolvedException("Incorrect arguments to \"" + name + "\": unsupported key " + key);
            }
        }
        MapValue keys = replacements.has("keys") ? map(name, replacements.get("keys")) : MapValue.EMPTY;
        MapValue values = replacements.has("values") ? map(name, replacements.get("values")) : MapValue.EMPTY;
        MapValue.Builder replaced = MapValue.builder();
        scope.budget().spend(map.size());
        map.forEach((key, value) -> {
            Value other = keys.get(key);
            String newKey = other == null || other instanceof Null ? key : PythonText.str(other);
            if (!newKey.equals(key) && map.has(newKey)) {
                throw new UnresolvedException("key replacement collides with existing key: " + newKey);
            }
            Value newValue = value instanceof Text text ? values.get(text.value()) : null;
            replaced.put(newKey, newValue == null || newValue instanceof Null ? value : newValue);
        });
        return replaced.build();
    }
}
