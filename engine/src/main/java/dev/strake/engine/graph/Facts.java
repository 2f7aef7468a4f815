package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;

/**
 * What the graph keeps of a document. Nothing else of the document stays on the heap.
 *
 * @param bucket the bucket that holds the document
 * @param standing the role of the document for other documents
 * @param labels the labels by which other documents find it
 * @param claims what the document says about other documents
 * @param since the first revision with this version of the document; 0 until it is part of a revision
 */
public record Facts(
        DocumentId id, String bucket, Standing standing, MapValue labels, Claims claims, Hashes hashes, long since) {

    /**
     * The hashes of a document.
     *
     * @param metadata the hash of all parts except the data
     * @param content the hash of the whole document
     */
    public record Hashes(Fingerprint metadata, Fingerprint content) {}

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
                new Hashes(metadata, content),
                0);
    }

    public Facts since(long revision) {
        return new Facts(id, bucket, standing, labels, claims, hashes, revision);
    }

    /** These facts with another hash of the whole document. */
    public Facts withContent(Fingerprint other) {
        return new Facts(id, bucket, standing, labels, claims, new Hashes(metadata(), other), since);
    }

    /** These facts with equal parts that are already in use, to save heap. */
    Facts madeOf(DocumentId equalId, String equalBucket, MapValue equalLabels, Claims equalClaims) {
        return new Facts(equalId, equalBucket, standing, equalLabels, equalClaims, hashes, since);
    }

    /** These facts, made of the parts of others that are {@linkplain #isPlacedLike placed like them}. */
    Facts inPlaceOf(Facts other) {
        return madeOf(other.id, other.bucket, other.labels, other.claims);
    }

    public Fingerprint metadata() {
        return hashes.metadata();
    }

    public Fingerprint content() {
        return hashes.content();
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

    /** Whether the author wants the data kept encrypted. */
    public boolean isEncrypted() {
        return standing.encrypted();
    }

    /** Whether this is a document with operations on others. */
    public boolean isOperations() {
        return standing.kind() == Kind.OPERATIONS;
    }

    /** Whether other documents are derived from this one. */
    public boolean isDerivation() {
        return standing.kind() == Kind.DERIVATION;
    }

    /** Whether the document is for consumers, if it is in force. */
    public boolean isForConsumers() {
        return standing.kind().isForConsumers();
    }

    /** The labels of the document, with its schema as another label. */
    MapValue labelsAndSchema() {
        return WantedLabels.withSchema(labels, id.schema());
    }

    /** Whether this is a DataSchema that governs documents: its name is a schema that authors may govern. */
    public boolean governs() {
        return standing.kind() == Kind.SCHEMA && Kind.isGovernable(id.name());
    }

    /** Whether there is no parentSelector and no substitution. Then only operations can change the data. */
    boolean isSelfContained() {
        return claims.selector().isEmpty() && claims.sources().isEmpty();
    }

    /** Whether both have the same index entries: the same identity, standing, bucket, labels and claims. */
    boolean isPlacedLike(Facts other) {
        return standing.equals(other.standing)
                && id.equals(other.id)
                && bucket.equals(other.bucket)
                && labels.equals(other.labels)
                && claims.equals(other.claims);
    }
}
