package dev.strake.server.pipeline;

import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** Knows when state was last restored, and passes all on to whoever else hears of it. */
final class Restoring implements StateRestoreListener {

    private static final StateRestoreListener NOBODY = new StateRestoreListener() {
        @Override
        public void onRestoreStart(TopicPartition partition, String store, long from, long to) {}

        @Override
        public void onBatchRestored(TopicPartition partition, String store, long end, long records) {}

        @Override
        public void onRestoreEnd(TopicPartition partition, String store, long records) {}
    };

    private final StateRestoreListener next;
    private volatile long lastAt = System.nanoTime();

    Restoring(Optional<StateRestoreListener> next) {
        this.next = next.orElse(NOBODY);
    }

    /** Nanoseconds since something was last restored; since this was made if nothing ever was. */
    long nanosSinceLast() {
        return System.nanoTime() - lastAt;
    }

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long from, long to) {
        lastAt = System.nanoTime();
        next.onRestoreStart(partition, store, from, to);
    }

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long end, long records) {
        lastAt = System.nanoTime();
        next.onBatchRestored(partition, store, end, records);
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long records) {
        lastAt = System.nanoTime();
        next.onRestoreEnd(partition, store, records);
    }

    @Override
    public void onRestoreSuspended(TopicPartition partition, String store, long records) {
        next.onRestoreSuspended(partition, store, records);
    }
}
