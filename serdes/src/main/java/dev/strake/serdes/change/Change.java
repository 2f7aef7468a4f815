package dev.strake.serdes.change;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.tree.MapValue;
import java.util.List;

/** A request to change a workspace, complete and validated on its own, without the state of the workspace. */
public sealed interface Change {

    ChangeEnvelope envelope();

    /** The new content of the bucket; its other documents are removed. No identity occurs twice. */
    record BucketPut(ChangeEnvelope envelope, List<Document> documents) implements Change {

        public BucketPut {
            documents = List.copyOf(documents);
        }
    }

    /** Documents to add to the bucket or to replace in it. No identity occurs twice. */
    record DocumentsPut(ChangeEnvelope envelope, List<Document> documents) implements Change {

        public DocumentsPut {
            documents = List.copyOf(documents);
        }
    }

    /** Documents to remove from the bucket. No identity occurs twice. */
    record DocumentsDelete(ChangeEnvelope envelope, List<DocumentId> documents) implements Change {

        public DocumentsDelete {
            documents = List.copyOf(documents);
        }
    }

    /**
     * Creates a new revision with the documents of an old one.
     *
     * @param revision 0 for the workspace before its first change
     */
    record Rollback(ChangeEnvelope envelope, long revision) implements Change {}

    /** Puts a tag on a revision, with data that this program does not interpret. */
    record Tag(ChangeEnvelope envelope, long revision, String tag, MapValue data) implements Change {}

    /** Removes a tag from a revision. */
    record Untag(ChangeEnvelope envelope, long revision, String tag) implements Change {}

    /**
     * Adds the result of a validation to those of a revision.
     *
     * @param errors the findings, as the validator reports them
     */
    record ValidationPut(
            ChangeEnvelope envelope,
            long revision,
            String name,
            String status,
            MapValue validator,
            List<MapValue> errors)
            implements Change {

        public ValidationPut {
            errors = List.copyOf(errors);
        }

        /**
         * Returns the result in the form in which it is stored.
         *
         * @param time when the result is posted, in milliseconds
         */
        public ValidationResult result(long time) {
            return new ValidationResult(name, status, validator, errors, time);
        }
    }

    /** Deletes all documents, the tags and the history of a workspace. */
    record WorkspaceDelete(ChangeEnvelope envelope) implements Change {}
}
