package dev.strake.engine.identity;

/** The identity of a rendered document: schema and name. A substitution names its source by this key. */
public record DocumentKey(String schema, String name) implements Comparable<DocumentKey> {

    /* Written by hand for the same reason as in DocumentId. */
    @Override
    public boolean equals(Object other) {
        return other instanceof DocumentKey key && name.equals(key.name) && schema.equals(key.schema);
    }

    @Override
    public int hashCode() {
        return schema.hashCode() * 31 + name.hashCode();
    }

    /** The identity of a document with this key in a layer. */
    public DocumentId in(String layer) {
        return new DocumentId(schema, layer, name);
    }

    @Override
    public int compareTo(DocumentKey other) {
        int order = compare(schema, other.schema);
        return order == 0 ? compare(name, other.name) : order;
    }

    /* Schemas and layers are mostly equal, and the same object. Then equals is fast; compareTo reads each character. */
    public static int compare(String one, String other) {
        return one.equals(other) ? 0 : one.compareTo(other);
    }

    @Override
    public String toString() {
        return "[" + schema + ", " + name + "]";
    }
}
