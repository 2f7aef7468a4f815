package dev.strake.server.kafka;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * How many partitions topics have. All have to have one number, which is that of the state where there is some.
 *
 * @param changes name of the topic of changes
 * @param byTopic the number of each topic and changelog that there is, by its name
 */
public record PartitionCounts(String changes, Map<String, Integer> byTopic) {

    public static PartitionCounts of(String changes, Map<String, TopicDescription> topics) {
        Map<String, Integer> counts = new TreeMap<>();
        topics.forEach((name, topic) -> counts.put(name, topic.partitions().size()));
        return new PartitionCounts(changes, counts);
    }

    boolean agree() {
        return Set.copyOf(byTopic.values()).size() <= 1;
    }

    /** Whether any of these is there. */
    boolean hasAny(Set<String> changelogs) {
        return !Collections.disjoint(byTopic.keySet(), changelogs);
    }

    /**
     * The number that all have to have: that of the state, as its keys are in those partitions; without state that of the
     * topic of changes.
     *
     * @param changelogs which are the state
     * @param configured the number if neither is there
     */
    int expected(Set<String> changelogs, int configured) {
        int ofChanges = byTopic.getOrDefault(changes, configured);
        Map<Integer, Long> votes = byTopic.entrySet().stream()
                .filter(each -> changelogs.contains(each.getKey()))
                .collect(Collectors.groupingBy(Map.Entry::getValue, Collectors.counting()));
        return votes.entrySet().stream()
                .filter(each -> each.getValue().equals(Collections.max(votes.values())))
                .map(Map.Entry::getKey)
                .reduce((one, other) -> ofChanges) // as many have the one as the other
                .orElse(ofChanges);
    }

    /**
     * What is wrong where topics have another number than the state, and the way out that keeps it; empty if none has.
     *
     * @param partitions of the state
     */
    public Optional<String> apartFrom(int partitions) {
        Map<String, Integer> others = new TreeMap<>(byTopic);
        others.values().removeIf(count -> count == partitions);
        if (others.isEmpty()) {
            return Optional.empty();
        }
        String said =
                "The topics had %d partitions, and now there are others: %s. With another number a workspace belongs to another partition than the one that has its state, so nothing is processed. Kafka cannot take partitions away. %s. If you want another number, publish all buckets under another --topic-prefix and --application-id (docs/operating.md, Partitions)."
                        .formatted(
                                partitions,
                                others,
                                others.keySet().equals(Set.of(changes))
                                        ? "%s holds no state: delete it, and the next start creates it with %d and goes on with the state that there is. Then publish the changes again that have no outcome yet"
                                                .formatted(changes, partitions)
                                        : "Restore the topics from a backup, or rebuild (docs/operating.md, When state is gone)");
        return Optional.of(said);
    }
}
