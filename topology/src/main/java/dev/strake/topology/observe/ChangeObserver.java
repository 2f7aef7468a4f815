package dev.strake.topology.observe;

import dev.strake.serdes.change.ChangeEnvelope;
import java.util.Collection;

/**
 * An observer of the outcomes of changes and of the statuses of workspaces.
 *
 * <p>The stream thread makes every call within a transaction, and a call is valid only once the thread commits. If the
 * thread aborts, its tasks are opened again with the committed content of their stores, and all calls since the last
 * commit are void. An observer must not throw, and must be quick, because each change waits for it.
 */
public interface ChangeObserver {

    ChangeObserver NONE = new ChangeObserver() {};

    /**
     * A task starts to process. If the task was open before, this call replaces everything reported about it.
     *
     * @param workspaces the statuses of all workspaces in its stores, after their last revisions
     */
    default void opened(int partition, Collection<WorkspaceStatus> workspaces) {}

    /** A change starts. No other change starts before {@link #done} is called for this one. */
    default void begun(int partition, ChangeEnvelope change) {}

    /** A change has its outcome. */
    default void done(ProcessedChange change) {}

    /** Older revisions were pruned, so the history of a workspace starts later. */
    default void pruned(int partition, WorkspaceStatus status) {}

    /** A task is closed; this or another instance may open it again. */
    default void closed(int partition) {}
}
