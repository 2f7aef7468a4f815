package dev.strake.serdes.change;

import java.util.Optional;

/** The type of a change. */
public enum ChangeType {
    /** Sets the content of a bucket; other documents of the bucket are removed. */
    BUCKET_PUT("dev.strake.bucket.put", true),
    /** Adds documents to a bucket, or replaces them there. */
    DOCUMENTS_PUT("dev.strake.documents.put", true),
    /** Removes documents from a bucket. */
    DOCUMENTS_DELETE("dev.strake.documents.delete", true),
    /** Creates a new revision with the documents of an old one. */
    ROLLBACK("dev.strake.revision.rollback", false),
    /** Puts a tag on a revision. */
    TAG("dev.strake.revision.tag", false),
    /** Removes a tag from a revision. */
    UNTAG("dev.strake.revision.untag", false),
    /** Adds the result of a validation to a revision. */
    VALIDATION_PUT("dev.strake.validation.put", false),
    /** Deletes all documents of a workspace, and its history. */
    WORKSPACE_DELETE("dev.strake.workspace.delete", false);

    private final String text;
    private final boolean ofBucket;

    ChangeType(String text, boolean ofBucket) {
        this.text = text;
        this.ofBucket = ofBucket;
    }

    /** The value of the header {@code ce_type}. */
    public String text() {
        return text;
    }

    /** Whether the change concerns one bucket. If not, the header {@code bucket} is ignored. */
    public boolean isOfBucket() {
        return ofBucket;
    }

    /** Whether the body contains documents to store, rather than identities of existing ones. */
    public boolean putsDocuments() {
        return this == BUCKET_PUT || this == DOCUMENTS_PUT;
    }

    public static Optional<ChangeType> of(String text) {
        for (ChangeType type : values()) {
            if (type.text.equals(text)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
