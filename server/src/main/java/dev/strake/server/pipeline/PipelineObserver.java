package dev.strake.server.pipeline;

import dev.strake.topology.observe.ChangeObserver;
import java.util.Optional;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Observes a pipeline: the outcome of changes, and whether they are committed. Called on the processing threads, except
 * for restoration, which has its own thread.
 */
public interface PipelineObserver extends ChangeObserver {

    PipelineObserver NONE = new PipelineObserver() {};

    /** The changes that this thread processed since its last commit are now visible to consumers. */
    default void committed() {}

    /** The changes that this thread processed since its last commit are undone. */
    default void aborted() {}

    /** A record without a workspace was sent to the dead letters. */
    default void deadLetter() {}

    /** Returns the listener for the restoration of stores, if any. */
    default Optional<StateRestoreListener> restores() {
        return Optional.empty();
    }
}
