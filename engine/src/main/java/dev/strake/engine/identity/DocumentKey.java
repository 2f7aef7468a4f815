package dev.strake.engine.identity;

/** The identity of a rendered document, and the way a substitution names its source: schema and name. */
public record DocumentKey(String schema, String name) implements Comparable<DocumentKey> {

    /* Spelled out for the same reason as in DocumentId. */
    @Override
    public boolean equals(Object other) {
        return other instanceof DocumentKey key && name.equals(key.name) && schema.equals(key.schema);
    }

    @Override
    public int hashCode() {
        return schema.hashCode() * 31 + name.hashCode();
    }

    @Override
    public int compareTo(DocumentKey other) {
        int order = compare(schema, other.schema);
        return order == 0 ? compare(name, other.name) : order;
    }

    /* Schemas and layers are mostly the same text, and the same object; compareTo looks at each character then. */
    public static int compare(String one, String other) {
        return one.equals(other) ? 0 : one.compareTo(other);
    }

    @Override
    public String toString() {
        return "[" + schema + ", " + name + "]";
    }
}
