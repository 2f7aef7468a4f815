package dev.strake.topology.history;

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
 * <p>The record of a revision is removed first, so that no query reads it from then on. Then a {@link RevisionSweep}
 * removes the entries that only this revision needed. A revision is removed as a whole, because that takes less than making
 * it took. Nothing is committed within a step, so the horizon is written once, at its end.
 *
 * <p>A revision that is being read stays, and so do all later ones of its workspace, until pruning looks at the workspace
 * again: with its next revision, or when its turn comes to be {@linkplain #lookThrough looked at}. But history grows only
 * by so much while readers are waited for; beyond that a revision goes whoever reads it. So history is bounded.
 */
public final class Pruning {

    /** Number of workspaces that are checked at a time for revisions that have become too old. */
    private static final int LOOKED_AT_ONCE = 100;

    /** Number of revisions of one workspace that are removed before it is the next workspace's turn. */
    private static final int GO_AT_ONCE = 50;

    /** For every 64 kept revisions, one superfluous revision may gather. Gathered revisions are removed in one turn. */
    private static final int KEPT_FOR_EACH = 64;

    /** The most superfluous revisions of one workspace that gather. */
    private static final int MOST_GATHERED = 16;

    /** By so many revisions, at least, history may grow while superfluous ones are read. */
    private static final long LEAST_AWAITED = 100;

    /** The same where only the age counts. */
    private static final long AWAITED_BY_AGE = 1_000;

    private final RevisionHistory history;
    private final Function<String, KeyValueStore<Bytes, byte[]>> stores;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final Retention retention;
    private final RevisionLeases leases;
    private final long gathered;
    private final long awaited;
    private final Step limit;
    private final ChangeWatch watch;

    /** Workspaces that may have something to prune. */
    private final Map<String, Tail> due = new LinkedHashMap<>();

    /**
     * Workspaces where pruning has waited for readers since it last came to an end. By what the head is beyond the value,
     * history has grown since: each new revision makes it longer, each one that is removed shorter.
     */
    private final Map<String, Long> awaiting = new HashMap<>();

    private byte[] lookedAt = RevisionsLayout.horizonPrefix();

    /** The limits of one step: documents and time. No other revision is begun when one of them is reached. */
    public record Step(int documents, long nanos) {

        /** So little that changes hardly wait for it. */
        public static final Step SHORT = new Step(500, 1_000_000);
    }

    /**
     * @param leases the revisions that are being read: they stay for a while
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
        this.awaited = retention.revisions() == 0 ? AWAITED_BY_AGE : Math.max(LEAST_AWAITED, retention.revisions());
        this.gathered = Math.max(1, Math.min(MOST_GATHERED, retention.revisions() / KEPT_FOR_EACH));
        this.limit = limit;
        this.watch = watch;
    }

    /**
     * Notes that a workspace has a new revision. Every turn reads and writes the start of the history. A turn for a
     * single revision would cost twice as much as its removal, so several revisions gather first. If a workspace gets
     * no more changes, {@link #lookThrough} finds the revisions that have gathered.
     */
    public void made(String workspace, long revision) {
        if (revision == 1) {
            write(workspace, Horizon.NONE); // lookThrough finds workspaces by their horizons
        }
        Tail tail = due.get(workspace);
        if (tail == null && retention.revisions() > 0 && revision > retention.revisions() && revision % gathered == 0) {
            tail = due(workspace);
        }
        if (tail != null) {
            tail.head = revision;
        }
    }

    /** Notes that a revision no longer has any tags. */
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

    /** Notes that a workspace was deleted: revisions before the given one are no longer needed. */
    public void deleted(String workspace, long revision) {
        Horizon horizon = history.horizon(workspace);
        long first = horizon.tagged() > 0 ? 1 : horizon.first();
        write(workspace, new Horizon(first, horizon.tagged(), revision, horizon.validated()));
        due(workspace);
    }

    /** Checks the next workspaces, also for work begun before a restart. After the last one it starts again. */
    public void lookThrough() {
        byte[] end = RevisionsLayout.horizonEnd();
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> horizons = revisions.range(Bytes.wrap(lookedAt), Bytes.wrap(end))) {
            for (; horizons.hasNext() && seen < LOOKED_AT_ONCE; seen++) {
                lookedAt = horizons.next().key.get();
                due(RevisionsLayout.workspace(lookedAt));
            }
        }
        if (seen < LOOKED_AT_ONCE) {
            lookedAt = RevisionsLayout.horizonPrefix();
        }
    }

    public boolean isIdle() {
        return due.isEmpty();
    }

    /**
     * Does one step, going from workspace to workspace.
     *
     * @param now the time in milliseconds, which decides which revisions are too old
     */
    public void step(long now) {
        Budget budget = new Budget(limit);
        while (!due.isEmpty() && budget.remains()) {
            Tail tail = due.remove(due.keySet().iterator().next());
            tail.prune(budget, now);
            if (!tail.isDone()) { // to the end of the queue: no workspace waits for the long history of another
                due.put(tail.workspace, tail);
            }
        }
    }

    private void write(String workspace, Horizon horizon) {
        revisions.put(Bytes.wrap(RevisionsLayout.horizonKey(workspace)), RevisionsLayout.writeHorizon(horizon));
        watch.historyBegins(workspace, horizon.first());
    }

    /** What is left of the limits of one step. */
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

    /** The old end of a workspace's history. */
    private final class Tail {

        private final String workspace;
        private long head; // as made() set it; 0 if it has to be read
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
            oldest = null; // may have been tagged since
            head = head == 0 ? history.lastRevision(workspace) : head;
            for (int gone = 0; gone < GO_AT_ONCE && budget.remains() && !done; gone++) {
                done = !removeNext(budget, now);
            }
            head = 0;
            if (!horizon.equals(before)) {
                write(workspace, horizon);
            }
        }

        /* Whether a revision was removed: not if all that remain have to stay, or have to be awaited. */
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

        /* Whether the record was removed: not if the revision is being read, and that is awaited. */
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

        /* The age of a revision counts from when the next one replaced it: until then it was in use. */
        private boolean isTooMuch(long number, Revision next, long now) {
            return number < horizon.start()
                    || (retention.revisions() > 0 && number <= head - retention.revisions())
                    || (!retention.age().isZero()
                            && next.time() <= now - retention.age().toMillis());
        }
    }
}
