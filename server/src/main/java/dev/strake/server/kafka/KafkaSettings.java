package dev.strake.server.kafka;

import dev.strake.client.Cluster;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.SettingsSource;
import dev.strake.server.settings.SettingsSource.Given;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The connection settings of all Kafka clients of Strake. Every Kafka setting is passed on, so SASL, TLS and others
 * work as Kafka documents them. If a setting is given twice, the more specific source wins:
 *
 * <pre>
 *  --bootstrap-servers  &gt;  KAFKA_* environment  &gt;  --kafka-config FILE  &gt;  127.0.0.1:9092
 * </pre>
 *
 * <p>Settings contain passwords. They are passed only to Kafka's clients; {@code toString} shows names only.
 */
public final class KafkaSettings {

    /** The address of the broker of {@code strake up}. */
    public static final String DEFAULT_BOOTSTRAP_SERVERS = "127.0.0.1:9092";

    /** Prefixes of Kafka Streams that restrict a setting to one kind of client. */
    public static final List<String> PREFIXES = List.of(
            StreamsConfig.MAIN_CONSUMER_PREFIX,
            StreamsConfig.RESTORE_CONSUMER_PREFIX,
            StreamsConfig.GLOBAL_CONSUMER_PREFIX,
            StreamsConfig.CONSUMER_PREFIX,
            StreamsConfig.PRODUCER_PREFIX,
            StreamsConfig.ADMIN_CLIENT_PREFIX);

    private static final String ENVIRONMENT_PREFIX = "KAFKA_";

    /** Replaces values that may be secret. */
    private static final String MASKED = "***";

    /** The settings known to each kind of client. A name has the same meaning in all of them. */
    private static final List<ConfigDef> CLIENTS = List.of(
            AdminClientConfig.configDef(),
            ProducerConfig.configDef(),
            ConsumerConfig.configDef(),
            StreamsConfig.configDef());

    private final Map<String, Given> settings;

    private KafkaSettings(Map<String, Given> settings) {
        this.settings = Map.copyOf(settings);
    }

    /**
     * Collects the settings of a command from all sources.
     *
     * @param bootstrapServers the option, if given
     * @param file a Java properties file in UTF-8, if given
     * @param environment of the process. Only those {@code KAFKA_*} variables count that name a client setting, because
     *     other programs use the prefix, too ({@code KAFKA_HEAP_OPTS}, or {@code KAFKA_PORT} in a Kubernetes pod)
     * @throws UncheckedIOException if the file cannot be read
     */
    public static KafkaSettings of(
            Optional<String> bootstrapServers, Optional<Path> file, Map<String, String> environment) {
        Map<String, Given> settings = new HashMap<>();
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, new Given(DEFAULT_BOOTSTRAP_SERVERS, "default"));
        file.ifPresent(path -> settings.putAll(SettingsSource.file(path).given()));
        settings.putAll(fromEnvironment(environment));
        bootstrapServers.ifPresent(servers -> settings.put(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, new Given(servers, "option --bootstrap-servers")));
        return new KafkaSettings(settings);
    }

    /** Returns settings for the broker of {@code strake up}, which needs no others. */
    public static KafkaSettings of(String bootstrapServers) {
        return new KafkaSettings(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, new Given(bootstrapServers, "the broker of this process")));
    }

    public Cluster cluster() {
        Map<String, String> values = new HashMap<>();
        settings.forEach((name, value) -> values.put(name, value.text()));
        return Cluster.of(values);
    }

    /**
     * Rejects settings that would break the guarantees of the pipeline.
     *
     * @throws MisconfiguredException if there are any; the message names all of them
     */
    public void refuseWrong() {
        ReservedSettings.check(settings, cluster().bootstrapServers());
    }

    /**
     * Returns the settings to show to people. Masks a value unless Kafka knows its setting and does not call it a
     * password, because settings of plug-ins may be secret.
     */
    public Map<String, Given> effective() {
        Map<String, Given> all = new TreeMap<>(settings);
        all.replaceAll((name, value) -> isPublic(name) ? value : new Given(MASKED, value.origin()));
        return all;
    }

    /** The names of the settings, never their values. */
    @Override
    public String toString() {
        return "KafkaSettings" + new TreeSet<>(settings.keySet());
    }

    private static Map<String, Given> fromEnvironment(Map<String, String> environment) {
        Map<String, Given> found = new TreeMap<>();
        environment.forEach((variable, value) -> {
            if (variable.startsWith(ENVIRONMENT_PREFIX)) {
                String name = variable.substring(ENVIRONMENT_PREFIX.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.');
                if (isOfTopics(name) || definition(name).isPresent()) {
                    found.put(name, new Given(value, "environment " + variable));
                }
            }
        });
        return found;
    }

    /* Finds the definition of a setting, ignoring its prefix. */
    private static Optional<ConfigDef.ConfigKey> definition(String name) {
        String bare = ReservedSettings.bare(name);
        return CLIENTS.stream()
                .map(client -> client.configKeys().get(bare))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static boolean isOfTopics(String name) {
        return name.startsWith(StreamsConfig.TOPIC_PREFIX);
    }

    private static boolean isPublic(String name) {
        return isOfTopics(name)
                || definition(name)
                        .map(definition -> definition.type != ConfigDef.Type.PASSWORD)
                        .orElse(false);
    }
}
