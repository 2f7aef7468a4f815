package dev.strake.server.kafka;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.server.kafka.TopicReview.Actual;
import dev.strake.topology.RenderTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of the contract as they exist in a cluster. All have one partition count, because a workspace has the same
 * partition number in each of them: Kafka Streams does not check that for processors, and unequal counts would run
 * silently wrong.
 */
public final class TopicSet {

    private static final Logger LOG = LoggerFactory.getLogger(TopicSet.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration TOMBSTONES_KEPT = Duration.ofDays(7);

    private final String prefix;
    private final Map<String, Map<String, String>> topics = new TreeMap<>();
    private final Map<String, Map<String, String>> changelogs = new TreeMap<>();

    /**
     * The five topics of one installation.
     *
     * @param prefix of all names, {@code strake.} unless configured otherwise
     */
    public TopicSet(String prefix) {
        this.prefix = prefix;
        topics.put(prefix + TopicNames.CHANGES, history());
        topics.put(prefix + TopicNames.RENDERED, latest());
        topics.put(prefix + TopicNames.OUTCOMES, history());
        topics.put(prefix + TopicNames.PROBLEMS, latest());
        topics.put(prefix + TopicNames.DEAD_LETTERS, history());
    }

    /**
     * The same with the changelogs of an application.
     *
     * @param minInSync replicas that have to hold a record before it counts; absent: the cluster's default
     */
    public TopicSet(String prefix, String applicationId, Optional<Integer> minInSync) {
        this(prefix);
        RenderTopology.STORES.forEach(store ->
                changelogs.put(changelog(applicationId, store), new HashMap<>(RenderTopology.CHANGELOG_SETTINGS)));
        minInSync.ifPresent(replicas -> {
            topics.replaceAll((name, config) -> new HashMap<>(config));
            for (Map<String, Map<String, String>> all : List.of(topics, changelogs)) {
                all.values()
                        .forEach(config -> config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, replicas.toString()));
            }
        });
    }

    /**
     * Adds the topic of secret documents in clear text, if it is wanted, or if it is there because it was wanted earlier: what it
     * has must go when documents go.
     *
     * @return whether it was added
     * @throws KafkaUnavailableException if the cluster does not answer
     */
    public boolean addCleartext(KafkaSettings settings, boolean wanted) {
        String name = prefix + TopicNames.CLEARTEXT;
        if (!wanted) {
            try (Admin admin = settings.admin(TIMEOUT)) {
                if (describe(admin, settings, Set.of(name)).isEmpty()) {
                    return false;
                }
            } catch (KafkaUnavailableException e) {
                if (e.getCause() instanceof AuthorizationException) {
                    return false; // it is not this installation's
                }
                throw e;
            }
        }
        // As the other one that keeps documents, whose settings may have come from the administrator.
        topics.put(name, topics.get(prefix + TopicNames.RENDERED));
        return true;
    }

    /** The name of a store's changelog, which is Kafka Streams' choice. */
    public static String changelog(String applicationId, String store) {
        return applicationId + "-" + store + "-changelog";
    }

    public Set<String> names() {
        return Set.copyOf(topics.keySet());
    }

    /** The settings with which each topic is created, by its name. */
    public Map<String, Map<String, String>> configs() {
        return Map.copyOf(topics);
    }

    /**
     * Creates the topics that do not exist and checks that all are as they have to be. A topic or changelog that exists is
     * left as it is, and new topics take its partition count.
     *
     * @param partitions the count for a cluster which has none of the topics yet
     * @param replicationFactor of new topics, and the least of those that exist; absent: the cluster's default
     * @return the partition count of all topics
     * @throws KafkaUnavailableException if the cluster does not answer, or does not permit to look
     * @throws MisconfiguredException if topics are not as they have to be; the message lists all of them with what is wrong
     *     and the commands that mend it
     */
    public int ensure(KafkaSettings settings, int partitions, Optional<Short> replicationFactor) {
        try (Admin admin = settings.admin(TIMEOUT)) {
            PartitionCounts existing = counts(described(admin, settings));
            if (existing.agree()) {
                int count = existing.byTopic().values().stream().findFirst().orElse(partitions);
                create(
                        new TopicCreation(admin, settings, count, replicationFactor, Optional.empty()),
                        topics,
                        existing.byTopic().keySet());
            }
            return review(admin, settings, partitions, replicationFactor);
        }
    }

