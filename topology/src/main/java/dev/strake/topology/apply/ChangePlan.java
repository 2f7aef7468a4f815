package dev.strake.topology.apply;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.RejectedChangeException;
import java.util.Map;

/** Chooses the engine's plan for a change. Both the stream and a replay of its topic use this class. */
public final class ChangePlan {

    private ChangePlan() {}

    /** The revisions of a workspace that are kept. */
    @FunctionalInterface
    public interface Past {

        /**
         * The edits that restore the documents of a revision.
         *
         * @throws RejectedChangeException if there is no such revision
         */
        Map<DocumentId, Edit> editsBackTo(long revision) throws RejectedChangeException;
    }

    /**
     * The plan for a change that edits documents.
     *
     * @param graph the graph of the head
     * @throws RejectedChangeException if the change refers to a revision that does not exist or is not kept
     * @throws IllegalArgumentException if the change sets or removes a tag, which edits no document
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
