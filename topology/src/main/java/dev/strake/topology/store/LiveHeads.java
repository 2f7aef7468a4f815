package dev.strake.topology.store;

import dev.strake.engine.workspace.Workspace;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What the tasks of an instance and readers on other threads know of each other: the heads that the tasks hold, and the
 * revisions that are being read. A head is immutable, so a reader may keep one for as long as it likes; the stream goes on
 * with later ones. A head is let go of together with its {@link Heads}.
 *
 * <p>A head may be of a change whose transaction is not committed yet, as everything that is read from the stores.
 */
public final class LiveHeads {

    private final ConcurrentMap<String, Workspace> heads = new ConcurrentHashMap<>();
    private final RevisionLeases leases = new RevisionLeases();

    /** The revisions that are being read. */
    public RevisionLeases leases() {
        return leases;
    }

    /** The head of a workspace; empty if no task holds it at the moment. */
    public Optional<Workspace> get(String workspace) {
        return Optional.ofNullable(heads.get(workspace));
    }

    void put(String workspace, Workspace head) {
        heads.put(workspace, head);
    }

    /* The task that the partition moves to may have put another one already. */
    void remove(String workspace, Workspace head) {
        heads.remove(workspace, head);
    }
}
