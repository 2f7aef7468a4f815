package dev.strake.server.pipeline;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * For how long each partition has stood still: an offset did not move though changes lie behind it. Only the time
 * between looks at a running pipeline counts, so that neither a restore nor a process that slept adds to it, and threads
 * that die again and again do.
 */
final class Progress {

    private final Map<Integer, Place> places = new TreeMap<>();
    private final Map<Integer, Duration> stood = new TreeMap<>();
    private Duration unanswered = Duration.ZERO;

    /**
     * Where a partition is.
     *
     * @param committed the offset of the first change that is not processed and committed; where it is asked what a
     *     publisher's transaction holds up, of the first one that cannot be read
     * @param end the offset behind the last change that can be read; or behind the last one
     */
    record Place(long committed, long end) {}

    /**
     * What stands still.
     *
     * @param partition of the changes; empty if it is Kafka that does not answer
     */
    record Standstill(Optional<Integer> partition, Place place, Duration time) {

        /** In words, as part of a sentence. */
        String words(String topic) {
            return partition
                    .map(number ->
                            "changes wait in partition %d of %s (at offset %d of %d), and none was processed for %d s"
                                    .formatted(number, topic, place.committed(), place.end(), time.toSeconds()))
                    .orElseGet(() -> "Kafka has not answered for %d s".formatted(time.toSeconds()));
        }
    }

    /**
     * Takes down one look at a running pipeline.
     *
     * @param now of the partitions that this instance works on
     * @param read those of them whose every change was read and committed: what is behind the committed offset are the
     *     ends of transactions, which are no changes
     * @param elapsed since the last look
     */
    synchronized void look(Map<Integer, Place> now, Set<Integer> read, Duration elapsed) {
        unanswered = Duration.ZERO;
        places.keySet().retainAll(now.keySet());
        stood.keySet().retainAll(now.keySet());
        now.forEach((partition, place) -> {
            Place before = places.put(partition, place);
            boolean waits = place.committed() < place.end() && !read.contains(partition);
            boolean stands = waits
                    && before != null
                    && before.committed() == place.committed()
                    && before.committed() < before.end();
            stood.put(
                    partition,
                    stands ? stood.getOrDefault(partition, Duration.ZERO).plus(elapsed) : Duration.ZERO);
        });
    }

    /** Takes down a look at which Kafka did not answer. */
    synchronized void unanswered(Duration elapsed) {
        unanswered = unanswered.plus(elapsed);
    }

    /** What has stood still for longest, if anything does. */
    synchronized Optional<Standstill> longest() {
        Optional<Standstill> partition = stood.entrySet().stream()
                .filter(each -> !each.getValue().isZero())
                .max(Map.Entry.comparingByValue())
                .map(each -> new Standstill(Optional.of(each.getKey()), places.get(each.getKey()), each.getValue()));
        if (unanswered.compareTo(partition.map(Standstill::time).orElse(Duration.ZERO)) > 0) {
            return Optional.of(new Standstill(Optional.empty(), new Place(0, 0), unanswered));
        }
        return partition;
    }
}