    /**
     * Creates the changelogs that do not exist, and checks them as the topics. Kafka Streams would create them, too, but
     * only with all settings: those of its topology cannot depend on the cluster, as brokers may compare them between
     * instances. Nobody may call this before it is known that none is missing that was there.
     *
     * @throws KafkaUnavailableException as {@link #ensure}
     * @throws MisconfiguredException as {@link #ensure}
     */
    public void ensureChangelogs(KafkaSettings settings, Optional<Short> replicationFactor) {
        try (Admin admin = settings.admin(TIMEOUT)) {
            Set<String> existing = described(admin, settings).keySet();
            if (!existing.containsAll(changelogs.keySet())) {
                String changes = prefix + TopicNames.CHANGES;
                Actual input = actual(admin, settings, Set.of(changes)).get(changes);
                if (input == null) {
                    throw notShown(settings);
                }
                Map<String, Map<String, String>> wanted = new TreeMap<>();
                changelogs.forEach((name, config) -> wanted.put(name, asStreamsWould(config, settings)));
                create(
                        new TopicCreation(admin, settings, input.partitions(), replicationFactor, Optional.of(input)),
                        wanted,
                        existing);
                review(admin, settings, input.partitions(), replicationFactor);
            }
        }
    }

    private static Map<String, String> asStreamsWould(Map<String, String> config, KafkaSettings settings) {
        Map<String, String> all = new HashMap<>();
        all.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
        all.putAll(givenForChangelogs(settings));
        all.putAll(config);
        return all;
    }

    private static Map<String, String> givenForChangelogs(KafkaSettings settings) {
        Map<String, String> given = new TreeMap<>();
        settings.with(Map.of()).forEach((name, value) -> {
            if (name.startsWith(StreamsConfig.TOPIC_PREFIX)) {
                given.put(name.substring(StreamsConfig.TOPIC_PREFIX.length()), value.toString());
            }
        });
        return given;
    }

    private static void create(TopicCreation creation, Map<String, Map<String, String>> wanted, Set<String> existing) {
        Map<String, Map<String, String>> missing = new TreeMap<>(wanted);
        missing.keySet().removeAll(existing);
        if (!missing.isEmpty()) {
            creation.create(missing);
        }
    }

    /** The id that Kafka gave to the topic of changes when it was created. */
    public String changesId(KafkaSettings settings) {
        try (Admin admin = settings.admin(TIMEOUT)) {
            String changes = prefix + TopicNames.CHANGES;
            return settings.await(admin.describeTopics(Set.of(changes)).allTopicNames(), TIMEOUT)
                    .get(changes)
                    .topicId()
                    .toString();
        }
    }

    /** Each of the topics and changelogs that there is, by its name. */
    public Map<String, TopicDescription> described(Admin admin, KafkaSettings settings) {
        Set<String> all = new HashSet<>(topics.keySet());
        all.addAll(changelogs.keySet());
        return describe(admin, settings, all);
    }

