package dev.strake.topology.observe;

import dev.strake.serdes.change.ChangeEnvelope;
import java.util.Collection;

/**
 * Hears what becomes of changes, and how the workspaces stand that tasks hold.
 *
 * <p>Every call comes on the thread that processes, in the middle of a transaction: what it tells is true once that
 * thread commits. If it aborts, its tasks are opened anew with what the stores hold then, and what was told of them
 * since the last commit never was. An observer must not throw and has to be quick, as each change waits for it.
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
     * A change is taken up; nothing else is until it is told as processed.
     *
     * @return the {@code traceparent} that all records carry which come of this change; null for none
     */
    default String takenUp(int partition, ChangeEnvelope change) {
        return change.carried().traceparent();
    }

    /** A change has its outcome. */
    default void processed(ProcessedChange change) {}

    /** A workspace stands otherwise than before: it has another revision, or its history begins elsewhere. */
    default void changed(int partition, WorkspaceStatus status) {}

    /** Entries of pruned revisions were deleted from the stores. */
    default void pruned(int partition, int entries) {}

    /** A task processes no more, here and for now. */
    default void closed(int partition) {}
}
