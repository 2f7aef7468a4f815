package dev.strake.engine.interpolation;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;

/**
 * Values by name, for the placeholders of a document. A name with dots is a path into a variable: {@code a.b} is the
 * entry {@code b} of {@code a}.
 */
public record Variables(MapValue values) {

    public static final Variables NONE = new Variables(MapValue.EMPTY);

    private static final int MAX_PARTS = 64;

    /**
     * Adds a variable, which replaces a variable of the same name. Two names with the same first parts,
     * such as {@code a.b} and {@code a.c}, are both kept, in any order.
     *
     * @throws IllegalArgumentException if the name has too many parts
     */
    public Variables with(String name, Value value) {
        String[] parts = name.split("\\.", MAX_PARTS + 1);
        if (parts.length > MAX_PARTS) {
            throw new IllegalArgumentException("the name of a variable has more than " + MAX_PARTS + " parts");
        }
        return new Variables(put(values, parts, 0, value));
    }

    /**
     * Overrides these variables with those of a stronger source, by names that may have dots. A name replaces only its
     * place.
     *
     * @throws IllegalArgumentException if a name has too many parts
     */
    public Variables overriddenBy(MapValue stronger) {
        Variables all = this;
        for (int i = 0; i < stronger.size(); i++) {
            all = all.with(stronger.keyAt(i), stronger.valueAt(i));
        }
        return all;
    }

    private static MapValue put(MapValue into, String[] parts, int i, Value value) {
        if (i == parts.length - 1) {
            return into.with(parts[i], value);
        }
        MapValue below = into.get(parts[i]) instanceof MapValue map ? map : MapValue.EMPTY;
        return into.with(parts[i], put(below, parts, i + 1, value));
    }

    /** The names only, never the values: some of them are secrets. */
    @Override
    public String toString() {
        return "Variables" + values.keys();
    }
}
