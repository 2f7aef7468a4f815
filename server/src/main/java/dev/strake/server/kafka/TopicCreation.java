package dev.strake.server.kafka;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.kafka.TopicReview.Actual;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics. Managed clusters refuse settings of new topics even where the cluster would give the very same value by
 * itself. So a setting is sent only where the cluster would give another one, and nothing is created before it is known
 * that the cluster takes all of it.
 *
 * <pre>
 *  no settings, validate only ──► what the cluster gives by itself; if it does not tell, all settings are sent
 *  what differs, validate only ─► taken ─► created
 *        │ refused
 *  each alone, validate only ───► refused ones that are needed ─► words
 *                                 refused ones that the operator gave ─► words
 *                                 others ─► created without them, and told in the log
 * </pre>
 */
final class TopicCreation {

    private static final Logger LOG = LoggerFactory.getLogger(TopicCreation.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Admin admin;
    private final KafkaSettings settings;
    private final int partitions;
    private final Optional<Short> replication;
    private final Optional<Actual> input;
    private final Map<String, Object> given;
    private final Set<String> refusedOfGiven = new TreeSet<>();

    /**
     * @param partitions of new topics
     * @param replication of new topics; absent: the cluster's default
     * @param input the topic of changes, if it is there: others have to take the times of its records
     */
    TopicCreation(
            Admin admin, KafkaSettings settings, int partitions, Optional<Short> replication, Optional<Actual> input) {
        this.admin = admin;
        this.settings = settings;
        this.partitions = partitions;
        this.replication = replication;
        this.input = input;
        this.given = settings.with(Map.of());
    }

    /**
     * Creates topics, and returns when they take records. One that somebody else creates meanwhile is left as it is.
     *
     * @param wanted the settings that each has to have, by its name
     * @throws MisconfiguredException if the cluster refuses settings that are needed or that the operator gave, or would
     *     give fewer replicas than have to be in sync; then none is created
     */
    void create(Map<String, Map<String, String>> wanted) {
        Map<String, Actual> own = own(wanted.keySet());
        own.values().stream()
                .findFirst()
                .flatMap(any -> review(any).tooFewForSync(own.values(), wanted))
                .ifPresent(few -> {
                    throw new MisconfiguredException(few);
                });
        Map<String, Map<String, String>> sent = new TreeMap<>();
        wanted.forEach((name, config) -> sent.put(name, differing(config, Optional.ofNullable(own.get(name)))));
        List<String> faults = new ArrayList<>();
        Map<String, KafkaFuture<Void>> answers = request(sent, true).values();
        answers.forEach((name, answer) -> refusal(name, answer).ifPresent(said -> {
            List<String> needed = new ArrayList<>();
            if (own.containsKey(name)) {
                leaveOut(own.get(name), wanted.get(name), sent.get(name), needed);
            }
            // What is left may be refused for the settings together, or for those that are not there.
            refusal(name, request(Map.of(name, sent.get(name)), true).values().get(name))
                    .filter(still -> needed.isEmpty())
                    .ifPresent(still -> needed.add("the cluster refuses it with %s: %s"
                            .formatted(text(sent.get(name).entrySet(), ", "), still.getMessage())));
            needed.forEach(fault -> faults.add(name + ": " + fault));
            if (!needed.isEmpty()) {
                faults.add("    " + command(name, differing(wanted.get(name), Optional.ofNullable(own.get(name)))));
            }
        }));
        if (!refusedOfGiven.isEmpty()) {
            throw new MisconfiguredException(
                    "Kafka at %s refuses settings that are given for changelogs. Correct or remove them:\n  %s"
                            .formatted(settings.bootstrapServers(), String.join("\n  ", refusedOfGiven)));
        }
        if (!faults.isEmpty()) {
            throw new MisconfiguredException(
                    "Kafka at %s refuses topics as they have to be. Have its policy for new topics allow what follows, or make it the cluster's default; or create the topics in a way that the cluster allows:\n  %s"
                            .formatted(settings.bootstrapServers(), String.join("\n  ", faults)));
        }
        request(sent, false)
                .values()
                .forEach((name, answer) -> refusal(name, answer).ifPresent(said -> {
                    throw settings.unavailable(said);
                }));
        awaitLeaders(wanted.keySet());
    }

    /* The topics as the cluster would make them by itself, those left out of which it does not tell. */
    private Map<String, Actual> own(Collection<String> names) {
        Map<String, Map<String, String>> bare = new TreeMap<>();
        names.forEach(name -> bare.put(name, Map.of()));
        CreateTopicsResult answers = request(bare, true);
        Map<String, Actual> own = new HashMap<>();
        for (String name : names) {
            try {
                if (refusal(name, answers.values().get(name)).isEmpty()) {
                    own.put(
                            name,
                            Actual.planned(
                                    name,
                                    settings.await(answers.replicationFactor(name), TIMEOUT),
                                    settings.await(answers.config(name), TIMEOUT)));
                }
            } catch (KafkaUnavailableException e) {
                LOG.debug("Kafka does not tell which settings it would give to {}", name, e);
            }
        }
        return own;
    }

    private static Map<String, String> differing(Map<String, String> wanted, Optional<Actual> own) {
        Map<String, String> differing = new TreeMap<>(wanted);
        own.ifPresent(topic ->
                differing.entrySet().removeIf(each -> each.getValue().equals(topic.text(each.getKey(), null))));
        return differing;
    }

    /* Takes what is refused out of what is sent, unless it is needed or the operator gave it; then it says so. */
    private void leaveOut(Actual own, Map<String, String> wanted, Map<String, String> sent, List<String> needed) {
        Map<String, String> refused = new TreeMap<>();
        for (Map.Entry<String, String> each : sent.entrySet()) {
            Map<String, Map<String, String>> alone = Map.of(own.name(), Map.of(each.getKey(), each.getValue()));
            refusal(own.name(), request(alone, true).values().get(own.name()))
                    .ifPresent(said -> refused.put(each.getKey(), said.getMessage()));
        }
        refused.forEach((name, said) -> settings.origin(StreamsConfig.TOPIC_PREFIX + name)
                .filter(origin -> sent.get(name).equals(given.get(StreamsConfig.TOPIC_PREFIX + name)))
                .ifPresent(origin ->
                        refusedOfGiven.add("%s%s (%s): %s".formatted(StreamsConfig.TOPIC_PREFIX, name, origin, said))));
        Map<String, String> taken = new TreeMap<>(sent);
        taken.keySet().removeAll(refused.keySet());
        Actual without = own.with(taken);
        Map<String, String> mending = new TreeMap<>(review(without).mending(without, wanted));
        mending.keySet().retainAll(refused.keySet());
        mending.forEach((name, value) ->
                needed.add("%s has to be %s, and topics of this cluster have %s. The cluster refuses it: %s"
                        .formatted(name, value, own.text(name, "none"), refused.get(name))));
        if (needed.isEmpty() && refusedOfGiven.isEmpty()) {
            refused.forEach((name, said) -> LOG.warn(
                    "Kafka refuses {}={} for the topic {}, which does without: there it is {}. Kafka said: {}",
                    name,
                    sent.remove(name),
                    own.name(),
                    own.text(name, "unknown"),
                    said));
        }
    }

    private TopicReview review(Actual planned) {
        return new TopicReview(
                settings.bootstrapServers(), input.orElse(planned), partitions, false, replication, List.of());
    }

    private CreateTopicsResult request(Map<String, Map<String, String>> topics, boolean validateOnly) {
        List<NewTopic> all = topics.entrySet().stream()
                .map(each -> new NewTopic(each.getKey(), Optional.of(partitions), replication).configs(each.getValue()))
                .toList();
        return admin.createTopics(all, new CreateTopicsOptions().validateOnly(validateOnly));
    }

    /* Why the cluster does not take a topic as it is; empty if it does, or has it. */
    private Optional<Throwable> refusal(String name, KafkaFuture<Void> answer) {
        try {
            settings.await(answer, TIMEOUT);
        } catch (KafkaUnavailableException | MisconfiguredException e) {
            Throwable cause = e.getCause();
            // Its subclasses tell of other things: a missing right, a number of replicas.
            boolean isOfSettings = cause != null && cause.getClass() == InvalidConfigurationException.class;
            if (cause instanceof PolicyViolationException || isOfSettings) {
                return Optional.of(cause);
            }
            if (cause instanceof AuthorizationException) {
                throw new KafkaUnavailableException(
                        "Kafka at %s does not permit this user to create the topic %s. Grant Create on it, or create it yourself (deploy/README.md)."
                                .formatted(settings.bootstrapServers(), name),
                        cause);
            }
            if (!(cause instanceof TopicExistsException)) {
                throw e;
            }
        }
        return Optional.empty();
    }

    private String command(String name, Map<String, String> config) {
        String replicas =
                replication.map(count -> " --replication-factor " + count).orElse("");
        return "kafka-topics.sh --bootstrap-server %s --create --topic %s --partitions %d%s %s"
                .formatted(
                        settings.bootstrapServers(),
                        name,
                        partitions,
                        replicas,
                        "--config " + text(config.entrySet(), " --config "));
    }

    private static String text(Set<Map.Entry<String, String>> config, String between) {
        return config.stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(between));
    }

    /*
     * A partition is shown a moment before its leader takes records. A producer that comes in between may lose some: of
     * several batches under way the first is refused and the next is taken, behind which the first has no place any more.
     */
    private void awaitLeaders(Set<String> created) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        // Another instance may have been quicker with another count in mind.
        awaitVisible(created)
                .forEach(topic -> topic.partitions()
                        .forEach(each ->
                                asked.put(new TopicPartition(topic.name(), each.partition()), OffsetSpec.latest())));
        settings.await(admin.listOffsets(asked).all(), TIMEOUT);
    }

    /** A topic is not known to every broker in the moment in which it was created. */
    private Collection<TopicDescription> awaitVisible(Set<String> created) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Map<String, TopicDescription> shown = TopicSet.describe(admin, settings, created);
        while (shown.size() < created.size()) {
            if (System.nanoTime() > deadline) {
                throw TopicSet.notShown(settings);
            }
            shown = TopicSet.describe(admin, settings, created);
        }
        return shown.values();
    }
}
