package dev.strake.server.kafka;

import dev.strake.serdes.RecordSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Checks an existing topic, and describes each fault with the command that fixes it. Only settings with which Kafka
 * would silently lose data are checked; Kafka itself reports those that stop a producer or consumer.
 *
 * @param where the bootstrap servers, for commands
 */
record TopicReview(String where, TopicDescription topic, Config config) {

    /** The shortest retention of tombstones. A consumer that takes longer to read the topic keeps deleted entries. */
    private static final long LEAST_TOMBSTONES_MS = 86_400_000;

    /** The broker's limit for a single decompressed record. Kafka's clients have no constant for it. */
    static final String MAX_DECOMPRESSED = "max.decompressed.message.bytes";

    /**
     * Returns the faults of the topic, one per line; empty if there are none.
     *
     * @param wanted the settings with which Strake creates the topic
     * @param replication the configured replication factor, if any
     */
    List<String> faults(Map<String, String> wanted, Optional<Short> replication) {
        List<String> faults = new ArrayList<>();
        Map<String, String> mending = new TreeMap<>();
        String policy = wanted.get(TopicConfig.CLEANUP_POLICY_CONFIG);
        if (!value(TopicConfig.CLEANUP_POLICY_CONFIG, policy).equals(policy)) {
            mending.put(TopicConfig.CLEANUP_POLICY_CONFIG, policy);
        }
        if (value(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false").equals("true")) {
            mending.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        }
        if (policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            atLeast(TopicConfig.DELETE_RETENTION_MS_CONFIG, LEAST_TOMBSTONES_MS, mending);
        }
        String inSync = wanted.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        if (inSync != null) {
            atLeast(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Long.parseLong(inSync), mending);
        }
        mending.forEach((name, value) -> faults.add(
                "%s: %s is %s and has to be %s".formatted(topic.name(), name, value(name, "not set"), value)));
        if (!mending.isEmpty()) {
            faults.add("    " + alteration(mending));
        }
        int replicas = topic.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        replication
                .filter(asked -> replicas < asked)
                .ifPresent(asked -> faults.add(
                        "%s: it has %d replicas and strake.replication-factor is %d. Add some with kafka-reassign-partitions.sh, or lower the setting"
                                .formatted(topic.name(), replicas, asked)));
        return faults;
    }

    /**
     * Reports that brokers accept records of any size for the topic of changes, with the command that limits them.
     * Empty if they are limited. Without a limit, a publisher could crash the process with one record.
     */
    Optional<String> unbounded() {
        Map<String, String> missing = new TreeMap<>();
        atMost(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, missing);
        if (!value(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer").equals("uncompressed")) {
            atMost(MAX_DECOMPRESSED, missing);
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Brokers take larger records for %s than Strake can hold: %s. To bound them: %s   (brokers before Kafka 4.4 do not know %s; compression.type=uncompressed does it there)"
                                .formatted(
                                        topic.name(),
                                        missing.keySet().stream()
                                                .map(name -> name + " is " + value(name, "not set"))
                                                .collect(Collectors.joining(", ")),
                                        alteration(missing),
                                        MAX_DECOMPRESSED));
    }

    private void atLeast(String setting, long least, Map<String, String> mending) {
        if (Long.parseLong(value(setting, Long.toString(least))) < least) {
            mending.put(setting, Long.toString(least));
        }
    }

    private void atMost(String setting, Map<String, String> mending) {
        long most = RecordSize.TOPIC_TAKES;
        if (Long.parseLong(value(setting, Long.toString(Long.MAX_VALUE))) > most) {
            mending.put(setting, Long.toString(most));
        }
    }

    /* A broker does not return settings that it does not know. */
    private String value(String setting, String fallback) {
        return config.get(setting) == null || config.get(setting).value() == null
                ? fallback
                : config.get(setting).value();
    }

    private String alteration(Map<String, String> settings) {
        return "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config %s"
                .formatted(
                        where,
                        topic.name(),
                        settings.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(",")));
    }
}
