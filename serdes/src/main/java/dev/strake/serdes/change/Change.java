package dev.strake.serdes.change;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.tree.MapValue;
import java.util.List;

/** A request to change a workspace, complete and valid in itself. */
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
     * A new revision with the documents of an old one.
     *
     * @param revision 0 for the workspace before its first change
     */
    record Rollback(ChangeEnvelope envelope, long revision) implements Change {}

    /** Puts a tag on a revision, with data that has no meaning for this program. */
    record Tag(ChangeEnvelope envelope, long revision, String tag, MapValue data) implements Change {}

    /** Removes a tag from a revision. */
    record Untag(ChangeEnvelope envelope, long revision, String tag) implements Change {}

    /**
     * Adds the result of a validation to those of a revision.
     *
     * @param errors what was found, as the validator says it
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
         * The result, as it is kept.
         *
         * @param time when it is posted, in milliseconds
         */
        public ValidationResult result(long time) {
            return new ValidationResult(name, status, validator, errors, time);
        }
    }

    /** Deletes all documents, the tags and the history of a workspace. */
    record WorkspaceDelete(ChangeEnvelope envelope) implements Change {}
}
