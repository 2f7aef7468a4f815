package dev.strake.server.kafka;

import static java.util.Map.entry;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.SettingsSource.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The Kafka settings that operators must not change, because other values would silently lose changes or state. Every
 * prefix of Kafka Streams is checked. Not listed are settings that Kafka rejects itself or that Kafka Streams always
 * overrides.
 */
final class ReservedSettings {

    private static final Map<String, String> FIXED = Map.ofEntries(
            entry("processing.guarantee", "exactly_once_v2"),
            entry("isolation.level", "read_committed"),
            entry("enable.idempotence", "true"),
            entry("enable.auto.commit", "false"),
            entry("auto.offset.reset", "earliest"),
            entry("transaction.two.phase.commit.enable", "false"),
            entry("check.crcs", "true"),
            entry("enable.transactional.statestores", "false"),
            entry("topic.cleanup.policy", "compact"),
            entry("topic.unclean.leader.election.enable", "false"),
            entry("topic.remote.storage.enable", "false"));

    private static final Map<String, String> INSTEAD = Map.of(
            "application.id", "strake.application-id",
            "group.id", "strake.application-id",
            "num.stream.threads", "strake.threads",
            "application.server", "strake.http.advertised",
            "state.dir", "strake.data",
            "replication.factor", "strake.replication-factor");

    private static final Set<String> OURS = Set.of(
            "transactional.id",
            "bootstrap.controllers",
            "deserialization.exception.handler",
            "default.deserialization.exception.handler",
            "production.exception.handler",
            "default.production.exception.handler",
            "processing.exception.handler",
            "processing.exception.handler.global.enabled",
            "errors.dead.letter.queue.topic.name",
            "key.serializer",
            "value.serializer",
            "key.deserializer",
            "value.deserializer",
            "partitioner.class",
            "partition.assignment.strategy",
            "default.timestamp.extractor",
            "processor.wrapper.class",
            "interceptor.classes",
            "topic.retention.ms",
            "topic.retention.bytes",
            "topic.delete.retention.ms",
            "topic.max.message.bytes",
            "topic.max.decompressed.message.bytes",
            "topic.message.timestamp.before.max.ms",
            "topic.message.timestamp.after.max.ms");

    private ReservedSettings() {}

    /**
     * Rejects reserved settings.
     *
     * @param bootstrapServers the cluster of all clients
     * @throws MisconfiguredException if there are any; the message lists all of them, where each was given, and what to
     *     do
     */
    static void check(Map<String, Given> given, String bootstrapServers) {
        List<String> refused = new ArrayList<>();
        new TreeMap<>(given).forEach((name, value) -> {
            String remedy = remedy(bare(name), value.text().trim(), bootstrapServers);
            if (!remedy.isEmpty()) {
                refused.add("%s (%s): %s.".formatted(name, value.origin(), remedy));
            }
        });
        if (!refused.isEmpty()) {
            throw new MisconfiguredException(
                    "These settings of Kafka cannot be changed:\n  " + String.join("\n  ", refused));
        }
    }

    private static String remedy(String name, String value, String bootstrapServers) {
        if (FIXED.containsKey(name)) {
            return FIXED.get(name).equalsIgnoreCase(value) ? "" : "Make it '" + FIXED.get(name) + "'";
        }
        if (INSTEAD.containsKey(name)) {
            return "Use " + INSTEAD.get(name) + " in its place";
        }
        if (name.equals("bootstrap.servers")) {
            return value.equals(bootstrapServers.trim()) ? "" : "Remove it: --bootstrap-servers is for all clients";
        }
        return OURS.contains(name) ? "Remove it: Strake sets it itself" : "";
    }

    /** Returns the name without the prefix for a kind of client. */
    static String bare(String name) {
        return KafkaSettings.PREFIXES.stream()
                .filter(name::startsWith)
                .findFirst()
                .map(prefix -> name.substring(prefix.length()))
                .orElse(name);
    }
}
