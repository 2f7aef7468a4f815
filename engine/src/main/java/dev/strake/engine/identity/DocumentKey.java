package dev.strake.engine.identity;

import dev.strake.engine.tree.TextHash;

/** The identity of a rendered document: schema and name. A substitution names its source by this key. */
public final class DocumentKey implements Comparable<DocumentKey> {

    private final String schema;
    private final String name;
    private int hash; // 0 until it is computed; a race computes the same value twice

    public DocumentKey(String schema, String name) {
        this.schema = schema;
        this.name = name;
    }

    public String schema() {
        return schema;
    }

    public String name() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DocumentKey key && name.equals(key.name) && schema.equals(key.schema);
    }

    @Override
    public int hashCode() {
        int result = hash;
        if (result == 0) {
            result = TextHash.of(TextHash.of(schema), TextHash.of(name));
            hash = result;
        }
        return result;
    }

    public DocumentId in(String layer) {
        return new DocumentId(this, layer);
    }

    @Override
    public int compareTo(DocumentKey other) {
        int order = compare(schema, other.schema);
        return order == 0 ? compare(name, other.name) : order;
    }

    /* Schemas and layers are mostly the same object. Then equals is fast, while compareTo reads each character. */
    public static int compare(String one, String other) {
        return one.equals(other) ? 0 : one.compareTo(other);
    }

    @Override
    public String toString() {
        return "[" + schema + ", " + name + "]";
    }
}
