package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;

/**
 * The hashes of a rendered record.
 *
 * @param record hash of the record's content, whatever the order of its keys: decides whether it is published again
 * @param digest its part of the digest of the rendered set, if it is published with its keys in the present order; zero if
 *     nobody publishes it
 * @param secret whether its data has secrets
 * @param form the {@linkplain RecordForm#name() form} in which it is published; empty for clear text
 */
public record Output(Fingerprint record, Digest digest, boolean secret, String form) {

    /** Of a secret record of which the hashes are not known any more. It is equal to no record that is made anew. */
    public static final Output LOST = new Output(Fingerprint.LOST, Digest.ZERO, true);

    /** Of a record that is not marked as secret. */
    public Output(Fingerprint record, Digest digest) {
        this(record, digest, false);
    }

    /** Of a record that is published in clear text. */
    public Output(Fingerprint record, Digest digest, boolean secret) {
        this(record, digest, secret, "");
    }

    /** The same record, known to be published in this form. */
    public Output in(String itsForm) {
        return form.equals(itsForm) ? this : new Output(record, digest, secret, itsForm);
    }

    /**
     * The hash of a document's record with this rendered data.
     *
     * @param places hash of where the data is secret; null if it is not
     */
    static Fingerprint recordOf(Facts document, Value data, Fingerprint places) {
        return document.metadata().and(data.fingerprint()).withPlaces(places);
    }

    /** The hash of a whole record. */
    static Fingerprint recordOf(MapValue document) {
        Value data = document.get("data");
        return document.without("data").fingerprint().and(data.fingerprint()).withPlaces(Fingerprint.ofPlaces(data));
    }

    /** Whether both records have the same content, whatever the order of their keys, the same mark and the same form. */
    public boolean hasSameContent(Output other) {
        return other != null && secret == other.secret && form.equals(other.form) && record.equals(other.record);
    }
}
