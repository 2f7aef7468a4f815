package dev.strake.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How long the changes of the ordinary publishers took, from being sent until a consumer saw their outcome. */
final class Latencies {

    private final Map<String, Deque<Instant>> sent = new ConcurrentHashMap<>();
    private final List<Took> all = Collections.synchronizedList(new ArrayList<>());

    /** A change that was answered: when it was sent, and how many milliseconds it took. */
    private record Took(Instant sent, long millis) {}

    /** A change is sent; one of the same id may have been before. */
    void sent(String id) {
        sent.compute(id, (same, times) -> {
            Deque<Instant> result = times == null ? new ArrayDeque<>() : times;
            result.add(Instant.now());
            return result;
        });
    }

    /** An outcome became visible. Of changes of one id, the first is taken to be answered first. */
    void seen(String id) {
        sent.computeIfPresent(id, (same, times) -> {
            Instant since = times.removeFirst();
            all.add(new Took(since, Duration.between(since, Instant.now()).toMillis()));
            return times.isEmpty() ? null : times;
        });
    }

    /** Those of changes that were sent within some time, shortest first. */
    Sorted between(Instant from, Instant to) {
        synchronized (all) {
            return new Sorted(
                    all.stream()
                            .filter(each ->
                                    !each.sent().isBefore(from) && each.sent().isBefore(to))
                            .map(Took::millis)
                            .sorted()
                            .toList(),
                    Duration.between(from, to));
        }
    }

    /** Milliseconds of the changes of some time. */
    record Sorted(List<Long> millis, Duration time) {

        /** What so many of a thousand changes did not exceed. */
        long of(int perMille) {
            return millis.get((int) Math.min(millis.size() - 1L, (long) millis.size() * perMille / 1_000));
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d changes (%.0f a second), p50 %,d ms, p90 %,d ms, p99 %,d ms, p99.9 %,d ms, at most %,d ms",
                    millis.size(),
                    millis.size() * 1_000.0 / time.toMillis(),
                    of(500),
                    of(900),
                    of(990),
                    of(999),
                    of(1_000));
        }
    }
}
