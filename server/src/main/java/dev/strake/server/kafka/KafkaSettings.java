package dev.strake.server.kafka;

import dev.strake.client.Cluster;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.SettingsSource;
import dev.strake.server.settings.SettingsSource.Given;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings with which every client of Strake reaches its cluster. Any setting of Kafka passes through, so that SASL,
 * TLS and the rest work as Kafka documents them. Where one is given twice the more deliberate place wins:
 *
 * <pre>
 *  --bootstrap-servers  &gt;  KAFKA_* environment  &gt;  --kafka-config FILE  &gt;  127.0.0.1:9092
 * </pre>
 *
 * <p>Settings hold passwords. They are handed to Kafka's clients and to nobody else; the text form shows names only.
 */
public final class KafkaSettings {

    /** Where {@code strake up} listens. */
    public static final String DEFAULT_BOOTSTRAP_SERVERS = "127.0.0.1:9092";

    /** With these a setting is for one kind of client, as Kafka Streams documents. */
    public static final List<String> PREFIXES = List.of(
            StreamsConfig.MAIN_CONSUMER_PREFIX,
            StreamsConfig.RESTORE_CONSUMER_PREFIX,
            StreamsConfig.GLOBAL_CONSUMER_PREFIX,
            StreamsConfig.CONSUMER_PREFIX,
            StreamsConfig.PRODUCER_PREFIX,
            StreamsConfig.ADMIN_CLIENT_PREFIX);

    private static final String ENVIRONMENT_PREFIX = "KAFKA_";

    /** Shown in place of what might be a secret. */
    private static final String MASKED = "***";

    /** What the clients know: several of them know a setting, and all mean the same by it. */
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
     * Gathers the settings of a command from where they may be given.
     *
     * @param bootstrapServers the option, if it was given
     * @param file a Java properties file in UTF-8, if one was given
     * @param environment of the process; of its {@code KAFKA_*} variables those count that name a client setting, as
     *     other programs have theirs too ({@code KAFKA_HEAP_OPTS}, {@code KAFKA_PORT} in a Kubernetes pod)
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

    /** For the broker of {@code strake up}, which wants no other settings. */
    public static KafkaSettings of(String bootstrapServers) {
        return new KafkaSettings(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, new Given(bootstrapServers, "the broker of this process")));
    }

    public Cluster cluster() {
        Map<String, String> values = new HashMap<>();
        settings.forEach((name, value) -> values.put(name, value.text()));
        return Cluster.of(values);
    }

    public String bootstrapServers() {
        return cluster().bootstrapServers();
    }

    /** These settings, overridden by those which the client in question must have. */
    public Map<String, Object> with(Map<String, ?> required) {
        return cluster().with(required);
    }

    /**
     * Refuses settings under which the pipeline could not keep its promises.
     *
     * @throws MisconfiguredException if there are any; the message names all of them
     */
    public void refuseWrong() {
        ReservedSettings.check(settings, bootstrapServers());
    }

    /**
     * What was given, for people to see. A value shows only if Kafka knows its setting, and does not call it a password:
     * of a setting of somebody's plug-in nobody here can tell.
     */
    public Map<String, Given> effective() {
        Map<String, Given> all = new TreeMap<>(settings);
        all.replaceAll((name, value) -> isPublic(name) ? value : new Given(MASKED, value.origin()));
        return all;
    }

    public Admin admin(Duration timeout) {
        return cluster().admin(timeout);
    }

    public <T> T await(KafkaFuture<T> answer, Duration timeout) {
        return cluster().await(answer, timeout);
    }

    public RuntimeException unavailable(Throwable cause) {
        return cluster().unavailable(cause);
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

    /* What a client that knows a setting says of it, whatever prefix it has. */
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
