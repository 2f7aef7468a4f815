package dev.strake.engine.identity;

import dev.strake.engine.tree.TextHash;

/** The identity of a published document: schema, layer and name. */
public final class DocumentId implements Comparable<DocumentId> {

    /** The maximum length of a part: longer than real names (Deckhand's database allows 64), short enough for keys. */
    public static final int LONGEST_PART = 1_024;

    private final DocumentKey key;
    private final String layer;
    private int hash; // 0 until it is computed; a race computes the same value twice

    /**
     * An identity.
     *
     * @param layer the empty text for a document without a layer (mostly control documents)
     */
    public DocumentId(String schema, String layer, String name) {
        this(new DocumentKey(schema, name), layer);
    }

    DocumentId(DocumentKey key, String layer) {
        this.key = key;
        this.layer = layer;
    }

    public String schema() {
        return key.schema();
    }

    public String layer() {
        return layer;
    }

    public String name() {
        return key.name();
    }

    /** The identity of the rendered document, which has no layer. References use it. */
    public DocumentKey key() {
        return key;
    }

    @Override
    public boolean equals(Object other) {
        return other == this || (other instanceof DocumentId id && key.equals(id.key) && layer.equals(id.layer));
    }

    @Override
    public int hashCode() {
        int result = hash;
        if (result == 0) {
            result = TextHash.of(key.hashCode(), TextHash.of(layer));
            hash = result;
        }
        return result;
    }

    @Override
    public int compareTo(DocumentId other) {
        int order = DocumentKey.compare(schema(), other.schema());
        if (order == 0) {
            order = DocumentKey.compare(layer, other.layer);
        }
        return order == 0 ? DocumentKey.compare(name(), other.name()) : order;
    }

    /** The form for messages: {@code [schema, layer, name]}, as in Deckhand. */
    @Override
    public String toString() {
        return "[" + schema() + ", " + layer + ", " + name() + "]";
    }
}
