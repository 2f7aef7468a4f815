package dev.strake.serdes.change;

import java.util.Optional;

/** The type of a change. */
public enum ChangeType {
    /** The new content of a bucket; its other documents are removed. */
    BUCKET_PUT("dev.strake.bucket.put", true),
    /** Documents added to a bucket or replaced in it. */
    DOCUMENTS_PUT("dev.strake.documents.put", true),
    /** Documents removed from a bucket. */
    DOCUMENTS_DELETE("dev.strake.documents.delete", true),
    /** A new revision with the documents of an old one. */
    ROLLBACK("dev.strake.revision.rollback", false),
    /** A tag for a revision. */
    TAG("dev.strake.revision.tag", false),
    /** Removal of a tag of a revision. */
    UNTAG("dev.strake.revision.untag", false),
    /** A result of a validation of a revision. */
    VALIDATION_PUT("dev.strake.validation.put", false),
    /** Deletion of all documents of a workspace and of its history. */
    WORKSPACE_DELETE("dev.strake.workspace.delete", false);

    private final String text;
    private final boolean ofBucket;

    ChangeType(String text, boolean ofBucket) {
        this.text = text;
        this.ofBucket = ofBucket;
    }

    /** The type's text in the header {@code ce_type}. */
    public String text() {
        return text;
    }

    /** Whether the change concerns one bucket; otherwise its bucket is ignored. */
    public boolean isOfBucket() {
        return ofBucket;
    }

    /** Whether its documents are new ones, and not some that are there. */
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
