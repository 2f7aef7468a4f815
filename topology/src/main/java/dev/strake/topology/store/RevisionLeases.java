package dev.strake.topology.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tracks which revisions are being read, so that pruning defers their removal. A reader only loses entries if its own
 * revision is removed: entries that other revisions need remain.
 *
 * <pre>
 *  a reader      take ── is it kept? ── read … ── close
 *  pruning       mark as going, unless a reader took it ── remove its record ── unmark
 * </pre>
 *
 * Both use the same entry of a map. So pruning sees an earlier reader, and a later reader sees that the revision is
 * going, or that its record is gone.
 */
public final class RevisionLeases {

    private static final int GOING = -1;

    /** The number of readers of a revision, or {@link #GOING}. */
    private final ConcurrentMap<Key, Integer> readers = new ConcurrentHashMap<>();

    private record Key(String workspace, long revision) {}

    /** Marks revisions as being read until it is closed. Closing it again is a no-op. */
    public final class Lease implements AutoCloseable {

        private final List<Key> taken = new ArrayList<>();
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease() {}

        private void take(Key key) {
            readers.merge(key, 1, (count, one) -> {
                if (count == GOING) {
                    throw new RevisionGoneException(key.revision());
                }
                return count + one;
            });
            taken.add(key);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                taken.forEach(key -> readers.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1));
            }
        }
    }

    /**
     * Starts to read revisions. The caller has to check afterwards whether they are kept.
     *
     * @throws RevisionGoneException if one of them is being removed
     */
    public Lease take(String workspace, long... revisions) {
        Lease lease = new Lease();
        try {
            for (long revision : revisions) {
                lease.take(new Key(workspace, revision));
            }
            return lease;
        } catch (RevisionGoneException e) {
            lease.close();
            throw e;
        }
    }

    /**
     * Removes the record of a revision, unless the revision is being read.
     *
     * @param removal removes the record; no reader can start meanwhile
     * @return whether the record was removed
     */
    public boolean removeUnread(String workspace, long revision, Runnable removal) {
        Key key = new Key(workspace, revision);
        if (readers.putIfAbsent(key, GOING) != null) {
            return false;
        }
        try {
            removal.run();
            return true;
        } finally {
            readers.remove(key);
        }
    }
}
