package dev.strake.engine.render;

import dev.strake.engine.tree.Fingerprint;

/**
 * A rendered record as far as it has to be remembered.
 *
 * @param record hash of the record's content, whatever the order of its keys: decides whether it is published again
 * @param digest its share in the digest of the rendered set
 */
public record Output(Fingerprint record, Digest digest) {

    /** Whether a consumer who holds one of the two records has no use for the other. */
    public boolean hasSameContent(Output other) {
        return other != null && record.equals(other.record);
    }
}
