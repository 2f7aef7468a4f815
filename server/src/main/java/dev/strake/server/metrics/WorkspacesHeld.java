package dev.strake.server.metrics;

import dev.strake.topology.observe.WorkspaceStatus;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** How the workspaces stand that the tasks of this instance hold. Written by the threads that process, read by others. */
final class WorkspacesHeld {

    private final Map<Integer, Map<String, WorkspaceStatus>> byPartition = new ConcurrentHashMap<>();

    void opened(int partition, Collection<WorkspaceStatus> workspaces) {
        Map<String, WorkspaceStatus> all = new ConcurrentHashMap<>();
        workspaces.forEach(status -> all.put(status.workspace(), status));
        byPartition.put(partition, all);
    }

    void changed(int partition, WorkspaceStatus status) {
        byPartition.get(partition).put(status.workspace(), status);
    }

    void closed(int partition) {
        byPartition.remove(partition);
    }

    void forEach(Consumer<WorkspaceStatus> action) {
        byPartition.values().forEach(all -> all.values().forEach(action));
    }
}
