package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;

/**
 * The hashes of a rendered record.
 *
 * @param record hash of the record's content, whatever the order of its keys: decides whether it is published again
 * @param digest its part of the digest of the rendered set, if it is published with its keys in the present order
 */
public record Output(Fingerprint record, Digest digest) {

    /** Of a record that will not be compared with another one. */
    static final Output INCOMPARABLE = new Output(new Fingerprint(0, 0), Digest.ZERO);

    /** The hash of a document's record with this rendered data. */
    public static Fingerprint recordOf(Facts document, Value data) {
        return document.metadata().and(data.fingerprint());
    }

    /** The hash of a whole record. */
    static Fingerprint recordOf(MapValue document) {
        return document.without("data").fingerprint().and(document.get("data").fingerprint());
    }

    /** Whether both records have the same content, whatever the order of their keys. */
    public boolean hasSameContent(Output other) {
        return other != null && record.equals(other.record);
    }
}
