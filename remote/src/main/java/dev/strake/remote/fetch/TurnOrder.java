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
 * Whose turn it is, among the workspaces of all partitions: of that with the fewest turns under way, what is due for longest.
 * Nothing waits for a worker in a queue, so what comes and goes meanwhile counts. One workspace never has all workers, however
 * slow its sources are.
 */
final class TurnOrder {

    /** How many resources are fetched side by side. Fetching is waiting, mostly. */
    static final int WORKERS = 8;

    /** How many of one workspace are. */
    static final int OF_WORKSPACE = 6;

    private final Map<String, Integer> running = new HashMap<>();
    private final Map<String, Deque<Turn>> waiting = new HashMap<>();
    private final long now;

    /** A turn of a resource of a partition. */
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

    /** The turns that begin now, as far as there are workers. */
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
