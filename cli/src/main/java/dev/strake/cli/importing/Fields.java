package dev.strake.cli.importing;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes fields at paths in Kustomize's notation: {@code spec/containers/image} is the image of each container. */
final class Fields {

    private static final String LIST = "[]";

    private Fields() {}

    /** Changes the value at a path, if there is one. */
    static MapValue change(MapValue object, String path, UnaryOperator<Value> change) {
        return (MapValue) changed(object, List.of(path.split("/")), false, change);
    }

    /**
     * Adds entries to the mapping at a path.
     *
     * @param isMade whether to create a missing mapping. A list, marked by brackets, is never created
     */
    static MapValue add(MapValue object, String path, boolean isMade, MapValue entries) {
        UnaryOperator<Value> change =
                old -> old instanceof MapValue map ? map.updatedWith(entries) : isMade || old != null ? entries : old;
        return (MapValue) changed(object, List.of(path.split("/")), isMade, change);
    }

    private static Value changed(Value value, List<String> path, boolean isMade, UnaryOperator<Value> change) {
        if (value instanceof ListValue list) {
            return list.withEach((i, item) -> changed(item, path, isMade, change));
        }
        if (path.isEmpty()) {
            return change.apply(value);
        }
        if (!(value instanceof MapValue map)) {
            return value;
        }
        boolean isList = path.get(0).endsWith(LIST);
        String key = isList ? path.get(0).substring(0, path.get(0).length() - LIST.length()) : path.get(0);
        Value old = map.get(key) instanceof Null ? null : map.get(key);
        if (old == null && (!isMade || isList)) {
            return map;
        }
        List<String> rest = path.subList(1, path.size());
        return map.with(key, changed(old == null && !rest.isEmpty() ? MapValue.EMPTY : old, rest, isMade, change));
    }
}
