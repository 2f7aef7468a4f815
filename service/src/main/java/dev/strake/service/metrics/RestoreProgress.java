package dev.strake.service.metrics;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** What is left to restore of each store and partition, and for how long it has been going on. */
final class RestoreProgress implements StateRestoreListener {

    private final Clock clock;
    private final Map<Part, Restore> restores = new ConcurrentHashMap<>();

    RestoreProgress(Clock clock) {
        this.clock = clock;
    }

    /** A store in one partition. */
    record Part(String store, int partition) {}

    /** Where it is: the next offset and the end of the changelog; since when, or 0 if it is done. */
    private record Restore(long at, long end, long since) {}

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long from, long to) {
        restores.put(part(changelog, store), new Restore(from, to, clock.millis()));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long upTo, long records) {
        restores.computeIfPresent(
                part(changelog, store), (part, before) -> new Restore(upTo + 1, before.end(), before.since()));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {
        restores.computeIfPresent(part(changelog, store), (part, before) -> new Restore(before.end(), before.end(), 0));
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
        restores.remove(part(changelog, store)); // another instance goes on with it
    }

    private static Part part(TopicPartition changelog, String store) {
        return new Part(store, changelog.partition());
    }

    /** A task is elsewhere now. */
    void closed(int partition) {
        restores.keySet().removeIf(part -> part.partition() == partition);
    }

    void forEachRemaining(ObjLongConsumer<Part> action) {
        restores.forEach((part, restore) -> action.accept(part, Math.max(0, restore.end() - restore.at())));
    }

    /** How long the oldest restore has taken that is not done, in seconds; 0 if there is none. */
    double seconds() {
        long now = clock.millis();
        return restores.values().stream()
                        .filter(restore -> restore.since() > 0)
                        .mapToLong(restore -> now - restore.since())
                        .max()
                        .orElse(0)
                / 1e3;
    }
}
