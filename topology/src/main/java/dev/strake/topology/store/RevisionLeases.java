package dev.strake.topology.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Which revisions are being read, so that pruning lets them stay until they are read. Only the removal of a revision itself
 * takes something away from its readers: what other revisions need as well stays whenever one of them is removed.
 *
 * <pre>
 *  a reader      take ── is it kept? ── read … ── close
 *  pruning       mark as going, unless somebody took it ── remove its record ── unmark
 * </pre>
 *
 * Both use the same entry of a map. So pruning sees a reader that came before, and a reader that came later sees that the
 * revision is going, or that its record is gone.
 */
public final class RevisionLeases {

    private static final int GOING = -1;

    /** How many readers a revision has, or that it is going. */
    private final ConcurrentMap<Key, Integer> readers = new ConcurrentHashMap<>();

    private record Key(String workspace, long revision) {}

    /** Somebody reads revisions until this is closed. To close it again does nothing. */
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
     * Begins to read revisions. Whether they are kept has to be asked afterwards.
     *
     * @throws RevisionGoneException if one is going just now
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
     * Removes the record of a revision, unless somebody reads the revision.
     *
     * @param removal nobody begins to read the revision while it works
     * @return whether it was removed
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
