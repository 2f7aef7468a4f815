package dev.strake.server.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * What is wrong with topics as they are in a cluster, in words and with the command that mends it. Beyond the settings with
 * which a topic is created it looks at those that could stop the pipeline or lose what it wrote.
 *
 * @param where the bootstrap servers, for commands
 * @param input the topic whose records' times all others have to take
 * @param partitions that all topics have to have
 * @param hasState whether there are changelogs: then no topic of another number is deleted without a thought
 * @param replication that was asked for, if it was
 * @param brokers of the cluster
 */
record TopicReview(
        String where,
        Actual input,
        int partitions,
        boolean hasState,
        Optional<Short> replication,
        List<Integer> brokers) {

    /** How long a tombstone has to stay at least: a reader that takes longer for the topic keeps what is gone. */
    private static final long LEAST_TOMBSTONES_MS = 86_400_000;

    /** How long a change or an outcome has to stay at least: whoever was away for that long would never see it. */
    private static final long LEAST_HISTORY_MS = 3_600_000;

    /** A topic as it is. */
    record Actual(TopicDescription topic, Config config) {

        /** A topic as the cluster would create it. */
        static Actual planned(String name, int replicas, Config config) {
            List<Node> nodes = Collections.nCopies(Math.max(1, replicas), Node.noNode());
            return new Actual(
                    new TopicDescription(name, false, List.of(new TopicPartitionInfo(0, null, nodes, nodes))), config);
        }

        /** The same with these settings. */
        Actual with(Map<String, String> settings) {
            Map<String, ConfigEntry> entries = new TreeMap<>();
            config.entries().forEach(entry -> entries.put(entry.name(), entry));
            settings.forEach((name, value) -> entries.put(name, new ConfigEntry(name, value)));
            return new Actual(topic, new Config(entries.values()));
        }

        String name() {
            return topic.name();
        }

        int partitions() {
            return topic.partitions().size();
        }

        int replicas() {
            return topic.partitions().stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .min()
                    .orElse(0);
        }

        /** A broker that does not know a setting has nothing to say about it. */
        String text(String setting, String fallback) {
            return config.get(setting) == null || config.get(setting).value() == null
                    ? fallback
                    : config.get(setting).value();
        }

        long number(String setting, long fallback) {
            return Long.parseLong(text(setting, Long.toString(fallback)));
        }

        boolean takesTimeOfRecords() {
            return text(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime").equals("CreateTime");
        }
    }

    /**
     * The faults of one topic, one to a line; none if it is as it has to be.
     *
     * @param wanted the settings with which it is created
     */
    List<String> faults(Actual actual, Map<String, String> wanted) {
        List<String> faults = new ArrayList<>();
        Map<String, String> mending = new TreeMap<>();
        judgeSettings(actual, wanted, faults, mending);
        List<String> commands = new ArrayList<>();
        if (!mending.isEmpty()) {
            commands.add(alteration(actual.name(), mending));
        }
        if (actual.partitions() != partitions) {
            faults.add("it has %d partitions and has to have %d, as all topics have one count and keep it"
                    .formatted(actual.partitions(), partitions));
            if (!hasState) {
                commands.add(
                        "kafka-topics.sh --bootstrap-server %s --delete --topic %s   # only if nothing in it is in use: the next start creates it; otherwise begin under another --topic-prefix and --application-id"
                                .formatted(where, actual.name()));
            }
        }
        judgeReplicas(actual, faults, commands);
        List<String> lines = new ArrayList<>();
        faults.forEach(fault -> lines.add(actual.name() + ": " + fault));
        commands.forEach(command -> lines.add("    " + command));
        return lines;
    }

    /**
     * What is given for new changelogs and differs in one that is there, in words and with the command that changes it. It
     * keeps what it was created with, or what an administrator gave it since.
     *
     * @param settings that were given
     * @param others settings that it has to have, whatever is given
     */
    Optional<String> givenInVain(Actual changelog, Map<String, String> settings, Set<String> others) {
        Map<String, String> differing = new TreeMap<>(settings);
        differing.keySet().removeAll(others);
        differing
                .entrySet()
                .removeIf(each -> changelog.text(each.getKey(), each.getValue()).equals(each.getValue()));
        return differing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "The changelog %s is there already, so it does not take what is given for new ones: %s. To give it to this one, too: %s"
                                .formatted(
                                        changelog.name(),
                                        differing.entrySet().stream()
                                                .map(each -> "%s%s=%s, and it has %s"
                                                        .formatted(
                                                                StreamsConfig.TOPIC_PREFIX,
                                                                each.getKey(),
                                                                each.getValue(),
                                                                changelog.text(each.getKey(), "none")))
                                                .collect(Collectors.joining("; ")),
                                        alteration(changelog.name(), differing)));
    }

    private String alteration(String topic, Map<String, String> settings) {
        return "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config %s"
                .formatted(
                        where,
                        topic,
                        settings.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(",")));
    }

    /** The settings of a topic that are not as they have to be, each with a value that would do. */
    Map<String, String> mending(Actual actual, Map<String, String> wanted) {
        Map<String, String> mending = new TreeMap<>();
        judgeSettings(actual, wanted, new ArrayList<>(), mending);
        return mending;
    }

    private void judgeSettings(
            Actual actual, Map<String, String> wanted, List<String> faults, Map<String, String> mending) {
        boolean isCompacted = wanted.get(TopicConfig.CLEANUP_POLICY_CONFIG).equals(TopicConfig.CLEANUP_POLICY_COMPACT);
        Judge judge = new Judge(actual, faults, mending);
        judgeCleanup(actual, wanted.get(TopicConfig.CLEANUP_POLICY_CONFIG), isCompacted, judge);
        judge.atLeast(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Long.parseLong(wanted.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)),
                "as large as the largest record");
        if (isCompacted) {
            judge.atLeast(
                    TopicConfig.DELETE_RETENTION_MS_CONFIG,
                    LEAST_TOMBSTONES_MS,
                    "or a reader that takes longer keeps what was removed");
        } else {
            judge.atLeastOrUnlimited(
                    TopicConfig.RETENTION_MS_CONFIG, LEAST_HISTORY_MS, "or records go before they are read");
            judge.atLeastOrUnlimited(
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    Long.parseLong(wanted.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)),
                    "or records go before they are read");
        }
        if (actual.text(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer").equals("uncompressed")) {
            judge.refuse(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer", "or batches grow beyond max.message.bytes");
        }
        if (actual.text(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false")
                .equals("true")) {
            judge.refuse(
                    TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                    "false",
                    "or records that were committed get lost");
        }
        judgeTimes(actual, judge);
        judgeInSync(actual, leastInSync(wanted), judge);
    }

    /* With fewer replicas than have to be in sync no value would do: what is wrong is their number. */
    private void judgeInSync(Actual actual, int least, Judge judge) {
        if (Math.max(actual.replicas(), replication.orElse((short) 0)) < least) {
            return;
        }
        judge.atLeast(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, least, "as strake.min-insync-replicas says");
        if (actual.replicas() >= least
                && actual.number(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, 1) > actual.replicas()) {
            judge.refuse(
                    TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                    Integer.toString(Math.max(least, actual.replicas() - 1)),
                    "or less than its %d replicas, or nothing can be written".formatted(actual.replicas()));
        }
    }

    private static int leastInSync(Map<String, String> wanted) {
        return Integer.parseInt(wanted.getOrDefault(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1"));
    }

    /**
     * What is wrong if more replicas have to be in sync than there are and were asked for; empty if that is not so.
     *
     * @param topics as they are, or as the cluster would create them
     * @param wanted the settings with which each is created, by its name
     */
    Optional<String> tooFewForSync(Collection<Actual> topics, Map<String, Map<String, String>> wanted) {
        Map<String, Integer> few = new TreeMap<>();
        int least = 0;
        for (Actual topic : topics) {
            int needed = leastInSync(wanted.get(topic.name()));
            if (Math.max(topic.replicas(), replication.orElse((short) 0)) < needed) {
                few.put(topic.name(), topic.replicas());
                least = Math.max(least, needed);
            }
        }
        return few.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "strake.min-insync-replicas is %d, and these topics have fewer replicas, so nothing could be written to them: %s. Either lower strake.min-insync-replicas to %d, or set strake.replication-factor to %d. New topics take that, and for each that is there the next start tells the command of kafka-reassign-partitions.sh that adds replicas."
                                .formatted(least, few, Math.max(1, Collections.min(few.values())), least + 1));
    }

    /* Records without a key cannot be written to a compacted topic; of changes and outcomes all count, not the last. */
    private static void judgeCleanup(Actual actual, String wanted, boolean isCompacted, Judge judge) {
        String policy = actual.text(TopicConfig.CLEANUP_POLICY_CONFIG, wanted).replace(" ", "");
        boolean isBoth = policy.contains("compact") && policy.contains("delete");
        boolean keepsAll = actual.number(TopicConfig.RETENTION_MS_CONFIG, -1) < 0
                && actual.number(TopicConfig.RETENTION_BYTES_CONFIG, -1) < 0;
        if (!policy.equals(wanted) && !(isCompacted && isBoth && keepsAll)) {
            judge.refuse(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    wanted,
                    isCompacted
                            ? "or the last record of a key, which counts, is deleted when it is old"
                            : "or records without a key are refused, and those of one key thinned out");
        }
    }

    /* What Strake writes carries the time of the change, which may be old when it is read. */
    private void judgeTimes(Actual actual, Judge judge) {
        if (actual.name().equals(input.name()) || !actual.takesTimeOfRecords()) {
            return;
        }
        judge.atLeast(
                TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
                Long.MAX_VALUE,
                "as a record has the time of its change, which may have waited");
        if (input.takesTimeOfRecords()) {
            judge.atLeast(
                    TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                    input.number(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, 0),
                    "as " + input.name() + " takes changes of such times");
        }
    }

    private void judgeReplicas(Actual actual, List<String> faults, List<String> commands) {
        int asked = replication.orElse((short) 0);
        if (actual.replicas() >= asked) {
            return;
        }
        faults.add("it has %d replicas and strake.replication-factor asks for %d".formatted(actual.replicas(), asked));
        if (brokers.size() < asked) {
            faults.add("the cluster has %d brokers: lower strake.replication-factor, or add some"
                    .formatted(brokers.size()));
            return;
        }
        String assigned = actual.topic().partitions().stream()
                .map(partition -> {
                    List<Integer> replicas = new ArrayList<>(
                            partition.replicas().stream().map(Node::id).toList());
                    for (int i = 0; replicas.size() < asked; i++) {
                        Integer next = brokers.get((partition.partition() + i) % brokers.size());
                        if (!replicas.contains(next)) {
                            replicas.add(next);
                        }
                    }
                    return "{\"topic\":\"%s\",\"partition\":%d,\"replicas\":%s}"
                            .formatted(
                                    actual.name(),
                                    partition.partition(),
                                    replicas.toString().replace(" ", ""));
                })
                .collect(Collectors.joining(","));
        commands.add(
                "kafka-reassign-partitions.sh --bootstrap-server %s --execute --reassignment-json-file <(echo '{\"version\":1,\"partitions\":[%s]}')"
                        .formatted(where, assigned));
    }

    /** Takes down what is wrong with settings, and the values that they should have. */
    private record Judge(Actual actual, List<String> faults, Map<String, String> mending) {

        void refuse(String setting, String value, String why) {
            faults.add("%s is %s and has to be %s, %s".formatted(setting, actual.text(setting, "-"), value, why));
            mending.put(setting, value);
        }

        void atLeast(String setting, long least, String why) {
            if (actual.number(setting, least) < least) {
                faults.add("%s is %s and has to be %d or more, %s"
                        .formatted(setting, actual.text(setting, "-"), least, why));
                mending.put(setting, Long.toString(least));
            }
        }

        void atLeastOrUnlimited(String setting, long least, String why) {
            if (actual.number(setting, -1) >= 0) {
                atLeast(setting, least, why);
            }
        }
    }
}
