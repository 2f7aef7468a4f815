package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;

/** The directives of a strategic merge patch, and how they are removed where nothing is merged. */
final class Directives {

    static final String PATCH = "$patch";
    static final String RETAIN_KEYS = "$retainKeys";
    static final String SET_ELEMENT_ORDER = "$setElementOrder";
    static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";

    private Directives() {}

    static boolean isDirective(String key) {
        return key.equals(PATCH)
                || key.equals(RETAIN_KEYS)
                || key.startsWith(SET_ELEMENT_ORDER + "/")
                || key.startsWith(DELETE_FROM_LIST + "/");
    }

    /**
     * Returns the result of replacing a whole value. An API server merges untyped trees and then reads the result as an
     * object of its type. This drops nulls and directives, and keeps the other members.
     */
    static Value replacing(Value value) {
        if (value instanceof MapValue map) {
            return map.withEach((key, item) -> isDropped(key, item) ? null : replacing(item));
        }
        return value instanceof ListValue list ? list.withEach((i, item) -> replacing(item)) : value;
    }

    /**
     * Returns the result of adding a value where the live object has none, or one of another type; null for nothing. A
     * mapping with {@code $patch} describes a change of an existing value, so it is dropped as a whole.
     */
    static Value adding(Value value) {
        if (value instanceof MapValue map) {
            boolean tellsHow = map.has(PATCH) && !(map.get(PATCH) instanceof Null);
            return tellsHow ? null : map.withEach((key, item) -> isDropped(key, item) ? null : adding(item));
        }
        return value instanceof ListValue list ? list.withEach((i, item) -> adding(item)) : value;
    }

    private static boolean isDropped(String key, Value value) {
        return value instanceof Null || isDirective(key);
    }
}
