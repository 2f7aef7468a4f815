package dev.strake.server.state;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.server.http.RefusedException;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.query.RevisionReadiness;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionLeases.Lease;
import dev.strake.topology.store.StoredRevision;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A revision opened to answer a question. It is not pruned until it is closed. */
public final class OpenRevision implements AutoCloseable {

    private final Question question;
    private final WorkspaceQueries state;
    private final long number;
    private final Optional<Revision> entry;
    private final Lease lease;
    private final Map<Long, MapValue> begun = new HashMap<>(); // a few revisions cause most problems
    private DerivedRevision derived;
    private Earlier.Shared shared;

    private OpenRevision(Question question, WorkspaceQueries state, long number, Lease lease) {
        this.question = question;
        this.state = state;
        this.number = number;
        this.entry = state.history().revision(question.workspace(), number);
        this.lease = lease;
    }

    /**
     * Opens a revision.
     *
     * @throws RevisionGoneException if it was pruned meanwhile, or is not yet complete on a standby
     */
    public static OpenRevision of(Question question, WorkspaceQueries state, long number) {
        Lease lease = state.read(question.workspace(), number);
        try {
            OpenRevision revision = new OpenRevision(question, state, number, lease);
            boolean isGone = number > 0 && revision.entry.isEmpty();
            // On a standby the stores are updated one after the other; on the active instance together.
            boolean isInPart =
                    question.here().behind().isPresent() && !revision.stored().has(revision.documents());
            if (isGone || isInPart) {
                throw new RevisionGoneException(number);
            }
            return revision;
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    /**
     * Graphs and contents of earlier revisions, shared by concurrent readers of the same revision. Each graph is loaded
     * from the stores and takes as much memory as that of a head, so their number is limited.
     */
    public static final class Earlier {

        private static final int MOST = 4;

        private final Map<Key, Shared> open = new HashMap<>();

        private record Key(String workspace, long revision) {}

        private static final class Shared {

            private int readers;
            private DerivedRevision derived;

            /* The first reader loads it while the others wait. */
            private synchronized DerivedRevision derived(StoredRevision stored) {
                if (derived == null) {
                    derived = stored.derived();
                }
                return derived;
            }
        }

        private synchronized Shared join(Key key) {
            if (open.size() == MOST && !open.containsKey(key)) {
                throw RefusedException.tryAgain(
                        "Busy", "Too many earlier revisions are being read. Try again in a moment.");
            }
            Shared shared = open.computeIfAbsent(key, none -> new Shared());
            shared.readers++;
            return shared;
        }

        private synchronized void leave(Key key, Shared shared) {
            if (--shared.readers == 0) {
                open.remove(key);
            }
        }
    }

    Question question() {
        return question;
    }

    public WorkspaceQueries state() {
        return state;
    }

    public long number() {
        return number;
    }

    /** Empty for revision 0, which has no documents. */
    public Optional<Revision> entry() {
        return entry;
    }

    public StoredRevision stored() {
        return state.at(question.workspace(), number);
    }

    public RevisionReadiness readiness() {
        return new RevisionReadiness(state, question.workspace(), number);
    }

    int documents() {
        return entry.map(each -> each.documents().total()).orElse(0);
    }

    /**
     * Returns the graph and the contents.
     *
     * @throws RefusedException if too many other earlier revisions are being read
     */
    public DerivedRevision derived() {
        if (derived == null) {
            Optional<Workspace> head =
                    state.openWithoutReading(question.workspace()).filter(atHand -> atHand.revision() == number);
            if (head.isPresent()) {
                derived = state.contents(question.workspace(), head.get());
            } else {
                shared = question.earlier().join(key());
                derived = shared.derived(stored());
            }
        }
        return derived;
    }

    private Earlier.Key key() {
        return new Earlier.Key(question.workspace(), number);
    }

    /**
     * Returns the first members of a response. If this revision has problems, consumers may hold an earlier one, which
     * {@code renderedRevision} names.
     */
    MapValue what() {
        MapValue what = StateJson.of(question.workspace(), number);
        return entry.isEmpty()
                ? what
                : what.with("status", entry.get().status().text())
                        .with("renderedRevision", entry.get().published().revision());
    }

    /** Whether some documents do not render. */
    boolean isInTrouble() {
        return entry.map(Revision::status)
                .filter(status -> status == OutcomeStatus.FAILED || status == OutcomeStatus.PARTIAL)
                .isPresent();
    }

    /** Returns the owner of a derived document; empty if it is not derived. */
    public Optional<DocumentId> owner(DocumentKey key) {
        return state.owner(question.workspace(), key, number);
    }

    /** Returns a problem as JSON, with the origin of the document to fix if the author provided it. */
    MapValue withOrigin(Problem problem) {
        return withOrigin(problem, ProblemJson.write(problem));
    }

    /** As {@link #withOrigin(Problem)}, with the document whose problem has to be fixed first, if it is another one. */
    MapValue inList(Problem problem) {
        return withOrigin(problem, ProblemJson.write(problem, this::problem));
    }

    /** Adds the revision that gave a problem its present form, or the next one that is kept. */
    MapValue withBeginning(MapValue problem, long since) {
        return problem.with("begun", begun.computeIfAbsent(since, number -> {
            NumberedRevision made = state.history().revisionFrom(question.workspace(), number);
            return StateJson.begun(made, state.history().revisionBelow(question.workspace(), made.number()));
        }));
    }

    /** Returns the problem to fix first, if it is that of another document. */
    Optional<Problem> cause(Problem problem) {
        return ProblemCause.waitsFor(problem, this::problem).map(this::problem);
    }

    private Problem problem(DocumentId id) {
        return state.problem(question.workspace(), id, number).orElse(null);
    }

    private MapValue withOrigin(Problem problem, MapValue json) {
        return state.origin(question.workspace(), problem.documentOfPath(), number)
                .map(origin -> json.with("origin", origin))
                .orElse(json);
    }

    @Override
    public void close() {
        lease.close();
        if (shared != null) {
            question.earlier().leave(key(), shared);
            shared = null;
        }
    }
}
