package dev.strake.service.kafka;

import dev.strake.service.settings.Effective;
import dev.strake.service.settings.InvalidSettingException;
import dev.strake.service.settings.Source;
import dev.strake.service.settings.Source.Given;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.InvalidTimestampException;
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
        file.ifPresent(path -> settings.putAll(Source.file(path).given()));
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

    public String bootstrapServers() {
        return settings.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG).text();
    }

    /** These settings, overridden by those which the client in question must have. */
    public Map<String, Object> with(Map<String, ?> required) {
        Map<String, Object> all = new HashMap<>();
        settings.forEach((name, value) -> all.put(name, value.text()));
        all.putAll(required);
        return all;
    }

    /**
     * Refuses settings under which the pipeline could not keep its promises.
     *
     * @throws InvalidSettingException if there are any; the message names all of them
     */
    public void refuseReserved() {
        new ReservedSettings().check(settings);
    }

    /** Where a setting was given, in words; empty if it was not. */
    public Optional<String> origin(String name) {
        return Optional.ofNullable(settings.get(name)).map(Given::origin);
    }

    /**
     * What was given, for people to see. A value shows only if Kafka knows its setting, and does not call it a password:
     * of a setting of somebody's plug-in nobody here can tell.
     */
    public List<Effective> effective() {
        return settings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> new Effective(
                        each.getKey(),
                        isPublic(each.getKey()) ? each.getValue().text() : MASKED,
                        each.getValue().origin()))
                .toList();
    }

    private static boolean isPublic(String name) {
        String bare = ReservedSettings.bare(name);
        return CLIENTS.stream()
                .filter(client -> client.names().contains(bare))
                .findFirst()
                .map(client -> client.configKeys().get(bare).type != ConfigDef.Type.PASSWORD)
                .orElse(false);
    }

    /** A client for topics and groups. The caller closes it. */
    public Admin admin(Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        try {
            return Admin.create(with(Map.of(
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis)));
        } catch (KafkaException e) {
            throw unavailable(e);
        }
    }

    /**
     * Waits for an answer of the cluster.
     *
     * @throws KafkaUnavailableException if none comes in time, or the cluster does not let us in or does not permit it
     */
    public <T> T await(KafkaFuture<T> answer, Duration timeout) {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw unavailable(e.getCause());
        } catch (TimeoutException e) {
            throw unavailable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    /**
     * Says which cluster failed us, how, and where to look.
     *
     * @return a {@link KafkaUnavailableException} for what may be better at the next start, an {@link
     *     InvalidSettingException} or a {@link MisconfiguredException} for what somebody has to change first
     */
    public RuntimeException unavailable(Throwable cause) {
        String where = "Kafka at " + bootstrapServers() + " ";
        for (Throwable each = cause; each != null; each = each.getCause()) {
            String message = each.getMessage() == null ? "" : each.getMessage();
            // Where clients are made these tell of settings; later they would be mistakes.
            boolean isOfSettings = each instanceof ConfigException
                    || (each instanceof IllegalArgumentException
                            && String.valueOf(cause.getMessage()).startsWith("Failed to c"));
            if (isOfSettings && !message.contains(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)) {
                return new InvalidSettingException("Kafka's clients cannot work with these settings: " + message
                        + " Check KAFKA_* and --kafka-config.");
            }
        }
        // Of a transaction's length the producer tells in words only.
        boolean isTransaction = sentence(cause).contains("transaction.max.timeout.ms");
        if (isTransaction || cause instanceof InvalidSessionTimeoutException) {
            return new MisconfiguredException(
                    where
                            + (isTransaction
                                    ? "allows no transactions as long as transaction.timeout.ms says. Lower it, or raise transaction.max.timeout.ms of the brokers."
                                    : "allows no sessions as long or as short as session.timeout.ms says. Change it, or group.min.session.timeout.ms and group.max.session.timeout.ms of the brokers."),
                    cause);
        }
        return new KafkaUnavailableException(where + problem(cause), cause);
    }

    private static String problem(Throwable cause) {
        String reason = sentence(cause);
        if (cause instanceof AuthenticationException) {
            return "does not let us in: " + reason + " Check the credentials in KAFKA_* or --kafka-config.";
        }
        if (cause instanceof AuthorizationException) {
            return "does not permit it: " + reason
                    + " Grant the user the rights that deploy/README.md lists; another login is of no use.";
        }
        if (cause instanceof TimeoutException || cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            return "did not answer in time. Does it run, is --bootstrap-servers right, does it want TLS or SASL?";
        }
        if (cause instanceof InvalidTimestampException || cause instanceof InvalidRecordException) {
            return "refuses records: " + reason
                    + " If that is for their time, check the clock of this machine, and the broker's.";
        }
        return "cannot be used: " + reason + " Check --bootstrap-servers, KAFKA_* and --kafka-config.";
    }

    /** The names of the settings, never their values. */
    @Override
    public String toString() {
        return "KafkaSettings" + new TreeSet<>(settings.keySet());
    }

    private static String sentence(Throwable cause) {
        // Kafka wraps the reason ("Failed to create new KafkaAdminClient"): the innermost one is worth reading.
        Throwable reason = cause;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        String message = reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage();
        return message.endsWith(".") ? message : message + ".";
    }

    private static Map<String, Given> fromEnvironment(Map<String, String> environment) {
        Map<String, Given> found = new TreeMap<>();
        environment.forEach((variable, value) -> {
            if (variable.startsWith(ENVIRONMENT_PREFIX)) {
                String name = variable.substring(ENVIRONMENT_PREFIX.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.');
                String bare = ReservedSettings.bare(name);
                if (CLIENTS.stream().anyMatch(client -> client.names().contains(bare))) {
                    found.put(name, new Given(value, "environment " + variable));
                }
            }
        });
        return found;
    }
}
