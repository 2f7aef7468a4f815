package dev.strake.topology.store;

import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.workspace.Workspace;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What the tasks of an instance and readers on other threads know of each other: the heads that the tasks hold, and the
 * revisions that are being read. A head is immutable, so a reader may keep one for as long as it likes; the stream goes on
 * with later ones.
 *
 * <p>All tasks share the room for heads. Those used longest ago are dropped; the stores still have them.
 *
 * <p>A head may be of a change whose transaction is not committed yet, as everything that is read from the stores.
 */
public final class LiveHeads {

    private static final int PART_OF_HEAP = 4;

    private final ConcurrentMap<String, Workspace> heads = new ConcurrentHashMap<>();
    private final RevisionLeases leases = new RevisionLeases();
    private final BoundedCache<Key, Workspace> held;

    /** The workspace of a task. The task that a partition moves to opens its workspaces for itself. */
    private record Key(Heads task, String workspace) {

        @Override
        public int hashCode() {
            return TextHash.of(System.identityHashCode(task), TextHash.of(workspace));
        }
    }

    /** With as much room as the heap allows. */
    public LiveHeads() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** @param bytes of the heads of all tasks; one alone may take more */
    LiveHeads(long bytes) {
        held = new BoundedCache<>(bytes, (key, head) -> heads.remove(key.workspace(), head));
    }

    /** The revisions that are being read. */
    public RevisionLeases leases() {
        return leases;
    }

    /** The head of a workspace; empty if no task holds it at the moment. */
    public Optional<Workspace> get(String workspace) {
        return Optional.ofNullable(heads.get(workspace));
    }

    /** The head that a task holds; null if it holds none. */
    Workspace get(Heads task, String workspace) {
        return held.get(new Key(task, workspace));
    }

    void put(Heads task, String workspace, Workspace head, long bytes) {
        heads.put(workspace, head);
        held.put(new Key(task, workspace), head, bytes);
    }

    void removeAll(Heads task) {
        held.removeIf(key -> key.task() == task);
    }
}
