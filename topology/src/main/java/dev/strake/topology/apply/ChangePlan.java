package dev.strake.topology.apply;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.RejectedChangeException;
import java.util.Map;

/** Chooses the plan of the engine for a change: one place for the stream and for a replay of its topic. */
public final class ChangePlan {

    private ChangePlan() {}

    /** The revisions of a workspace, as far as they are kept. */
    @FunctionalInterface
    public interface Past {

        /**
         * What it takes to bring the documents back to what they were in a revision.
         *
         * @throws RejectedChangeException if there is no such revision
         */
        Map<DocumentId, Edit> editsBackTo(long revision) throws RejectedChangeException;
    }

    /**
     * The plan for a change of documents.
     *
     * @param graph of the head
     * @throws RejectedChangeException if it refers to a revision that is not there
     * @throws IllegalArgumentException for a tag or its removal, which change no document
     */
    public static Plan of(Change change, Graph graph, Past past) throws RejectedChangeException {
        String bucket = change.envelope().bucket();
        if (change instanceof Change.BucketPut put) {
            return Plan.bucketPut(graph, bucket, put.documents());
        } else if (change instanceof Change.DocumentsPut put) {
            return Plan.documentsPut(graph, bucket, put.documents());
        } else if (change instanceof Change.DocumentsDelete delete) {
            return Plan.documentsDelete(graph, bucket, delete.documents());
        } else if (change instanceof Change.WorkspaceDelete) {
            return Plan.workspaceDelete(graph);
        } else if (change instanceof Change.Rollback rollback) {
            return Plan.restore(graph, past.editsBackTo(rollback.revision()));
        }
        throw new IllegalArgumentException(
                "no change of documents: " + change.envelope().typeText());
    }
}