    private int review(Admin admin, KafkaSettings settings, int partitions, Optional<Short> replication) {
        Map<String, Map<String, String>> wanted = new TreeMap<>(topics);
        wanted.putAll(changelogs);
        Map<String, Actual> actual = actual(admin, settings, wanted.keySet());
        List<Integer> brokers = settings.await(admin.describeCluster().nodes(), TIMEOUT).stream()
                .map(Node::id)
                .sorted()
                .toList();
        String changes = prefix + TopicNames.CHANGES;
        Map<String, TopicDescription> described = new TreeMap<>();
        actual.forEach((name, topic) -> described.put(name, topic.topic()));
        PartitionCounts counts = counts(described);
        if (counts.agree() && !actual.containsKey(changes)) {
            throw notShown(settings);
        }
        // Where topics do not agree none was created, so this one may be missing.
        Actual input = actual.getOrDefault(changes, Actual.planned(changes, 1, new Config(List.of())));
        boolean hasState = counts.hasAny(changelogs.keySet());
        int expected = counts.expected(changelogs.keySet(), partitions);
        TopicReview review =
                new TopicReview(settings.bootstrapServers(), input, expected, hasState, replication, brokers);
        List<String> faults = new ArrayList<>();
        review.tooFewForSync(actual.values(), wanted).ifPresent(faults::add);
        actual.forEach((name, topic) -> faults.addAll(review.faults(topic, wanted.get(name))));
        if (hasState) {
            counts.apartFrom(expected).ifPresent(faults::add);
        } else if (!actual.containsKey(changes)) {
            faults.add(
                    "These have different numbers of partitions, and there is no %s yet: %s. So strake.partitions says how many they have to have: %d. To keep those that have another number, set strake.partitions to it."
                            .formatted(changes, counts.byTopic(), expected));
        }
        if (!faults.isEmpty()) {
            throw new MisconfiguredException(
                    "Topics are not set up as they have to be:\n  " + String.join("\n  ", faults));
        }
        // Kafka Streams would say nothing.
        Map<String, String> given = givenForChangelogs(settings);
        changelogs.forEach((name, config) -> Optional.ofNullable(actual.get(name))
                .flatMap(topic -> review.givenInVain(topic, given, config.keySet()))
                .ifPresent(LOG::warn));
        return expected;
    }

    private static Map<String, Actual> actual(Admin admin, KafkaSettings settings, Set<String> names) {
        Map<String, TopicDescription> described = describe(admin, settings, names);
        Map<String, Actual> actual = new TreeMap<>();
        configs(admin, settings, described.keySet())
                .forEach((name, config) -> actual.put(name, new Actual(described.get(name), config)));
        return actual;
    }

    private static Map<String, Config> configs(Admin admin, KafkaSettings settings, Set<String> names) {
        List<ConfigResource> asked = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<String, Config> found = new TreeMap<>();
        admin.describeConfigs(asked).values().forEach((topic, answer) -> {
            try {
                await(answer, settings, UnknownTopicOrPartitionException.class)
                        .ifPresent(config -> found.put(topic.name(), config));
            } catch (KafkaUnavailableException e) {
                if (!(e.getCause() instanceof AuthorizationException)) {
                    throw e;
                }
                throw new KafkaUnavailableException(
                        "Kafka at %s does not permit this user to read the settings of topic %s, without which a wrong one would not be noticed. Grant DescribeConfigs on the topics and the changelogs (deploy/README.md)."
                                .formatted(settings.bootstrapServers(), topic.name()),
                        e.getCause());
            }
        });
        return found;
    }

    static KafkaUnavailableException notShown(KafkaSettings settings) {
        return new KafkaUnavailableException("Kafka at %s created topics and does not show them. Try again in a moment."
                .formatted(settings.bootstrapServers()));
    }

    static Map<String, TopicDescription> describe(Admin admin, KafkaSettings settings, Set<String> names) {
        Map<String, TopicDescription> found = new TreeMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(names).topicNameValues();
        answers.forEach((name, answer) -> await(answer, settings, UnknownTopicOrPartitionException.class)
                .ifPresent(topic -> found.put(name, topic)));
        return found;
    }

    private PartitionCounts counts(Map<String, TopicDescription> there) {
        return PartitionCounts.of(prefix + TopicNames.CHANGES, there);
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
