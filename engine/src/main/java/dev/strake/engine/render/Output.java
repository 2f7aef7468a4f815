package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;

/**
 * The hashes of a rendered record.
 *
 * @param record the hash of the record's content, regardless of the order of keys: decides whether it is published
 *     again
 * @param digest the record's part of the digest of the rendered set, with its keys in the present order; zero if the
 *     record is not published
 * @param secret whether the record's data has secrets
 * @param form the {@linkplain RecordForm#name() form} in which the record is published; empty for clear text
 */
public record Output(Fingerprint record, Digest digest, boolean secret, String form) {

    /** The output of a secret record whose hashes are lost. No new record has an equal output. */
    public static final Output LOST = new Output(Fingerprint.LOST, Digest.ZERO, true);

    /** The output of a record without secrets. */
    public Output(Fingerprint record, Digest digest) {
        this(record, digest, false);
    }

    /** The output of a record that is published in clear text. */
    public Output(Fingerprint record, Digest digest, boolean secret) {
        this(record, digest, secret, "");
    }

    /** This output of a record that is known to be published in this form. */
    public Output in(String itsForm) {
        return form.equals(itsForm) ? this : new Output(record, digest, secret, itsForm);
    }

    /**
     * The hash of the record of a document with this rendered data.
     *
     * @param places the hash of the places where the data is secret; null if there are none
     */
    static Fingerprint recordOf(Facts document, Value data, Fingerprint places) {
        return document.metadata().and(data.fingerprint()).withPlaces(places);
    }

    /** The hash of a whole record. */
    static Fingerprint recordOf(MapValue document) {
        Value data = document.get("data");
        return document.without("data").fingerprint().and(data.fingerprint()).withPlaces(Fingerprint.ofPlaces(data));
    }

    /** Whether both records have the same content, regardless of the order of keys, the same mark and the same form. */
    public boolean hasSameContent(Output other) {
        return other != null && secret == other.secret && form.equals(other.form) && record.equals(other.record);
    }
}
