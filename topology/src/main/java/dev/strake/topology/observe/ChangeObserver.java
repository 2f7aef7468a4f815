package dev.strake.topology.observe;

import dev.strake.serdes.change.ChangeEnvelope;
import java.util.Collection;

/**
 * Is told how changes are answered, and how the workspaces of tasks stand.
 *
 * <p>Every call comes on the stream thread, within a transaction: it counts only once that thread commits. If the thread
 * aborts, its tasks are opened again with what the stores hold then, and everything told since the last commit is void.
 * An observer must not throw and has to be quick, because each change waits for it.
 */
public interface ChangeObserver {

    ChangeObserver NONE = new ChangeObserver() {};

    /**
     * A task begins to process. For a task that was open before, this takes the place of all that was told of it.
     *
     * @param workspaces all that its stores hold, as their last revisions left them
     */
    default void opened(int partition, Collection<WorkspaceStatus> workspaces) {}

    /**
     * Work on a change begins; no other change is begun until this one is told as processed.
     *
     * @return the {@code traceparent} that all records of this change carry; null for none
     */
    default String takenUp(int partition, ChangeEnvelope change) {
        return change.carried().traceparent();
    }

    /** A change has its outcome. */
    default void processed(ProcessedChange change) {}

    /** The status of a workspace has changed: it has a new revision, or its history begins at another one. */
    default void changed(int partition, WorkspaceStatus status) {}

    /** Entries of pruned revisions were deleted from the stores. */
    default void pruned(int partition, int entries) {}

    /** A task is closed; it may be opened again, here or on another instance. */
    default void closed(int partition) {}
}
