package dev.strake.remote.apply.patch;

import java.util.Map;

/**
 * How a strategic merge patch treats the fields of a type. An unlisted field is merged if it is a mapping, and replaced
 * if it is a list.
 *
 * @param isReplaced whether a patch replaces a mapping of this type as a whole
 */
record PatchType(Map<String, Field> fields, boolean isReplaced) {

    static final PatchType PLAIN = new PatchType(Map.of(), false);

    static final PatchType REPLACED = new PatchType(Map.of(), true);

    /** How lists in a field are merged. */
    enum Lists {
        /** The patch's list replaces the live one. */
        REPLACED,
        /** A set of scalars: the result is the union. */
        UNITED,
        /** A list of mappings: elements with the same key are merged. */
        MERGED_BY_KEY
    }

    /**
     * A field.
     *
     * @param type the type of the value, or of the elements of a list
     * @param mergeKey the key by which elements are merged; null for other lists
     */
    record Field(PatchType type, Lists lists, String mergeKey) {

        private static final Field UNKNOWN = new Field(PLAIN, Lists.REPLACED, null);
    }

    Field field(String name) {
        return fields.getOrDefault(name, Field.UNKNOWN);
    }
}
