package dev.strake.remote.fetch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Schedules turns. The workspace with the fewest running turns is next, with its resource that has been due for
 * longest. No resource waits in a queue: each decision uses the current state. A single workspace never occupies all
 * workers, however slow its sources are.
 */
final class TurnOrder {

    /** The number of resources that are fetched in parallel. A fetch mostly waits for its source. */
    static final int WORKERS = 8;

    /** The maximum for one workspace. */
    static final int OF_WORKSPACE = 6;

    private final Map<String, Integer> running = new HashMap<>();
    private final Map<String, Deque<Turn>> waiting = new HashMap<>();
    private final long now;

    /** A turn of a resource in a partition. */
    record Turn(int number, Resources partition, Resources.Tracked resource) {}

    private TurnOrder(Map<Integer, Resources> partitions, long now) {
        this.now = now;
        partitions.forEach((number, partition) -> {
            if (partition.isLoaded) {
                partition.running().forEach(one -> running.merge(one.key.workspace(), 1, Integer::sum));
                partition
                        .due(now)
                        .forEach(one -> waiting.computeIfAbsent(one.key.workspace(), workspace -> new ArrayDeque<>())
                                .add(new Turn(number, partition, one)));
            }
        });
    }

    /** Returns the turns to start now, at most as many as workers are free. */
    static List<Turn> next(Map<Integer, Resources> partitions, long now) {
        TurnOrder order = new TurnOrder(partitions, now);
        List<Turn> next = new ArrayList<>();
        int free = WORKERS
                - order.running.values().stream().mapToInt(Integer::intValue).sum();
        while (next.size() < free) {
            Optional<Turn> turn = order.next();
            if (turn.isEmpty()) {
                break;
            }
            next.add(turn.get());
        }
        return next;
    }

    private Optional<Turn> next() {
        return waiting.entrySet().stream()
                .filter(each -> running.getOrDefault(each.getKey(), 0) < OF_WORKSPACE)
                .min(Comparator.<Map.Entry<String, Deque<Turn>>>comparingInt(
                                each -> running.getOrDefault(each.getKey(), 0))
                        .thenComparingLong(each -> each.getValue().peek().resource().due - now))
                .map(Map.Entry::getKey)
                .map(this::take);
    }

    private Turn take(String workspace) {
        Deque<Turn> line = waiting.get(workspace);
        Turn turn = line.remove();
        if (line.isEmpty()) {
            waiting.remove(workspace);
        }
        running.merge(workspace, 1, Integer::sum);
        return turn;
    }
}
