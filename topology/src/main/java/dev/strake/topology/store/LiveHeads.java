package dev.strake.topology.store;

import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.workspace.Workspace;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The state shared between the tasks of an instance and readers on other threads: the heads that tasks hold, and the
 * revisions that are being read. A head is immutable, so a reader may keep one for any time, while the stream continues
 * with later ones.
 *
 * <p>All tasks share the memory for heads. The least recently used heads are evicted; they stay in the stores.
 *
 * <p>The transaction of a head may not be committed yet; the same applies to everything read from the stores.
 */
public final class LiveHeads {

    private static final int PART_OF_HEAP = 4;

    private final ConcurrentMap<String, Workspace> heads = new ConcurrentHashMap<>();
    private final RevisionLeases leases = new RevisionLeases();
    private final BoundedCache<Key, Workspace> held;

    /** A workspace of a task. If a partition moves to another task, that task opens the workspaces itself. */
    private record Key(Heads task, String workspace) {

        @Override
        public int hashCode() {
            return TextHash.of(System.identityHashCode(task), TextHash.of(workspace));
        }
    }

    /** Limits the heads to a part of the heap. */
    public LiveHeads() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** @param bytes the size limit of the heads of all tasks; a single larger head is accepted */
    LiveHeads(long bytes) {
        held = new BoundedCache<>(bytes, (key, head) -> heads.remove(key.workspace(), head));
    }

    /** The revisions that are being read. */
    public RevisionLeases leases() {
        return leases;
    }

    /** Returns the head of a workspace; empty if no task currently holds it. */
    public Optional<Workspace> get(String workspace) {
        return Optional.ofNullable(heads.get(workspace));
    }

    /** Returns the head that a task holds; null if the task does not hold it. */
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
