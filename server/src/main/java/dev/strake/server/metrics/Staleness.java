package dev.strake.server.metrics;

import dev.strake.server.metrics.Meters.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * How stale the data of consumers is, and in which workspaces.
 *
 * <p>A change that was read has a time. For unread changes, a consumer knows only how many there are, not how old they
 * are. So in each partition with unread changes, their age counts from when they were first observed, or from the last
 * processed change, whichever is later. This is too little by one scrape interval at most.
 */
final class Staleness {

    static final List<Metric> METRICS = List.of(OwnMetrics.STALENESS, OwnMetrics.WORKSPACE_STALENESS);

    private static final int MOST_WORKSPACES = 10;
    private static final long LEAST_MILLIS = 1_000;

    private final Map<Integer, Long> leftSince = new HashMap<>();
    private final Map<Integer, Long> processedUpTo = new ConcurrentHashMap<>();

    /** Ages in milliseconds; the stalest workspace first. */
    record Ages(long behind, long held, Map<String, Long> workspaces) {

        List<Sample> samples() {
            List<Sample> samples = new ArrayList<>();
            samples.add(new Sample(OwnMetrics.STALENESS, behind / 1e3, "behind"));
            samples.add(new Sample(OwnMetrics.STALENESS, held / 1e3, "held"));
            workspaces.forEach((workspace, millis) ->
                    samples.add(new Sample(OwnMetrics.WORKSPACE_STALENESS, millis / 1e3, workspace)));
            return samples;
        }
    }

    void processed(int partition, long recordTime) {
        processedUpTo.put(partition, recordTime);
    }

    void closed(int partition) {
        processedUpTo.remove(partition);
    }

    /**
     * Computes the current ages.
     *
     * @param lags of partitions with unread changes
     */
    synchronized Ages find(
            WorkspacesHeld workspaces, Iterable<OpenTransaction> transactions, Map<Integer, Double> lags, long now) {
        long[] oldest = {now - waiting(lags, now), now};
        Map<String, Long> since = new HashMap<>();
        for (OpenTransaction transaction : transactions) {
            transaction.forEach((workspace, recordTime) -> {
                oldest[0] = Math.min(oldest[0], recordTime);
                since.merge(workspace, recordTime, Math::min);
            });
        }
        workspaces.forEach(status -> {
            if (status.heldSince() > 0) {
                oldest[1] = Math.min(oldest[1], status.heldSince());
                since.merge(status.workspace(), status.heldSince(), Math::min);
            }
        });
        return new Ages(now - oldest[0], now - oldest[1], stalest(since, now));
    }

    /**
     * How long changes have been unread, in milliseconds. Record times alone never increase it, because publishers may
     * write any time.
     *
     * @param lags of partitions with unread changes
     */
    synchronized long waiting(Map<Integer, Double> lags, long now) {
        leftSince.keySet().retainAll(lags.keySet());
        lags.keySet().forEach(partition -> leftSince.putIfAbsent(partition, now));
        long[] oldest = {now};
        leftSince.forEach((partition, since) ->
                oldest[0] = Math.min(oldest[0], Math.max(since, processedUpTo.getOrDefault(partition, 0L))));
        return now - oldest[0];
    }

    private static Map<String, Long> stalest(Map<String, Long> since, long now) {
        return since.entrySet().stream()
                .filter(each -> now - each.getValue() >= LEAST_MILLIS)
                .sorted(Map.Entry.comparingByValue())
                .limit(MOST_WORKSPACES)
                .collect(Collectors.toMap(Map.Entry::getKey, each -> now - each.getValue()));
    }
}
