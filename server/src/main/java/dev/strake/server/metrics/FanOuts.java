package dev.strake.server.metrics;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The largest fan-out of the last hour. Keeps only what can still become the largest: later ones, each smaller. */
final class FanOuts {

    private static final long KEPT_MILLIS = Duration.ofHours(1).toMillis();
    private static final long TOGETHER_MILLIS = Duration.ofMinutes(1).toMillis();

    private final Deque<FanOut> largest = new ArrayDeque<>();

    private record FanOut(int documents, long minute) {}

    synchronized void add(int documents, long now) {
        while (!largest.isEmpty() && largest.getLast().documents() <= documents) {
            largest.removeLast();
        }
        long minute = now / TOGETHER_MILLIS;
        // Within a minute the first largest one will do, so that there are 60 at the most.
        if (largest.isEmpty() || largest.getLast().minute() < minute) {
            largest.addLast(new FanOut(documents, minute));
        }
    }

    synchronized int largest(long now) {
        while (!largest.isEmpty() && largest.getFirst().minute() * TOGETHER_MILLIS < now - KEPT_MILLIS) {
            largest.removeFirst();
        }
        return largest.isEmpty() ? 0 : largest.getFirst().documents();
    }
}
