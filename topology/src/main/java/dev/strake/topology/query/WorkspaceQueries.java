package dev.strake.topology.query;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.ChangesLayout.Applied;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.LiveHeads;
import dev.strake.topology.store.PastEdits;
import dev.strake.topology.store.PublishedRecords;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionHistory;
import dev.strake.topology.store.RevisionLeases;
import dev.strake.topology.store.StateReader;
import dev.strake.topology.store.StoredRevision;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Answers queries about the head or any earlier revision of a workspace, from the stores of the local tasks. Queries
 * may run concurrently with the stream, and may be ahead of consumers by one commit.
 */
public final class WorkspaceQueries {

    private final Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores;
    private final StateReader state;
    private final RevisionHistory history;
    private final LiveHeads live;

    /**
     * Creates queries over the stores of a topology.
     *
     * @param stores returns the store with a given name, over all local tasks
     * @param live the heads that these tasks may hold in memory
     * @param keys decrypt secrets
     */
    public WorkspaceQueries(
            Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores, LiveHeads live, InstalledKeys keys) {
        this.stores = stores;
        this.state = new StateReader(stores, keys);
        this.history = state.history();
        this.live = live;
    }

    /** The revisions of workspaces. */
    public RevisionHistory history() {
        return history;
    }

    /** The result of an applied change; empty if no change has this id, or if the id is forgotten. */
    public Optional<Applied> applied(String workspace, String changeId) {
        byte[] key = ChangesLayout.appliedKey(workspace, changeId);
        byte[] value = stores.apply(ChangesLayout.STORE).get(Bytes.wrap(key));
        return Optional.ofNullable(value).map(bytes -> ChangesLayout.readApplied(key, bytes));
    }

    /**
     * Returns the head of a workspace, for example for a dry run. A head that no task holds in memory is read from the
     * stores.
     */
    public Workspace open(String workspace) {
        return openWithoutReading(workspace).orElseGet(() -> {
            try {
                return state.open(workspace);
            } catch (UnreadableStoreException e) {
                // While the stream writes, the stores are inconsistent; but then a task holds the head.
                return openWithoutReading(workspace).orElseThrow(() -> e);
            }
        });
    }

    /** The head of a workspace, if a task holds it in memory. */
    public Optional<Workspace> openWithoutReading(String workspace) {
        return live.get(workspace);
    }

    /** Returns a head as the base of a preview. */
    public Preview.Base base(String workspace, Workspace head) {
        return new Preview.Base(head, contents(workspace, head), new PublishedRecords(state, workspace, head));
    }

    /** The documents of a head, and their rendered data. */
    public DerivedRevision contents(String workspace, Workspace head) {
        return new DerivedRevision(head.graph(), state, workspace, head.revision());
    }

    /**
     * Returns the edits from a head back to the documents of a revision.
     *
     * @throws RejectedChangeException if the revision does not exist, or is not kept
     */
    public Map<DocumentId, Edit> editsBackTo(String workspace, Workspace head, long revision)
            throws RejectedChangeException {
        return new PastEdits(state, workspace).back(head, revision);
    }

    /**
     * Returns the edits from one revision to a later one.
     *
     * @throws RejectedChangeException if the later revision does not exist, or is not kept
     */
    public Map<DocumentId, Edit> editsBetween(String workspace, long earlier, long later)
            throws RejectedChangeException {
        return new PastEdits(state, workspace).between(earlier, later);
    }

