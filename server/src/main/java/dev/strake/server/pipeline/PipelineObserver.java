package dev.strake.server.pipeline;

import dev.strake.topology.observe.ChangeObserver;
import java.util.Optional;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Hears what a pipeline does: what becomes of changes, and whether that counts. All is told on the thread that processes,
 * but restoring, which has one of its own.
 */
public interface PipelineObserver extends ChangeObserver {

    PipelineObserver NONE = new PipelineObserver() {};

    /** What this thread processed since it last committed is visible to consumers from now on. */
    default void committed() {}

    /** What this thread processed since it last committed is undone. */
    default void aborted() {}

    /** A record of no workspace went to the dead letters. */
    default void deadLetter() {}

    /** Who hears how stores are restored; nobody if it is empty. */
    default Optional<StateRestoreListener> restores() {
        return Optional.empty();
    }
}
