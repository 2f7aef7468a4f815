package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;

/**
 * A rendered record as far as it has to be remembered.
 *
 * @param record hash of the record's content, whatever the order of its keys: decides whether it is published again
 * @param digest its share in the digest of the rendered set, if it is published with its keys as they came out
 */
public record Output(Fingerprint record, Digest digest) {

    /** The hash of what the record of a document holds that rendered to this data. */
    public static Fingerprint recordOf(Facts document, Value data) {
        return document.metadata().and(data.fingerprint());
    }

    /** Whether a consumer who holds one of the two records has no use for the other. */
    public boolean hasSameContent(Output other) {
        return other != null && record.equals(other.record);
    }
}
