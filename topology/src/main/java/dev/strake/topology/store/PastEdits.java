package dev.strake.topology.store;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.topology.layout.DocumentsLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The edits between two revisions of a workspace: one for each document that was edited in between. */
public final class PastEdits {

    private final StateReader state;
    private final String workspace;

    public PastEdits(StateReader state, String workspace) {
        this.state = state;
        this.workspace = workspace;
    }

    /**
     * Returns the edits from the head back to a revision.
     *
     * @param revision 0 to remove all documents
     * @throws RejectedChangeException if the revision does not exist or no longer exists
     */
    public Map<DocumentId, Edit> back(Workspace head, long revision) throws RejectedChangeException {
        if (revision == 0) {
            Map<DocumentId, Edit> edits = new TreeMap<>();
            head.graph().documents().forEach(id -> edits.put(id, Edit.REMOVAL));
            return edits;
        }
        state.history().required(workspace, revision);
        return edits(revision, head.revision(), revision);
    }

    /**
     * Returns the edits from one revision to a later one.
     *
     * @throws RejectedChangeException if the later one does not exist or no longer exists
     */
    public Map<DocumentId, Edit> between(long earlier, long later) throws RejectedChangeException {
        state.history().required(workspace, later);
        return edits(earlier, later, later);
    }

    private Map<DocumentId, Edit> edits(long earlier, long later, long to) throws RejectedChangeException {
        Map<DocumentId, Edit> edits = new TreeMap<>();
        List<Problem> locked = new ArrayList<>();
        state.history().forEachTouched(workspace, earlier, later, touched -> {
            if (touched.edited()) {
                edits.computeIfAbsent(touched.document(), id -> {
                    DocumentsLayout.Entry then = state.documentAsOf(workspace, id, to);
                    if (then.isRemoved()) {
                        return Edit.REMOVAL;
                    }
                    then.document().missingKey().ifPresent(key -> locked.add(key.problemOf(id)));
                    return Edit.of(then.document(), then.bucket(), then.place());
                });
            }
        });
        if (!locked.isEmpty()) {
            throw new RejectedChangeException(locked);
        }
        return edits;
    }
}
