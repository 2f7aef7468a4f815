package dev.strake.engine.identity;

/**
 * What makes a published document itself: schema, layer and name.
 *
 * @param layer the empty text for a document without a layer (control documents, mostly)
 */
public record DocumentId(String schema, String layer, String name) implements Comparable<DocumentId> {

    /** Characters of each part: longer than anybody's names (Deckhand's database stops at 64), short enough for keys. */
    public static final int LONGEST_PART = 1_024;

    /** The identity under which this document is rendered and referred to: a layer plays no part in it. */
    public DocumentKey key() {
        return new DocumentKey(schema, name);
    }

    /* Spelled out, like the next one: a workspace is opened by millions of these, before what records make is compiled. */
    @Override
    public boolean equals(Object other) {
        return other instanceof DocumentId id
                && name.equals(id.name)
                && layer.equals(id.layer)
                && schema.equals(id.schema);
    }

    @Override
    public int hashCode() {
        return (schema.hashCode() * 31 + layer.hashCode()) * 31 + name.hashCode();
    }

    @Override
    public int compareTo(DocumentId other) {
        int order = DocumentKey.compare(schema, other.schema);
        if (order == 0) {
            order = DocumentKey.compare(layer, other.layer);
        }
        return order == 0 ? DocumentKey.compare(name, other.name) : order;
    }

    /** For messages: {@code [schema, layer, name]}, as Deckhand writes it. */
    @Override
    public String toString() {
        return "[" + schema + ", " + layer + ", " + name + "]";
    }
}
