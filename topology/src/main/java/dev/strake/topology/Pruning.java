package dev.strake.topology;

import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Horizon;
import dev.strake.topology.TopologySettings.Retention;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Takes revisions out of the stores that retention does not keep: one after the other, each in small steps.
 *
 * <p>The record of a revision goes first, so that nobody reads it from then on, and the horizon says that it is going;
 * then a {@link RevisionSweep} takes what it alone needed. Doing all of it again finds done what is done, so a crash
 * half-way costs nothing but the repetition.
 */
final class Pruning {

    /** Workspaces looked at in one go for revisions that grew too old. */
    private static final int LOOKED_AT_ONCE = 100;

    private final StateReader state;
    private final History history;
    private final Function<String, KeyValueStore<Bytes, byte[]>> stores;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final Retention retention;
    private final Step limit;
    private final ChangeWatch watch;

    /** Workspaces that may have something to prune, with the revision that is going or went last, if one is known. */
    private final Map<String, RevisionSweep> due = new LinkedHashMap<>();

    private byte[] lookedAt = RevisionsLayout.horizonPrefix();

    /** How much is done in one go: whichever of the two comes first. */
    record Step(int documents, long nanos) {}

    Pruning(Function<String, KeyValueStore<Bytes, byte[]>> stores, Retention retention, Step limit, ChangeWatch watch) {
        this.state = new StateReader(stores::apply);
        this.history = state.history();
        this.stores = stores;
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.retention = retention;
        this.limit = limit;
        this.watch = watch;
    }

    /** A workspace has a new revision. */
    void made(String workspace, long revision) {
        if (revision == 1) {
            write(workspace, Horizon.NONE); // by which workspaces are found when they are looked through
        }
        if (retention.revisions() > 0 && revision > retention.revisions()) {
            due.putIfAbsent(workspace, null);
        }
    }

    /** A revision has no tags any more. */
    void untagged(String workspace, long revision) {
        Horizon horizon = history.horizon(workspace);
        if (revision < horizon.first()) {
            write(workspace, new Horizon(revision, horizon.tagged(), horizon.going(), horizon.start()));
            due.putIfAbsent(workspace, null);
        }
    }

    /** A workspace was deleted: nothing before a revision counts any more. */
    void deleted(String workspace, long revision) {
        Horizon horizon = history.horizon(workspace);
        long first = horizon.tagged() > 0 ? 1 : horizon.first();
        write(workspace, new Horizon(first, horizon.tagged(), horizon.going(), revision));
        due.putIfAbsent(workspace, null);
    }

    /** Looks through the next workspaces, also for what was begun before a restart. After the last comes the first. */
    void lookThrough() {
        byte[] end = RevisionsLayout.horizonEnd();
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> horizons = revisions.range(Bytes.wrap(lookedAt), Bytes.wrap(end))) {
            for (; horizons.hasNext() && seen < LOOKED_AT_ONCE; seen++) {
                lookedAt = horizons.next().key.get();
                due.putIfAbsent(RevisionsLayout.workspace(lookedAt), null);
            }
        }
        if (seen < LOOKED_AT_ONCE) {
            lookedAt = RevisionsLayout.horizonPrefix();
        }
    }

    boolean isIdle() {
        return due.isEmpty();
    }

    /**
     * Does one step, going from workspace to workspace.
     *
     * @param now in milliseconds; decides what is too old
     */
    void step(long now) {
        RevisionSweep.Budget budget = new RevisionSweep.Budget(limit.documents(), limit.nanos());
        int removed = 0;
        while (!due.isEmpty() && budget.remains()) {
            String workspace = due.keySet().iterator().next();
            RevisionSweep last = due.remove(workspace);
            RevisionSweep sweep = last == null || last.isDone() ? begin(workspace, last, now) : last;
            if (sweep != null) { // to the end of the line, so that none waits for another's long history
                sweep.run(budget);
                removed += sweep.takeRemoved();
                due.put(workspace, sweep);
            }
        }
        watch.pruned(removed);
    }

    /*
     * The next revision to go: goes from here on. Null if all that is there has to stay. That the last one is gone is
     * written down with this, and not by itself: after a crash it is gone over once more.
     */
    private RevisionSweep begin(String workspace, RevisionSweep last, long now) {
        Horizon horizon = history.horizon(workspace);
        if (horizon.going() > 0 && (last == null || last.revision() != horizon.going())) {
            return new RevisionSweep(stores, state, workspace, horizon.tagged(), horizon.going());
        }
        long head = history.lastRevision(workspace);
        long tagged = horizon.tagged() < horizon.first()
                ? horizon.tagged()
                : history.revisionBelow(workspace, horizon.first());
        long revision = history.revisionFrom(workspace, horizon.first());
        while (revision < head && isTooMuch(workspace, revision, head, horizon.start(), now)) {
            if (revision >= horizon.start()
                    && !history.revision(workspace, revision).tags().isEmpty()) {
                tagged = revision;
                revision = history.revisionFrom(workspace, revision + 1);
            } else {
                write(workspace, new Horizon(revision + 1, tagged, revision, horizon.start()));
                RevisionSweep.delete(revisions, Bytes.wrap(RevisionsLayout.key(workspace, revision)));
                return new RevisionSweep(stores, state, workspace, tagged, revision);
            }
        }
        Horizon seen = new Horizon(revision, tagged, 0, horizon.start());
        if (!seen.equals(horizon)) {
            write(workspace, seen);
        }
        return null;
    }

    /* By age, a revision counts from when another took its place: until then it was what everybody used. */
    private boolean isTooMuch(String workspace, long revision, long head, long start, long now) {
        if (revision < start || (retention.revisions() > 0 && revision <= head - retention.revisions())) {
            return true;
        }
        if (retention.age().isZero()) {
            return false;
        }
        long replacedBy = history.revisionFrom(workspace, revision + 1);
        return history.revision(workspace, replacedBy).time()
                <= now - retention.age().toMillis();
    }

    private void write(String workspace, Horizon horizon) {
        revisions.put(Bytes.wrap(RevisionsLayout.horizonKey(workspace)), RevisionsLayout.writeHorizon(horizon));
        watch.historyBegins(workspace, horizon.first());
    }
}
