package dev.strake.topology.history;

import dev.strake.serdes.bytes.KeyReader;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.RevisionsLayout.Horizon;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.observe.ChangeWatch;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionHistory;
import dev.strake.topology.store.RevisionLeases;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Removes from the stores the revisions that retention does not keep, one after the other.
 *
 * <p>The record of a revision is removed first, so that no query reads the revision from then on. Then a
 * {@link RevisionSweep} removes the entries that only this revision needed. A revision is removed at once, because that
 * takes less work than making it. Nothing is committed within a step, so the horizon is written once, at its end.
 *
 * <p>A revision that is being read stays, with all later ones of its workspace, until pruning visits the workspace
 * again: with its next revision, or in {@link #scan}. History grows by a limited number of revisions while
 * pruning waits for readers. Beyond the limit, revisions are removed in spite of their readers, so history is bounded.
 */
public final class Pruning {

    /** The number of workspaces checked at a time for expired revisions. */
    private static final int WORKSPACES_PER_SCAN = 100;

    /** The number of revisions removed from one workspace before the next workspace gets its turn. */
    private static final int REMOVED_PER_TURN = 50;

    /** One superfluous revision may accumulate for every 64 kept ones. One turn removes all accumulated ones. */
    private static final int KEPT_PER_BATCHED = 64;

    /** The most superfluous revisions that accumulate in one workspace. */
    private static final int MOST_BATCHED = 16;

    /** The least number of revisions by which history may grow while pruning waits for readers. */
    private static final long LEAST_GROWTH = 100;

    /** As above, if revisions expire only by age. */
    private static final long LEAST_GROWTH_BY_AGE = 1_000;

    private final RevisionHistory history;
    private final Function<String, KeyValueStore<Bytes, byte[]>> stores;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final Retention retention;
    private final RevisionLeases leases;
    private final long gathered;
    private final long awaited;
    private final Step limit;
    private final ChangeWatch watch;

    /** Workspaces that may have revisions to prune. */
    private final Map<String, Tail> due = new LinkedHashMap<>();

    /**
     * Workspaces where pruning waits for readers. The value is the head when waiting began, plus the number of
     * revisions removed since. The head minus this value is the growth of history.
     */
    private final Map<String, Long> awaiting = new HashMap<>();

    private byte[] lookedAt = RevisionsLayout.horizonPrefix();

    /** The limits of one step: documents and time. When one of them is reached, no further revision is removed. */
    public record Step(int documents, long nanos) {

        /** So small that changes are hardly delayed. */
        public static final Step SHORT = new Step(500, 1_000_000);
    }

    /**
     * @param leases the revisions that are being read, whose removal is deferred
     */
    public Pruning(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            Retention retention,
            RevisionLeases leases,
            Step limit,
            ChangeWatch watch) {
        this.stores = stores;
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.history = new RevisionHistory(revisions);
        this.retention = retention;
        this.leases = leases;
        this.awaited = retention.revisions() == 0 ? LEAST_GROWTH_BY_AGE : Math.max(LEAST_GROWTH, retention.revisions());
        this.gathered = Math.max(1, Math.min(MOST_BATCHED, retention.revisions() / KEPT_PER_BATCHED));
        this.limit = limit;
        this.watch = watch;
    }

    /**
     * Adds a new revision. Every turn reads and writes the start of the history. A turn for a single revision would
     * cost twice as much as its removal, so several revisions accumulate first. If a workspace gets no more changes,
     * {@link #scan} finds the accumulated revisions.
     */
    public void made(String workspace, long revision) {
        if (revision == 1) {
            write(workspace, Horizon.NONE); // scan finds workspaces by their horizons
        }
        Tail tail = due.get(workspace);
        if (tail == null && retention.revisions() > 0 && revision > retention.revisions() && revision % gathered == 0) {
            tail = due(workspace);
        }
        if (tail != null) {
            tail.head = revision;
        }
    }

    /** Records that a revision no longer has any tags. */
    public void untagged(String workspace, long revision) {
        Horizon horizon = history.horizon(workspace);
        if (revision < horizon.first()) {
            write(workspace, horizon.at(revision, horizon.tagged()));
            due(workspace);
        }
    }

    private Tail due(String workspace) {
        return due.computeIfAbsent(workspace, Tail::new);
    }

    /** Records that a workspace was deleted: revisions before the given one are no longer needed. */
    public void deleted(String workspace, long revision) {
        Horizon horizon = history.horizon(workspace);
        long first = horizon.tagged() > 0 ? 1 : horizon.first();
        write(workspace, new Horizon(first, horizon.tagged(), revision, horizon.validated()));
        due(workspace);
    }

    /** Checks the next workspaces, including work begun before a restart. After the last one it starts again. */
    public void scan() {
        byte[] end = RevisionsLayout.horizonEnd();
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> horizons = revisions.range(Bytes.wrap(lookedAt), Bytes.wrap(end))) {
            for (; horizons.hasNext() && seen < WORKSPACES_PER_SCAN; seen++) {
                lookedAt = horizons.next().key.get();
                due(KeyReader.workspace(lookedAt));
            }
        }
        if (seen < WORKSPACES_PER_SCAN) {
            lookedAt = RevisionsLayout.horizonPrefix();
        }
    }

    public boolean isIdle() {
        return due.isEmpty();
    }

    /**
     * Performs one step, taking turns between workspaces.
     *
     * @param now the current time in milliseconds, which determines the expired revisions
     */
    public void step(long now) {
        Budget budget = new Budget(limit);
        while (!due.isEmpty() && budget.remains()) {
            Tail tail = due.remove(due.keySet().iterator().next());
            tail.prune(budget, now);
            if (!tail.isDone()) { // to the end of the queue, so that workspaces take turns
                due.put(tail.workspace, tail);
            }
        }
    }

    private void write(String workspace, Horizon horizon) {
        revisions.put(Bytes.wrap(RevisionsLayout.horizonKey(workspace)), RevisionsLayout.writeHorizon(horizon));
        watch.historyBegins(workspace, horizon.first());
    }

    /** The remaining limits of one step. */
    private static final class Budget {

        private final long until;
        private int documents;

        Budget(Step limits) {
            this.documents = limits.documents();
            this.until = System.nanoTime() + limits.nanos();
        }

        boolean remains() {
            return documents > 0 && System.nanoTime() < until;
        }

        void spend(int some) {
            documents -= some;
        }
    }

    /** The oldest part of a workspace's history. */
    private final class Tail {

        private final String workspace;
        private long head; // as set by made(); 0 if it must be read
        private Horizon horizon;
        private NumberedRevision oldest; // the revision at horizon.first(), if known from the last removal
        private boolean done;

        Tail(String workspace) {
            this.workspace = workspace;
        }

        boolean isDone() {
            return done;
        }

        /** Prunes for one turn. */
        void prune(Budget budget, long now) {
            Horizon before = history.horizon(workspace);
            horizon = before;
            oldest = null; // it may have been tagged since
            head = head == 0 ? history.lastRevision(workspace) : head;
            for (int gone = 0; gone < REMOVED_PER_TURN && budget.remains() && !done; gone++) {
                done = !removeNext(budget, now);
            }
            head = 0;
            if (!horizon.equals(before)) {
                write(workspace, horizon);
            }
        }

        /* Whether a revision was removed: not if the rest must be kept, or is being read. */
        private boolean removeNext(Budget budget, long now) {
            long tagged = horizon.tagged() < horizon.first()
                    ? horizon.tagged()
                    : history.revisionBelow(workspace, horizon.first());
            NumberedRevision revision = oldest == null ? history.revisionFrom(workspace, horizon.first()) : oldest;
            while (revision.number() < head) {
                NumberedRevision next = history.revisionFrom(workspace, revision.number() + 1);
                if (!isTooMuch(revision.number(), next.revision(), now)) {
                    break;
                }
                if (revision.number() < horizon.start()
                        || revision.revision().tags().isEmpty()) {
                    RevisionSweep sweep = new RevisionSweep(stores, workspace, tagged, revision, next);
                    boolean isRemoved = removeUnlessRead(revision.number(), sweep);
                    oldest = isRemoved ? next : revision;
                    horizon = horizon.at(oldest.number(), tagged);
                    budget.spend(isRemoved ? sweep.removeEntries(horizon.validated()) : 0);
                    return isRemoved;
                }
                tagged = revision.number();
                revision = next;
            }
            awaiting.remove(workspace);
            horizon = horizon.at(revision.number(), tagged);
            return false;
        }

        /* Whether the record was removed: not if the revision is being read and pruning still waits. */
        private boolean removeUnlessRead(long revision, RevisionSweep sweep) {
            boolean isRemoved = leases.removeUnread(workspace, revision, sweep::removeRecord);
            if (!isRemoved && !mayWait()) {
                sweep.removeRecord();
                isRemoved = true;
            }
            if (isRemoved) {
                awaiting.computeIfPresent(workspace, (same, since) -> since + 1);
            }
            return isRemoved;
        }

        private boolean mayWait() {
            return head - awaiting.computeIfAbsent(workspace, since -> head) < awaited;
        }

        /* The age of a revision is measured from its replacement by the next one: until then it was in use. */
        private boolean isTooMuch(long number, Revision next, long now) {
            return number < horizon.start()
                    || (retention.revisions() > 0 && number <= head - retention.revisions())
                    || (!retention.age().isZero()
                            && next.time() <= now - retention.age().toMillis());
        }
    }
}
