package dev.strake.topology.observe;

import dev.strake.serdes.change.ChangeEnvelope;
import java.util.Collection;

/**
 * An observer of the outcomes of changes and of the statuses of workspaces.
 *
 * <p>Every call comes on the stream thread, within a transaction, and counts only once the thread commits. If the
 * thread aborts, its tasks are opened again with the content of their stores at that time, and all calls since the last
 * commit are void. An observer must not throw and has to be quick, because each change waits for it.
 */
public interface ChangeObserver {

    ChangeObserver NONE = new ChangeObserver() {};

    /**
     * A task begins to process. If the task was open before, this replaces everything reported about it.
     *
     * @param workspaces the statuses of all workspaces in its stores, after their last revisions
     */
    default void opened(int partition, Collection<WorkspaceStatus> workspaces) {}

    /** Work on a change begins. No other change begins before {@link #done} is called for this one. */
    default void begun(int partition, ChangeEnvelope change) {}

    /** A change has its outcome. */
    default void done(ProcessedChange change) {}

    /** Older revisions were pruned, so the history of a workspace begins later. */
    default void pruned(int partition, WorkspaceStatus status) {}

    /** A task is closed; it may be opened again, here or on another instance. */
    default void closed(int partition) {}
}
