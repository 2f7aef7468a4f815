package dev.strake.topology.observe;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import java.util.Map;
import java.util.Optional;
import org.organicdesign.fp.collections.ImMap;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * The status of a workspace after its last revision. Immutable. The next status shares unchanged parts with this one,
 * so thousands of old problems do not make a change more expensive.
 *
 * @param last the last revision
 * @param oldestRevision the oldest kept revision, not counting older tagged ones
 * @param heldSince when consumers stopped being up to date, in milliseconds: the time of the first revision after the
 *     last one that was published as a whole; 0 if consumers are up to date
 * @param problems the problems by document; a problem of the workspace as a whole has the key {@link #WHOLE}
 */
public record WorkspaceStatus(
        String workspace, Last last, long oldestRevision, long heldSince, Map<DocumentId, OpenProblem> problems) {

    /** The key for the workspace as a whole. */
    public static final DocumentId WHOLE = new DocumentId("", "", "");

    /**
     * The last revision.
     *
     * @param documents the number of documents of the revision
     * @param rendered the number of records that consumers see
     * @param state rendered, failed or partial
     */
    public record Last(long revision, int documents, int rendered, OutcomeStatus state) {

        static Last of(long number, Revision revision) {
            return new Last(
                    number, revision.documents().total(), revision.published().records(), revision.status());
        }
    }

    /**
     * A problem of the head revision.
     *
     * @param since when a revision first had the problem in exactly this form, in milliseconds
     */
    public record OpenProblem(ProblemCode code, long since) {}

    public WorkspaceStatus {
        problems = problems instanceof ImMap ? problems : PersistentHashMap.of(problems.entrySet());
    }

    /** The status before the first revision. */
    static WorkspaceStatus empty(String workspace) {
        return new WorkspaceStatus(
                workspace, new Last(0, 0, 0, OutcomeStatus.RENDERED), 1, 0, PersistentHashMap.empty());
    }

    /** The status after one more revision. */
    WorkspaceStatus after(Update update, Revision made) {
        Workspace head = update.next();
        ImMap<DocumentId, OpenProblem> open = (ImMap<DocumentId, OpenProblem>) problems;
        for (Map.Entry<DocumentId, Optional<Problem>> each : update.problems().entrySet()) {
            open = with(open, each.getKey(), each.getValue().orElse(null), made.time());
        }
        Problem whole = head.wholeProblem();
        if ((whole != null) != open.containsKey(WHOLE)) {
            open = with(open, WHOLE, whole, made.time());
        }
        boolean upToDate = head.holdings().revision() == head.revision();
        return new WorkspaceStatus(
                workspace,
                Last.of(head.revision(), made),
                oldestRevision,
                upToDate ? 0 : heldSince == 0 ? made.time() : heldSince,
                open);
    }

    private static ImMap<DocumentId, OpenProblem> with(
            ImMap<DocumentId, OpenProblem> open, DocumentId document, Problem problem, long now) {
        return problem == null ? open.without(document) : open.assoc(document, new OpenProblem(problem.code(), now));
    }

    WorkspaceStatus withHistoryFrom(long oldest) {
        return new WorkspaceStatus(workspace, last, oldest, heldSince, problems);
    }
}
