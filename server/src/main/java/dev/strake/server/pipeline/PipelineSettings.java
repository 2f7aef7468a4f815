package dev.strake.server.pipeline;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource.Given;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of one instance of the pipeline.
 *
 * @param kafka how to reach the cluster
 * @param settings all other settings
 */
public record PipelineSettings(KafkaSettings kafka, Settings settings) {

    /** All effective settings, including those of the Kafka clients; secrets are masked. */
    public Map<String, Given> effective() {
        Map<String, Given> all = new LinkedHashMap<>(settings.effective());
        all.putAll(kafka.effective());
        return all;
    }

    String applicationId() {
        return settings.get(Catalogue.APPLICATION_ID);
    }

    String topicPrefix() {
        return settings.get(Catalogue.TOPIC_PREFIX);
    }

    /** The replication factor of new topics; empty for the cluster's default. */
    Optional<Short> replication() {
        return settings.get(Catalogue.REPLICATION_FACTOR).map(Integer::shortValue);
    }

    /** The required number of in-sync replicas; empty for the cluster's default. */
    Optional<Integer> minInSync() {
        String name = StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        try {
            return Optional.ofNullable(kafka.cluster().with(Map.of()).get(name))
                    .map(value -> Integer.valueOf(value.toString()));
        } catch (NumberFormatException e) {
            throw new MisconfiguredException(name + " (a setting of Kafka) has to be a whole number.", e);
        }
    }

    int threads() {
        return settings.get(Catalogue.THREADS).orElseGet(PipelineSettings::defaultThreads);
    }

    public static int defaultThreads() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The directory of the stores, kept across restarts. */
    Path stateDirectory() {
        return settings.get(Catalogue.DATA).toAbsolutePath().normalize().resolve("streams");
    }
}
