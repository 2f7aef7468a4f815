package dev.strake.remote.apply.patch;

import java.util.Map;

/**
 * How a strategic merge patch treats the fields of one type of object. A field that is not named here is merged if it is a
 * mapping, and replaced as a whole if it is a list.
 *
 * @param isReplaced whether a patch takes the place of a mapping of this type as a whole
 */
record PatchType(Map<String, Field> fields, boolean isReplaced) {

    static final PatchType PLAIN = new PatchType(Map.of(), false);

    static final PatchType REPLACED = new PatchType(Map.of(), true);

    /** What happens to a list in a field. */
    enum Lists {
        /** The patch's list takes its place. */
        REPLACED,
        /** A set of scalars: both are united. */
        UNITED,
        /** A list of mappings: those with the same key are merged. */
        MERGED_BY_KEY
    }

    /**
     * One field.
     *
     * @param type of its value, or of the elements of its list
     * @param mergeKey the key of elements that are merged by key, otherwise null
     */
    record Field(PatchType type, Lists lists, String mergeKey) {

        private static final Field UNKNOWN = new Field(PLAIN, Lists.REPLACED, null);
    }

    Field field(String name) {
        return fields.getOrDefault(name, Field.UNKNOWN);
    }
}
