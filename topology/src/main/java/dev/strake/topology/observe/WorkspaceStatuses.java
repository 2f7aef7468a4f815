package dev.strake.topology.observe;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.observe.WorkspaceStatus.OpenProblem;
import dev.strake.topology.store.Search;
import dev.strake.topology.store.StateReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads the statuses of a task's workspaces, so that an observer has them before the first change.
 *
 * <p>This takes one search for the last revision of each workspace, regardless of the size and history of the
 * workspace. If that revision was not published as a whole, the heads of its documents are read as well, for their
 * problems.
 */
public final class WorkspaceStatuses {

    private final StateReader state;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> revisions;

    public WorkspaceStatuses(StateReader state, ReadOnlyKeyValueStore<Bytes, byte[]> revisions) {
        this.state = state;
        this.revisions = revisions;
    }

    /** The statuses of all workspaces in the stores. */
    public List<WorkspaceStatus> read() {
        List<WorkspaceStatus> result = new ArrayList<>();
        Search.scan(revisions, RevisionsLayout.horizonPrefix(), (key, value) -> {
            String workspace = KeyReader.workspace(key);
            long oldest = RevisionsLayout.readHorizon(key, value).first();
            Search.last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, Long.MAX_VALUE))
                    .ifPresent(last -> result.add(read(workspace, oldest, last)));
        });
        return result;
    }

    private WorkspaceStatus read(String workspace, long oldest, KeyValue<Bytes, byte[]> last) {
        byte[] key = last.key.get();
        long number = RevisionsLayout.revision(key);
        Revision revision = RevisionsLayout.read(SecretKeys.NONE, key, last.value);
        boolean upToDate = revision.published().revision() == number;
        long heldSince = upToDate ? 0 : time(workspace, revision.published().revision() + 1);
        return new WorkspaceStatus(
                workspace,
                WorkspaceStatus.Last.of(number, revision),
                oldest,
                heldSince,
                upToDate ? Map.of() : problems(workspace, revision.documents().total(), heldSince));
    }

    private Map<DocumentId, OpenProblem> problems(String workspace, int documents, long heldSince) {
        Map<DocumentId, OpenProblem> open = new HashMap<>();
        Map<Long, Long> times = new HashMap<>(); // a few revisions cause most problems
        boolean[] hasPolicy = {false};
        state.forEachHead(workspace, head -> {
            DocumentId id = head.facts().id();
            Evaluation evaluation = head.evaluation();
            hasPolicy[0] |= Kind.isPolicy(id.schema());
            if (evaluation.isInTrouble()) {
                long since = times.computeIfAbsent(evaluation.changedAt(), number -> time(workspace, number));
                open.put(id, new OpenProblem(evaluation.problem().code(), since));
            }
        });
        Problem whole = Workspace.wholeProblem(documents > 0, hasPolicy[0]);
        if (whole != null) {
            open.put(WorkspaceStatus.WHOLE, new OpenProblem(whole.code(), heldSince)); // it may be newer
        }
        return open;
    }

    /* When a revision was made; if it was pruned, when the next kept one was made. */
    private long time(String workspace, long revision) {
        return state.history().revisionFrom(workspace, revision).revision().time();
    }
}
