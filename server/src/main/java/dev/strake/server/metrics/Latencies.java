package dev.strake.server.metrics;

import dev.strake.serdes.outcome.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How long the last revisions took that this process made, from reading a change to the commit of its transaction. Only memory
 * has it: what is stored or published is the same in every run.
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

    /** In milliseconds; empty if another process made the revision, or if it was too long ago. */
    public synchronized OptionalLong of(String workspace, long revision) {
        Long found = millis.get(new Key(workspace, revision));
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }
}
