package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;

/**
 * What the graph has to know of a document, and all that stays on the heap for it; the document itself does not.
 *
 * @param bucket the bucket that holds the document
 * @param standing what it is to others
 * @param labels by which others find it
 * @param claims what it says of others
 * @param metadata hash of everything in the document but its data
 * @param content hash of the whole document
 * @param since the revision that first held the document as it is; 0 before it is part of one
 */
public record Facts(
        DocumentId id,
        String bucket,
        Standing standing,
        MapValue labels,
        Claims claims,
        Fingerprint metadata,
        Fingerprint content,
        long since) {

    /** Reads the facts off a document. */
    public static Facts of(Document document, String bucket) {
        Fingerprint metadata = document.tree().without("data").fingerprint();
        Fingerprint content = metadata.and(document.data().fingerprint());
        return new Facts(
                document.id(),
                bucket,
                Standing.of(document),
                document.labels(),
                Claims.of(document),
                metadata,
                content,
                0);
    }

    /** These facts as part of a revision. */
    public Facts since(long revision) {
        return new Facts(id, bucket, standing, labels, claims, metadata, content, revision);
    }

    /** These facts, made of equal parts that somebody has already. */
    Facts madeOf(DocumentId equalId, String equalBucket, MapValue equalLabels, Claims equalClaims) {
        return new Facts(equalId, equalBucket, standing, equalLabels, equalClaims, metadata, content, since);
    }

    /** These facts, made of the parts of others that are {@linkplain #isPlacedLike placed like them}. */
    Facts inPlaceOf(Facts other) {
        return madeOf(other.id, other.bucket, other.labels, other.claims);
    }

    public DocumentKey key() {
        return id.key();
    }

    public boolean isControl() {
        return standing.control();
    }

    public boolean isAbstract() {
        return standing.isAbstract();
    }

    public boolean isReplacement() {
        return standing.replacement();
    }

    /** Whether this is a document with operations on others. */
    public boolean isOperations() {
        return standing.kind() == Kind.OPERATIONS;
    }

    /** Whether this is a DataSchema whose name is a schema that authors may govern; all other names are ignored. */
    public boolean governs() {
        return standing.kind() == Kind.SCHEMA && Kind.isGovernable(id.name());
    }

    /** Whether the document looks for no parent and substitutes from nothing: it renders to its own data, unless operations change that. */
    boolean isSelfContained() {
        return claims.selector().isEmpty() && claims.sources().isEmpty();
    }

    /** Whether both stand in the graph in one way: found by the same keys, with the same claims on other documents. */
    boolean isPlacedLike(Facts other) {
        return standing.equals(other.standing)
                && id.equals(other.id)
                && bucket.equals(other.bucket)
                && labels.equals(other.labels)
                && claims.equals(other.claims);
    }
}
