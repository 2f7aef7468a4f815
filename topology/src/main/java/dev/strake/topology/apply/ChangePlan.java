package dev.strake.topology.apply;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.change.RemovalLimit;
import java.util.List;
import java.util.Map;

/**
 * The effect of a change on the head of its workspace: the engine's plan, and the resulting update. Has no side
 * effects, so the stream and dry runs share this code.
 */
public final class ChangePlan {

    /** The number of documents that a rejection names of those it would have removed. */
    private static final int MOST_NAMED = 10;

    private ChangePlan() {}

    /** The kept revisions of a workspace. */
    @FunctionalInterface
    public interface Past {

        /**
         * Returns the edits that restore the documents of a revision.
         *
         * @throws RejectedChangeException if the revision does not exist
         */
        Map<DocumentId, Edit> editsBackTo(long revision) throws RejectedChangeException;
    }

    /**
     * Plans a change that edits documents.
     *
     * @param graph the graph of the head
     * @throws RejectedChangeException if the change refers to a revision that does not exist or is not kept
     * @throws IllegalArgumentException if the change sets or removes a tag, which edits no document
     */
    public static Plan of(Change change, Graph graph, Past past) throws RejectedChangeException {
        String bucket = change.envelope().bucket();
        if (change instanceof Change.BucketPut put) {
            return change.envelope().terms().asDeckhand()
                    ? Plan.bucketPutAsDeckhand(graph, bucket, put.documents())
                    : Plan.bucketPut(graph, bucket, put.documents());
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
                "not a change of documents: " + change.envelope().typeText());
    }

    /**
     * As {@link #of}, and rejects a change that exceeds a limit.
     *
     * @param most limits the removed documents, and the documents of a workspace
     * @param encrypts whether there are keys for encrypted documents
     */
    static Plan accepted(Change change, Workspace head, Past past, Intake most, boolean encrypts)
            throws RejectedChangeException {
        Plan plan = of(change, head.graph(), past);
        if (encrypts) {
            plan.encrypts();
        }
        if (!plan.rejections().isEmpty()) {
            throw new RejectedChangeException(plan.rejections());
        }
        if (plan.sizeAfter() > most.limits().change().documents() && plan.count(Edit.Kind.ADDED) > 0) {
            throw new RejectedChangeException(List.of(Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "the workspace would have more than "
                            + most.limits().change().documents() + " documents",
                    "distribute them over several workspaces")));
        }
        checkRemovals(change.envelope(), plan, head.graph(), most.removals());
        return plan;
    }

    private static void checkRemovals(ChangeEnvelope envelope, Plan plan, Graph graph, RemovalLimit ofPuts)
            throws RejectedChangeException {
        int removed = plan.count(Edit.Kind.REMOVED);
        if (removed == 0) {
            return;
        }
        boolean ofBucket = envelope.type().isOfBucket();
        int held = ofBucket ? graph.bucket(envelope.bucket()).size() : graph.size();
        String what = "the change would remove " + removed + " of " + held + " documents of "
                + (ofBucket ? "bucket " + envelope.bucket() : "the workspace") + ", ";
        RemovalLimit ofAuthor = envelope.terms().removals();
        if (removed > ofAuthor.of(held)) {
            String objection = !ofAuthor.isGuard()
                    ? "but its author allows " + ofAuthor.of(held)
                    : removed == held ? "so none would be left" : "which is more than a third";
            throw tooMany(
                    what + objection,
                    "check whether documents are missing in the change, or raise the limit with --max-removals or --yes (HTTP: max-removals)",
                    plan);
        }
        if (envelope.type() == ChangeType.BUCKET_PUT && removed > ofPuts.of(held)) {
            throw tooMany(
                    what + "but strake.limits.bucket-removals allows " + ofPuts.of(held),
                    "check whether documents are missing in the change, or delete them by name first",
                    plan);
        }
    }

    private static RejectedChangeException tooMany(String message, String hint, Plan plan) {
        List<DocumentId> some = plan.edits().entrySet().stream()
                .filter(edit -> edit.getValue().kind() == Edit.Kind.REMOVED)
                .map(Map.Entry::getKey)
                .sorted()
                .limit(MOST_NAMED)
                .toList();
        return new RejectedChangeException(
                List.of(Problem.of(ProblemCode.TOO_MANY_REMOVALS, message, hint).relatedTo(some)));
    }

    /** Computes the update of a plan with edits. */
    static Update update(Plan plan, Workspace head, Contents contents, Renderer renderer, Tracer tracer)
            throws RejectedChangeException {
        try {
            return head.apply(plan, contents, renderer, tracer);
        } catch (ChangeEffort.ExceededException e) {
            throw new RejectedChangeException(List.of(e.toProblem()));
        }
    }

    /** Rejects a change whose author expected another head. */
    static void checkExpected(ChangeEnvelope envelope, Workspace head) throws RejectedChangeException {
        Long expected = envelope.terms().expectedRevision();
        if (expected != null && expected != head.revision()) {
            throw new RejectedChangeException(List.of(Problem.of(
                    ProblemCode.REVISION_CONFLICT,
                    "the head is revision " + head.revision() + ", but the change expects " + expected,
                    "check what others have changed, and publish again with the new head")));
        }
    }
}
