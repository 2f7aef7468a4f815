package dev.strake.engine.identity;

/**
 * The identity of a published document: schema, layer and name.
 *
 * @param layer the empty text for a document without a layer (mostly control documents)
 */
public record DocumentId(String schema, String layer, String name) implements Comparable<DocumentId> {

    /** The most characters per part: longer than real names (Deckhand's database allows 64), short enough for keys. */
    public static final int LONGEST_PART = 1_024;

    /** The identity of the rendered document, which references use: it has no layer. */
    public DocumentKey key() {
        return new DocumentKey(schema, name);
    }

    /*
     * Written by hand, like hashCode: opening a workspace makes millions of calls, before the JVM has compiled the
     * methods that records generate.
     */
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

    /** The form for messages: {@code [schema, layer, name]}, as in Deckhand. */
    @Override
    public String toString() {
        return "[" + schema + ", " + layer + ", " + name + "]";
    }
}