    /**
     * Starts to read revisions: they stay until the lease is closed, unless too many revisions follow meanwhile.
     *
     * @throws RevisionGoneException if one of them is not kept
     */
    public RevisionLeases.Lease read(String workspace, long... revisions) {
        RevisionLeases.Lease lease = live.leases().take(workspace, revisions);
        try {
            for (long revision : revisions) {
                if (!history.isKept(workspace, revision)) {
                    throw new RevisionGoneException(revision);
                }
            }
            return lease;
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    /** A document of a revision as published; empty if the revision does not have it. */
    public Optional<MapValue> document(String workspace, DocumentId id, long revision) {
        return entry(workspace, id, revision).map(entry -> entry.document().tree());
    }

    /** Where the author keeps a document of a revision; empty if the author did not say, or if there is none. */
    public Optional<String> origin(String workspace, DocumentId id, long revision) {
        return entry(workspace, id, revision).flatMap(entry -> entry.document().origin());
    }

    /** A document of a revision as published, with its bucket and revision; empty if the revision does not have it. */
    public Optional<DocumentsLayout.Entry> entry(String workspace, DocumentId id, long revision) {
        return Optional.of(state.documentAsOf(workspace, id, revision)).filter(entry -> !entry.isRemoved());
    }

    /** Returns a revision that is read document by document, because workspaces may be larger than the heap. */
    public StoredRevision at(String workspace, long revision) {
        return new StoredRevision(state, workspace, revision);
    }

    /** The number of documents of a revision in each bucket. */
    public SortedMap<String, Integer> buckets(String workspace, long revision) {
        SortedMap<String, Integer> result = new TreeMap<>();
        try (Stream<Read<DocumentsLayout.Entry>> all = at(workspace, revision).documents(null)) {
            all.forEach(read -> result.merge(read.entry().bucket(), 1, Integer::sum));
        }
        return result;
    }

    /**
     * The rendered documents of a revision, each with its published document or owner.
     *
     * @param derived the rendered documents of the same revision
     */
    public RenderedWhole whole(String workspace, long revision, DerivedRevision derived) {
        return new RenderedWhole(at(workspace, revision), derived, id -> state.documentAsOf(workspace, id, revision));
    }

    /**
     * The number of problems of a revision, and the first cause.
     *
     * @param most the largest number of documents' problems to read
     */
    public Trouble trouble(String workspace, long revision, int most) {
        try (Stream<Read<Rendering>> all = at(workspace, revision).renderings(null)) {
            return Trouble.of(
                    wholeProblem(workspace, revision),
                    all.map(read -> read.entry().problem()).filter(Objects::nonNull),
                    most,
                    id -> problem(workspace, id, revision));
        }
    }

    /**
     * The problems of a revision, causes before their consequences.
     *
     * @param most the largest number of documents' problems to read
     */
    public List<Problem> problems(String workspace, long revision, int most) {
        try (Stream<Read<Rendering>> all = at(workspace, revision).renderings(null)) {
            return Trouble.causesFirst(
                    wholeProblem(workspace, revision),
                    all.map(read -> read.entry().problem()).filter(Objects::nonNull),
                    most);
        }
    }

    /**
     * The documents of the head that are not published because of a problem.
     *
     * @param head the number of the head, with a {@linkplain #read lease}
     * @param most the largest number of documents to name
     * @throws RevisionGoneException if the head has changed, and what consumers saw before is unknown
     */
    public HeldBack heldBack(String workspace, long head, int most) {
        // The stores only contain what consumers see now. If the workspace changes, its head is in memory, and a
        // head is immutable.
        Optional<Workspace> atHand = openWithoutReading(workspace).filter(itself -> itself.revision() == head);
        HeldBack found;
        try (Stream<Read<Rendering>> all = at(workspace, head).renderings(null)) {
            found = HeldBack.of(
                    all,
                    key -> atHand.map(itself -> itself.holdings().held(key))
                            .orElseGet(() -> state.held(workspace, key)),
                    most);
        }
        if (atHand.isEmpty() && history.lastRevision(workspace) != head) {
            throw new RevisionGoneException(head);
        }
        return found;
    }

    /** The problem of a document in a revision; empty if it renders. */
    public Optional<Problem> problem(String workspace, DocumentId id, long revision) {
        return Optional.ofNullable(state.renderingAsOf(workspace, id, revision).problem());
    }

    /** The revision that last changed a document, as of another revision; empty if it does not exist there. */
    public Optional<Long> documentSince(String workspace, DocumentId id, long revision) {
        return entry(workspace, id, revision).map(DocumentsLayout.Entry::since);
    }

    public Optional<Problem> wholeProblem(String workspace, long revision) {
        try (Stream<Read<Rendering>> all = at(workspace, revision).renderings(null)) {
            boolean[] found = new boolean[2];
            all.takeWhile(read -> !found[1]).forEach(read -> {
                found[0] = true;
                found[1] = Kind.isPolicy(read.id().schema());
            });
            return Optional.ofNullable(Workspace.wholeProblem(found[0], found[1]));
        }
    }

    /**
     * The differences between two revisions. Only reads documents that were touched in between.
     *
     * @param wanted selects the documents to compare
     * @param held called before each document is read; its exception stops the comparison
     * @throws RevisionGoneException if one of the two was pruned meanwhile
     */
    public Differences diff(String workspace, long from, long to, Predicate<DocumentId> wanted, Runnable held) {
        return new TwoRevisions(state, workspace, from, to).differences(wanted, held);
    }

    /** The owner of a derived document in a revision; empty if it is not derived, or in trouble. */
    public Optional<DocumentId> owner(String workspace, DocumentKey key, long revision) {
        return Optional.ofNullable(state.derivedAsOf(workspace, key, revision).owner());
    }
}
