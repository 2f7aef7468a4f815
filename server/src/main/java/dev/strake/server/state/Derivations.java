package dev.strake.server.state;

import dev.strake.server.http.Yielding;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import java.util.HashMap;
import java.util.Map;

/** Revisions that are worked out again, for as long as somebody reads them. Those who read the same one share it. */
final class Derivations {

    private final Room room;
    private final Map<Key, Shared> open = new HashMap<>();

    private record Key(String workspace, long revision) {}

    Derivations(Room room) {
        this.room = room;
    }

    /** A revision as one of its readers has it; to be closed once. */
    final class Lease implements AutoCloseable {

        private final Key key;
        private final Shared shared;

        private Lease(Key key, Shared shared) {
            this.key = key;
            this.shared = shared;
        }

        DerivedRevision revision() {
            return shared.derived;
        }

        @Override
        public void close() {
            leave(key, shared);
        }
    }

    /**
     * Opens a revision.
     *
     * @param documents how many it has
     * @throws Room.FullException if there is no room for it now
     * @throws Yielding.TooManyException if somebody else is working on it, and too many wait for such already
     */
    Lease open(WorkspaceQueries state, String workspace, long revision, int documents) {
        Key key = new Key(workspace, revision);
        Shared shared;
        boolean isFirst;
        synchronized (open) {
            shared = open.get(key);
            isFirst = shared == null;
            if (isFirst) {
                long bytes = documents * Room.BYTES_TO_DERIVE;
                room.takeAtOnce(bytes);
                shared = new Shared(bytes);
                open.put(key, shared);
            }
            shared.readers++;
        }
        try {
            if (!isFirst && shared.derived == null) {
                Yielding.waitsForAnother();
            }
            shared.work(state, workspace, revision);
        } catch (RuntimeException | Error e) {
            leave(key, shared);
            throw e;
        }
        return new Lease(key, shared);
    }

    private void leave(Key key, Shared shared) {
        synchronized (open) {
            if (--shared.readers == 0) {
                open.remove(key);
                room.giveBack(shared.bytes);
            }
        }
    }

    private static final class Shared {

        private final long bytes;
        private int readers;
        private volatile DerivedRevision derived;

        Shared(long bytes) {
            this.bytes = bytes;
        }

        /* The first one works, the others wait for it. */
        synchronized void work(WorkspaceQueries state, String workspace, long revision) {
            if (derived == null) {
                // The head is mostly at hand. Only what is not has to be put together from all its documents.
                derived = state.openWithoutReading(workspace)
                        .filter(head -> head.revision() == revision)
                        .map(head -> state.contents(workspace, head))
                        .orElseGet(() -> state.at(workspace, revision).derived());
            }
        }
    }
}
