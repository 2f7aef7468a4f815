package dev.strake.server.state;

import dev.strake.engine.workspace.Workspace;
import dev.strake.server.http.RefusedException;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The graphs and contents of revisions, for as long as somebody reads them. Those who read the same one share it. There are only a few
 * earlier revisions at a time: the graph of each is read from the stores, and takes as much memory as that of a head.
 */
final class Derivations {

    private static final int MOST_EARLIER = 4;

    private final Map<Key, Shared> open = new HashMap<>();

    private record Key(String workspace, long revision) {}

    /** A revision as one of its readers has it; to be closed once. */
    record Lease(DerivedRevision revision, Runnable end) implements AutoCloseable {

        @Override
        public void close() {
            end.run();
        }
    }

    /**
     * Opens a revision.
     *
     * @throws RefusedException if there are too many other earlier ones
     */
    Lease open(WorkspaceQueries state, String workspace, long revision) {
        Optional<Workspace> head = state.openWithoutReading(workspace).filter(atHand -> atHand.revision() == revision);
        Key key = new Key(workspace, revision);
        Shared shared = join(key, head.isEmpty());
        try {
            DerivedRevision derived = shared.derived(() -> head.isPresent()
                    ? state.contents(workspace, head.get())
                    : state.at(workspace, revision).derived());
            return new Lease(derived, () -> leave(key, shared));
        } catch (RuntimeException | Error e) {
            leave(key, shared);
            throw e;
        }
    }

    Lease open(Reading reading) {
        return open(reading.state(), reading.question().workspace(), reading.number());
    }

    private synchronized Shared join(Key key, boolean isEarlier) {
        Shared shared = open.get(key);
        if (shared == null) {
            if (isEarlier
                    && open.values().stream().filter(each -> each.isEarlier).count() == MOST_EARLIER) {
                throw RefusedException.tryAgain(
                        "Busy", "Too many earlier revisions are being read. Ask again in a moment.");
            }
            shared = new Shared(isEarlier);
            open.put(key, shared);
        }
        shared.readers++;
        return shared;
    }

    private synchronized void leave(Key key, Shared shared) {
        if (--shared.readers == 0) {
            open.remove(key);
        }
    }

    private static final class Shared {

        private final boolean isEarlier;
        private int readers;
        private DerivedRevision derived;

        Shared(boolean isEarlier) {
            this.isEarlier = isEarlier;
        }

        /* The first one reads it, the others wait for that. */
        synchronized DerivedRevision derived(Supplier<DerivedRevision> reader) {
            if (derived == null) {
                derived = reader.get();
            }
            return derived;
        }
    }
}
