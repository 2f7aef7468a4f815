package dev.strake.server.metrics;

import java.time.Clock;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Where it is: the first offset, the next one and the end of the changelog; since when, or 0 if it is done. */
    private record Restore(long from, long at, long end, long since) {

        long remaining() {
            return Math.max(0, end - at);
        }

        String words(Part part, long now) {
            String words = "store %s of partition %d: %,d of %,d records"
                    .formatted(part.store(), part.partition(), at - from, end - from);
            long millis = now - since;
            if (at <= from || millis <= 0) {
                return words;
            }
            return words + ", about %d s left".formatted(Math.round(1e-3 * millis * remaining() / (at - from)));
        }
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long from, long to) {
        restores.put(part(changelog, store), new Restore(from, from, to, clock.millis()));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long upTo, long records) {
        restores.computeIfPresent(
                part(changelog, store),
                (part, before) -> new Restore(before.from(), upTo + 1, before.end(), before.since()));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {
        restores.computeIfPresent(
                part(changelog, store), (part, before) -> new Restore(before.from(), before.end(), before.end(), 0));
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

    /** The store that has most left to restore, for people to read; nothing if there is none. */
    Optional<String> words() {
        long now = clock.millis();
        return restores.entrySet().stream()
                .filter(each -> each.getValue().since() > 0)
                .max(Comparator.comparingLong(each -> each.getValue().remaining()))
                .map(each -> each.getValue().words(each.getKey(), now));
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
