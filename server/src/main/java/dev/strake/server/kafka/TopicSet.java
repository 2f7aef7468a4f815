package dev.strake.server.kafka;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.topology.RenderTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of an installation. All have the same number of partitions, because a workspace has the same partition
 * number in each. Kafka Streams does not check that for processors, and different counts would silently cause wrong
 * results.
 */
public final class TopicSet {

    private static final Logger LOG = LoggerFactory.getLogger(TopicSet.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration TOMBSTONES_KEPT = Duration.ofDays(7);

    private final String prefix;
    private final Map<String, Map<String, String>> topics = new TreeMap<>();
    private final Set<String> changelogs = new TreeSet<>();

    /** The required settings of a changelog. Kafka Streams creates changelogs. */
    private final Map<String, String> changelog = new TreeMap<>(RenderTopology.CHANGELOG_SETTINGS);

    /**
     * The five topics of an installation.
     *
     * @param prefix of all names, {@code strake.} by default
     */
    public TopicSet(String prefix) {
        this.prefix = prefix;
        topics.put(prefix + TopicNames.CHANGES, changes());
        topics.put(prefix + TopicNames.RENDERED, latest());
        topics.put(prefix + TopicNames.OUTCOMES, history());
        topics.put(prefix + TopicNames.PROBLEMS, latest());
        topics.put(prefix + TopicNames.DEAD_LETTERS, history());
    }

    /**
     * As {@link #TopicSet(String)}, with the changelogs of an application.
     *
     * @param minInSync the required number of in-sync replicas; empty for the cluster's default
     */
    public TopicSet(String prefix, String applicationId, Optional<Integer> minInSync) {
        this(prefix);
        RenderTopology.STORES.forEach(store -> changelogs.add(changelog(applicationId, store)));
        minInSync.ifPresent(replicas -> {
            topics.values().forEach(config -> config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, replicas.toString()));
            changelog.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, replicas.toString());
        });
    }

    /**
     * Adds the topic of secrets in clear text, if it is configured, or if it still exists from earlier. Its records
     * have to be deleted together with their documents.
     *
     * @return whether the topic was added
     * @throws KafkaUnavailableException if the cluster does not answer
     */
    public boolean addCleartext(Cluster kafka, boolean wanted) {
        String name = prefix + TopicNames.CLEARTEXT;
        if (!wanted) {
            try (Admin admin = kafka.admin(TIMEOUT)) {
                if (describe(admin, kafka, Set.of(name)).isEmpty()) {
                    return false;
                }
            } catch (KafkaUnavailableException e) {
                if (e.getCause() instanceof AuthorizationException) {
                    return false; // it belongs to another installation
                }
                throw e;
            }
        }
        // With the settings of the rendered documents.
        topics.put(name, topics.get(prefix + TopicNames.RENDERED));
        return true;
    }

    /** Returns the name that Kafka Streams gives to the changelog of a store. */
    public static String changelog(String applicationId, String store) {
        return applicationId + "-" + store + "-changelog";
    }

    /** Returns the settings with which each topic is created, by topic name. */
    public Map<String, Map<String, String>> configs() {
        return Map.copyOf(topics);
    }

    /**
     * Creates missing topics, and checks all topics and changelogs. Existing ones stay unchanged, and new topics get
     * their partition count.
     *
     * @param partitions the partition count if none of the topics exists yet
     * @param replicationFactor of new topics, and the minimum for existing ones; empty for the cluster's default
     * @return the partition count of all topics
     * @throws KafkaUnavailableException if the cluster does not answer, or denies access
     * @throws MisconfiguredException if topics are wrong; the message lists all faults and the commands that fix them
     */
    public int ensure(Cluster kafka, int partitions, Optional<Short> replicationFactor) {
        Set<String> all = new TreeSet<>(topics.keySet());
        all.addAll(changelogs);
        try (Admin admin = kafka.admin(TIMEOUT)) {
            Map<String, TopicDescription> existing = describe(admin, kafka, all);
            int count = count(existing).orElse(partitions);
            Set<String> missing = new TreeSet<>(topics.keySet());
            missing.removeAll(existing.keySet());
            missing.forEach(name -> create(admin, kafka, new NewTopic(name, Optional.of(count), replicationFactor)));
            awaitLeaders(admin, kafka, missing);
            Map<String, TopicDescription> described = describe(admin, kafka, all);
            count(described); // another instance may have created topics with another count
            review(admin, kafka, described, replicationFactor);
            return count;
        }
    }

    /* The common partition count of topics and changelogs. */
    private static Optional<Integer> count(Map<String, TopicDescription> existing) {
        Map<String, Integer> counts = new TreeMap<>();
        existing.forEach((name, topic) -> counts.put(name, topic.partitions().size()));
        if (Set.copyOf(counts.values()).size() > 1) {
            throw new MisconfiguredException(
                    "Topics and changelogs need the same number of partitions, but differ: %s. Delete topics that are not in use, and the next start creates them with the right number; for the others see docs/operating.md, Partitions."
                            .formatted(counts));
        }
        return counts.values().stream().findFirst();
    }

    /* Brokers before Kafka 4.4 do not know the limit for decompressed records; the review suggests an alternative. */
    private void create(Admin admin, Cluster kafka, NewTopic topic) {
        Map<String, String> config = new TreeMap<>(topics.get(topic.name()));
        Optional<MisconfiguredException> refusal = refusal(admin, kafka, topic.configs(config));
        if (refusal.isPresent() && config.remove(TopicReview.MAX_DECOMPRESSED) != null) {
            refusal = refusal(admin, kafka, topic.configs(config));
        }
        refusal.ifPresent(refused -> {
            throw new MisconfiguredException(
                    "%s Create the topic %s yourself:\n  %s"
                            .formatted(refused.getMessage(), topic.name(), command(kafka, topic)),
                    refused.getCause());
        });
    }

    /* Creates a topic. Returns why the cluster rejected it; empty if the topic now exists. */
    private static Optional<MisconfiguredException> refusal(Admin admin, Cluster kafka, NewTopic topic) {
        try {
            await(admin.createTopics(List.of(topic)).all(), kafka, TopicExistsException.class);
            return Optional.empty();
        } catch (MisconfiguredException e) {
            return Optional.of(e);
        }
    }

    private static String command(Cluster kafka, NewTopic topic) {
        StringBuilder command = new StringBuilder("kafka-topics.sh --bootstrap-server ")
                .append(kafka.bootstrapServers())
                .append(" --create --topic ")
                .append(topic.name())
                .append(" --partitions ")
                .append(topic.numPartitions());
        if (topic.replicationFactor() > 0) {
            command.append(" --replication-factor ").append(topic.replicationFactor());
        }
        topic.configs()
                .forEach((name, value) ->
                        command.append(" --config ").append(name).append('=').append(value));
        return command.toString();
    }

    /*
     * The metadata shows a partition before its leader accepts records. A producer may lose records in between: with
     * several batches in flight, the first is rejected and the next accepted, after which the first is out of sequence.
     */
    private static void awaitLeaders(Admin admin, Cluster kafka, Set<String> created) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Map<String, TopicDescription> shown = describe(admin, kafka, created);
        while (shown.size() < created.size()) { // metadata takes a moment to reach every broker
            if (System.nanoTime() > deadline) {
                throw notShown(kafka);
            }
            shown = describe(admin, kafka, created);
        }
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        shown.forEach((name, topic) -> topic.partitions()
                .forEach(each -> asked.put(new TopicPartition(name, each.partition()), OffsetSpec.latest())));
        while (!haveLeaders(admin, kafka, asked)) {
            if (System.nanoTime() > deadline) {
                throw notShown(kafka);
            }
        }
    }

    /* The broker that is asked for offsets may not know a topic yet that another broker has shown. */
    private static boolean haveLeaders(Admin admin, Cluster kafka, Map<TopicPartition, OffsetSpec> asked) {
        try {
            kafka.await(admin.listOffsets(asked).all(), TIMEOUT);
            return true;
        } catch (KafkaUnavailableException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    private static KafkaUnavailableException notShown(Cluster kafka) {
        return new KafkaUnavailableException(
                "Kafka at %s created topics but does not show them yet. Try again in a moment."
                        .formatted(kafka.bootstrapServers()));
    }

    private void review(
            Admin admin, Cluster kafka, Map<String, TopicDescription> described, Optional<Short> replicationFactor) {
        List<String> faults = new ArrayList<>();
        configs(admin, kafka, described.keySet()).forEach((name, config) -> {
            TopicReview review = new TopicReview(kafka.bootstrapServers(), described.get(name), config);
            faults.addAll(review.faults(topics.getOrDefault(name, changelog), replicationFactor));
            if (name.equals(prefix + TopicNames.CHANGES)) {
                review.unbounded().ifPresent(LOG::warn);
            }
        });
        if (!faults.isEmpty()) {
            throw new MisconfiguredException(
                    "Topics are not configured as Strake needs them:\n  " + String.join("\n  ", faults));
        }
    }

    /** Returns the id that Kafka assigned to the topic of changes at its creation. */
    public String changesId(Cluster kafka) {
        try (Admin admin = kafka.admin(TIMEOUT)) {
            String changes = prefix + TopicNames.CHANGES;
            return kafka.await(admin.describeTopics(Set.of(changes)).allTopicNames(), TIMEOUT)
                    .get(changes)
                    .topicId()
                    .toString();
        }
    }

    private static Map<String, Config> configs(Admin admin, Cluster kafka, Set<String> names) {
        List<ConfigResource> asked = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<String, Config> found = new TreeMap<>();
        admin.describeConfigs(asked)
                .values()
                .forEach((topic, answer) -> await(answer, kafka, UnknownTopicOrPartitionException.class)
                        .ifPresent(config -> found.put(topic.name(), config)));
        return found;
    }

    private static Map<String, TopicDescription> describe(Admin admin, Cluster kafka, Set<String> names) {
        Map<String, TopicDescription> found = new TreeMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(names).topicNameValues();
        answers.forEach((name, answer) -> await(answer, kafka, UnknownTopicOrPartitionException.class)
                .ifPresent(topic -> found.put(name, topic)));
        return found;
    }

    /** Waits for a result; empty if it fails with the expected exception. */
    private static <T> Optional<T> await(KafkaFuture<T> answer, Cluster kafka, Class<? extends Exception> expected) {
        try {
            return Optional.ofNullable(answer.get());
        } catch (ExecutionException e) {
            if (expected.isInstance(e.getCause())) {
                return Optional.empty();
            }
            throw kafka.unavailable(e.getCause());
        } catch (InterruptedException e) {
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    /* The brokers limit both compressed batches and single decompressed records. */
    private static Map<String, String> changes() {
        Map<String, String> config = history();
        config.put(TopicReview.MAX_DECOMPRESSED, Integer.toString(RecordSize.TOPIC_TAKES));
        return config;
    }

    /* Event records, with the cluster's default retention. */
    private static Map<String, String> history() {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(RecordSize.TOPIC_TAKES));
        return config;
    }

    /**
     * Compacted topics. Kafka never compacts the active segment, therefore segments are small. Tombstones are kept for
     * a week, so that a consumer may be offline that long without missing deletions.
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
