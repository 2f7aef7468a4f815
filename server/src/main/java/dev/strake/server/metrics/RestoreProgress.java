package dev.strake.server.metrics;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** The number of records left to restore, and how long stores have been restoring. */
final class RestoreProgress implements StateRestoreListener {

    private final Clock clock;
    private final Map<TopicPartition, Restore> restores = new ConcurrentHashMap<>();

    RestoreProgress(Clock clock) {
        this.clock = clock;
    }

    /** The restoration of a changelog: its start in milliseconds, the end offset, and the number of records left. */
    private record Restore(long since, long end, long left) {}

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long from, long to) {
        restores.put(changelog, new Restore(clock.millis(), to, to - from));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long upTo, long records) {
        restores.computeIfPresent(
                changelog, (key, before) -> new Restore(before.since(), before.end(), before.end() - upTo - 1));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {
        restores.remove(changelog);
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
        restores.remove(changelog); // another instance continues
    }

    long recordsLeft() {
        return restores.values().stream().mapToLong(Restore::left).sum();
    }

    double seconds() {
        long now = clock.millis();
        return restores.values().stream()
                        .mapToLong(restore -> now - restore.since())
                        .max()
                        .orElse(0)
                / 1e3;
    }
}
