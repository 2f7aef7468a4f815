package dev.strake.server.metrics;

import dev.strake.serdes.outcome.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The latencies of the last revisions that this process made, from the start of processing to the commit. They are kept
 * only in memory, because stored and published data has to be the same in every run.
 */
public final class Latencies {

    private static final int KEPT = 10_000;

    private final Map<Key, Long> millis = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
            return size() > KEPT;
        }
    };

    private record Key(String workspace, long revision) {}

    synchronized void committed(Outcome outcome, long now) {
        if (outcome.status().isOfRevision()) {
            millis.put(
                    new Key(outcome.workspace(), outcome.revision()),
                    Math.max(0, now - outcome.time().toEpochMilli()));
        }
    }

    /** Returns the latency in milliseconds; empty if another process made the revision, or if it is too old. */
    public synchronized OptionalLong of(String workspace, long revision) {
        Long found = millis.get(new Key(workspace, revision));
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }
}
