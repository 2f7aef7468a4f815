package dev.strake.service.pipeline;

import dev.strake.topology.ChangeObserver;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Hears what a pipeline does: what becomes of changes, and whether that counts. Restoring is told on a thread of its own,
 * all the rest on the thread that processes.
 */
public interface PipelineObserver extends ChangeObserver, StateRestoreListener {

    PipelineObserver NONE = new PipelineObserver() {};

    /** What this thread processed since it last committed is visible to consumers from now on. */
    default void committed() {}

    /** What this thread processed since it last committed never was. */
    default void aborted() {}

    /** A record of no workspace went to the dead letters. */
    default void deadLetter() {}

    @Override
    default void onRestoreStart(TopicPartition changelog, String store, long from, long to) {}

    @Override
    default void onBatchRestored(TopicPartition changelog, String store, long upTo, long records) {}

    @Override
    default void onRestoreEnd(TopicPartition changelog, String store, long records) {}
}
