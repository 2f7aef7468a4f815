package dev.strake.serdes.change;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import java.util.List;

/** One request to alter a workspace, complete and valid in itself. */
public sealed interface Change {

    ChangeEnvelope envelope();

    /** All documents of the bucket; others that it held are removed. No identity occurs twice. */
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

    /** A name for a revision, with data that means nothing to us. */
    record Tag(ChangeEnvelope envelope, long revision, String tag, MapValue data) implements Change {}

    /** A revision loses a name. */
    record Untag(ChangeEnvelope envelope, long revision, String tag) implements Change {}

    /** A workspace loses all its documents, its tags and its history. */
    record WorkspaceDelete(ChangeEnvelope envelope) implements Change {}
}
