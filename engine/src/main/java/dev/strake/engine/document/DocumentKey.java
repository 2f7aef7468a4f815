package dev.strake.engine.document;

import java.util.Comparator;

/** The identity of a rendered document, and the way a substitution names its source: schema and name. */
public record DocumentKey(String schema, String name) implements Comparable<DocumentKey> {

    private static final Comparator<DocumentKey> ORDER =
            Comparator.comparing(DocumentKey::schema).thenComparing(DocumentKey::name);

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
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "[" + schema + ", " + name + "]";
    }
}
