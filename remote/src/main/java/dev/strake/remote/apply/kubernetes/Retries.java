package dev.strake.remote.apply.kubernetes;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Schedules retries with exponential backoff, from 1 s to 1 min, and never earlier than the server asks. */
final class Retries<K> {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Map<K, Retry> waiting = new HashMap<>();

    private record Retry(long at, Duration pause) {}

    /** Plans a retry after a failure, the first or a repeated one. */
    void failed(K what, Duration atLeast) {
        Retry before = waiting.get(what);
        Duration pause = before == null ? FIRST : shorter(before.pause().multipliedBy(2), LONGEST);
        Duration wait = atLeast.compareTo(pause) > 0 ? atLeast : pause;
        waiting.put(what, new Retry(System.nanoTime() + wait.toNanos(), pause));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Cancels the retry: it succeeded, or is no longer wanted. */
    void done(K what) {
        waiting.remove(what);
    }

    boolean isDue(K what) {
        Retry retry = waiting.get(what);
        return retry != null && System.nanoTime() - retry.at() >= 0;
    }

    int size() {
        return waiting.size();
    }

    void clear() {
        waiting.clear();
    }
}
