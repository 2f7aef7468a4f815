package dev.strake.server.kafka;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The topics of the contract as they exist in a cluster. All have one partition count, because a workspace has the same
 * partition number in each of them: Kafka Streams does not check that for processors, and unequal counts would run
 * silently wrong.
 */
public final class TopicSet {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration TOMBSTONES_KEPT = Duration.ofDays(7);

    private final Map<String, Map<String, String>> topics = new TreeMap<>();
    private final String changes;

    /**
     * The five topics of one installation.
     *
     * @param prefix of all names, {@code strake.} unless configured otherwise
     */
    public TopicSet(String prefix) {
        changes = prefix + TopicNames.CHANGES;
        topics.put(changes, history());
        topics.put(prefix + TopicNames.RENDERED, latest());
        topics.put(prefix + TopicNames.OUTCOMES, history());
        topics.put(prefix + TopicNames.PROBLEMS, latest());
        topics.put(prefix + TopicNames.DEAD_LETTERS, history());
    }

    public Set<String> names() {
        return Set.copyOf(topics.keySet());
    }

    /** The settings with which each topic is created, by its name. */
    public Map<String, Map<String, String>> configs() {
        return Map.copyOf(topics);
    }

    /**
     * Creates the topics that do not exist and checks that all agree. A topic that exists is left as it is, and new ones
     * take its partition count.
     *
     * @param partitions the count for a cluster which has none of the topics yet
     * @param replicationFactor of new topics; absent: the cluster's default
     * @return the partition count of all topics
     * @throws KafkaUnavailableException if the cluster does not answer, or the topics differ in their partition counts
     */
    public int ensure(KafkaSettings settings, int partitions, Optional<Short> replicationFactor) {
        try (Admin admin = settings.admin(TIMEOUT)) {
            Map<String, Integer> existing = describe(admin, settings);
            int count = existing.isEmpty() ? partitions : agreed(existing);
            create(admin, settings, count, replicationFactor, existing.keySet());
            return count;
        }
    }

    /** The id that Kafka gave to the topic of changes when it was created. */
    public String changesId(KafkaSettings settings) {
        try (Admin admin = settings.admin(TIMEOUT)) {
            return settings.await(admin.describeTopics(Set.of(changes)).allTopicNames(), TIMEOUT)
                    .get(changes)
                    .topicId()
                    .toString();
        }
    }

    private void create(
            Admin admin, KafkaSettings settings, int partitions, Optional<Short> replication, Set<String> existing) {
        Set<String> missing = new HashSet<>(topics.keySet());
        missing.removeAll(existing);
        List<NewTopic> wanted = missing.stream()
                .map(name -> new NewTopic(name, Optional.of(partitions), replication).configs(topics.get(name)))
                .toList();
        Map<String, KafkaFuture<Void>> answers = admin.createTopics(wanted).values();
        answers.forEach((name, answer) -> await(answer, settings, TopicExistsException.class));
        if (!missing.isEmpty()) {
            // Another instance may have been quicker with another count in mind.
            int agreed = agreed(awaitVisible(admin, settings));
            awaitLeaders(admin, settings, missing, agreed);
        }
    }

    /*
     * A partition is shown a moment before its leader takes records. A producer that comes in between may lose some: of
     * several batches under way the first is refused and the next is taken, behind which the first has no place any more.
     */
    private void awaitLeaders(Admin admin, KafkaSettings settings, Set<String> created, int partitions) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        for (String topic : created) {
            for (int partition = 0; partition < partitions; partition++) {
                asked.put(new TopicPartition(topic, partition), OffsetSpec.latest());
            }
        }
        settings.await(admin.listOffsets(asked).all(), TIMEOUT);
    }

    /** A topic is not known to every broker in the moment in which it was created. */
    private Map<String, Integer> awaitVisible(Admin admin, KafkaSettings settings) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Map<String, Integer> counts = describe(admin, settings);
        while (counts.size() < topics.size()) {
            if (System.nanoTime() > deadline) {
                throw new KafkaUnavailableException(
                        "Kafka at %s created topics and does not show them. Try again in a moment."
                                .formatted(settings.bootstrapServers()));
            }
            counts = describe(admin, settings);
        }
        return counts;
    }

    private Map<String, Integer> describe(Admin admin, KafkaSettings settings) {
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(topics.keySet()).topicNameValues();
        answers.forEach((name, answer) -> await(answer, settings, UnknownTopicOrPartitionException.class)
                .ifPresent(topic -> counts.put(name, topic.partitions().size())));
        return counts;
    }

    private static int agreed(Map<String, Integer> counts) {
        Set<Integer> different = new HashSet<>(counts.values());
        if (different.size() > 1) {
            String list = counts.entrySet().stream()
                    .map(topic -> topic.getKey() + " " + topic.getValue())
                    .collect(Collectors.joining(", "));
            throw new KafkaUnavailableException(
                    "The topics have different numbers of partitions (%s). All must have the same: a workspace lives in one partition number of every topic. Create them anew with equal counts, or use another --topic-prefix."
                            .formatted(list));
        }
        return different.iterator().next();
    }

    /** Waits for an answer; a failure of the given kind is an answer too: nothing. */
    private static <T> Optional<T> await(
            KafkaFuture<T> answer, KafkaSettings settings, Class<? extends Exception> expected) {
        try {
            return Optional.ofNullable(answer.get());
        } catch (ExecutionException e) {
            if (expected.isInstance(e.getCause())) {
                return Optional.empty();
            }
            throw settings.unavailable(e.getCause());
        } catch (InterruptedException e) {
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    /** Records that tell what happened: kept for as long as the cluster keeps records. */
    private static Map<String, String> history() {
        return Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_DELETE,
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(RecordSize.TOPIC_TAKES));
    }

    /**
     * Records of which the last of each key counts. The active segment is never compacted, therefore it is small; and a
     * reader may be away for a week without missing what was removed meanwhile.
     */
    private static Map<String, String> latest() {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(RecordSize.TOPIC_TAKES));
        config.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(64 << 20));
        config.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.2");
        config.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(TOMBSTONES_KEPT.toMillis()));
        return config;
    }
}
