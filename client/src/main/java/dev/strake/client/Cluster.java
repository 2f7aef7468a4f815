package dev.strake.client;

import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * A Kafka cluster and the settings of its clients. Accepts every setting of Kafka's clients, including those for SASL
 * and TLS.
 *
 * <p>Settings may contain passwords. Only Kafka's clients receive them; {@code toString} lists names only.
 */
public final class Cluster {

    private final Map<String, Object> settings;

    private Cluster(Map<String, Object> settings) {
        this.settings = Map.copyOf(settings);
    }

    /**
     * Creates a cluster from settings of Kafka's clients.
     *
     * @throws IllegalArgumentException if {@code bootstrap.servers} is missing
     */
    public static Cluster of(Map<String, ?> settings) {
        if (!settings.containsKey(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("bootstrap.servers is missing: where Kafka is, as host:port");
        }
        return new Cluster(new HashMap<>(settings));
    }

    /** Creates a cluster without further settings. */
    public static Cluster at(String bootstrapServers) {
        return of(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    public String bootstrapServers() {
        return settings.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG).toString();
    }

    /** Returns the settings, overridden by {@code required}. */
    public Map<String, Object> with(Map<String, ?> required) {
        Map<String, Object> all = new HashMap<>(settings);
        all.putAll(required);
        return all;
    }

    /**
     * Creates an admin client. The caller closes it.
     *
     * @throws KafkaUnavailableException if the client cannot be created now
     * @throws MisconfiguredException if its settings are invalid
     */
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
     * Waits for the result of a request.
     *
     * @throws KafkaUnavailableException if the cluster rejects the request or does not answer in time
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
            throw new InterruptException(e);
        }
    }

    /**
     * Creates a topic with as many partitions as an existing topic of the pipeline, unless it exists.
     *
     * @return the number of partitions
     * @throws KafkaUnavailableException if the cluster does not answer or denies permission, or the numbers differ
     */
    public int createLike(String pipelines, String topic, Map<String, String> config, Duration timeout) {
        try (Admin admin = admin(timeout)) {
            Set<String> present = await(admin.listTopics().names(), timeout);
            if (!present.contains(pipelines)) {
                throw lacks(pipelines);
            }
            int partitions = partitions(admin, pipelines, timeout);
            // Only if the topic is missing: Kafka rejects a client without the permission to create topics even if
            // the topic exists.
            if (!present.contains(topic)) {
                create(admin, new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config), timeout);
            } else if (partitions(admin, topic, timeout) != partitions) {
                throw new KafkaUnavailableException(
                        "%s has to have as many partitions as %s, %d".formatted(topic, pipelines, partitions));
            }
            return partitions;
        }
    }

    private int partitions(Admin admin, String topic, Duration timeout) {
        return await(admin.describeTopics(List.of(topic)).allTopicNames(), timeout)
                .get(topic)
                .partitions()
                .size();
    }

    private void create(Admin admin, NewTopic topic, Duration timeout) {
        try {
            await(admin.createTopics(List.of(topic)).all(), timeout);
        } catch (KafkaUnavailableException e) {
            if (!(e.getCause() instanceof TopicExistsException)) { // another program created it first
                throw e;
            }
        }
    }

    /** Creates the exception for a missing topic of the pipeline. */
    KafkaUnavailableException lacks(String topic) {
        return new KafkaUnavailableException(
                "Kafka at %s has no topic %s. Start 'strake up' or 'strake serve', which create it, or check --topic-prefix."
                        .formatted(bootstrapServers(), topic));
    }

    /**
     * Translates a failure into an exception that names the cluster, the problem and its remedy.
     *
     * @return a {@link KafkaUnavailableException} if a retry may succeed, a {@link MisconfiguredException} if the
     *     operator has to change something first
     */
    public RuntimeException unavailable(Throwable cause) {
        String where = "Kafka at " + bootstrapServers() + " ";
        boolean isMade = !String.valueOf(cause.getMessage()).startsWith("Failed to c");
        for (Throwable each = cause; each != null; each = each.getCause()) {
            String fault = faultOfSettings(each, isMade);
            if (!fault.isEmpty()) {
                return new MisconfiguredException(
                        "Kafka's clients cannot work with these settings: %s Check %sKAFKA_* and --kafka-config."
                                .formatted(
                                        ended(fault),
                                        fault.contains(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)
                                                ? "--bootstrap-servers (host:port), "
                                                : ""),
                        cause);
            }
        }
        if (cause instanceof InconsistentGroupProtocolException) {
            return new MisconfiguredException(
                    where
                            + "has another program in the same consumer group. Stop that one, or give Strake a group"
                            + " of its own: strake.application-id.",
                    cause);
        }
        // Subclasses of InvalidConfigurationException report other problems. The producer reports an excessive
        // transaction timeout only in the text of its message.
        if (cause.getClass() == InvalidConfigurationException.class
                || cause instanceof InvalidSessionTimeoutException
                || sentence(cause).contains("transaction.max.timeout.ms")) {
            return new MisconfiguredException(where + "refuses a setting: " + sentence(cause) + " Change it.", cause);
        }
        if (cause instanceof RecordTooLargeException) {
            return new MisconfiguredException(
                    where + "does not accept a record of this size: " + sentence(cause)
                            + " Cut the change into parts, as NewChange.ofBucket does, or into several changes.",
                    cause);
        }
        if (cause instanceof PolicyViolationException) {
            return new MisconfiguredException(
                    where + "forbids it by a policy: " + sentence(cause)
                            + " Ask the operator of the cluster to allow it, or to do it for you.",
                    cause);
        }
        return new KafkaUnavailableException(where + problem(cause), cause);
    }

    /*
     * Returns what is wrong with the settings, or an empty string. Exceptions other than ConfigException count only
     * while a client is created: later they would be bugs. An unknown host does not count, because a retry may resolve
     * it.
     */
    private static String faultOfSettings(Throwable failure, boolean isMade) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof ConfigException || (failure instanceof IllegalArgumentException && !isMade)) {
            boolean isUnknownHost =
                    message.contains(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG) && !message.startsWith("Invalid ");
            return isUnknownHost ? "" : message;
        }
        if (isMade) {
            return "";
        }
        if (failure instanceof ClassNotFoundException) {
            return "There is no class " + message;
        }
        boolean isOfKeys =
                failure instanceof KafkaException && message.matches("Failed to load (PEM )?SSL keystore .*");
        return isOfKeys ? message + ": " + sentence(failure) : "";
    }

    private static String problem(Throwable cause) {
        String reason = sentence(cause);
        if (cause instanceof SslAuthenticationException) { // an AuthenticationException, too, but no password is wrong
            return "and this machine do not agree on TLS: " + reason
                    + " Check ssl.truststore.* (authorities) and ssl.keystore.* (own certificate) in KAFKA_* or"
                    + " --kafka-config.";
        }
        if (cause instanceof AuthenticationException) {
            return "rejects the login: " + reason + " Check the credentials in KAFKA_* or --kafka-config.";
        }
        if (cause instanceof AuthorizationException) {
            return "does not permit it: " + reason + " Grant the user the rights that deploy/README.md lists.";
        }
        if (cause instanceof TimeoutException || cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            return "did not answer in time. Check that it runs, --bootstrap-servers, and whether it needs TLS or SASL.";
        }
        if (cause instanceof InvalidTimestampException || cause instanceof InvalidRecordException) {
            return "refuses records: " + reason
                    + " If it is about their time, check the clocks of this machine and the broker.";
        }
        return "cannot be used: " + reason + " Check --bootstrap-servers, KAFKA_* and --kafka-config.";
    }

    private static String sentence(Throwable cause) {
        // Kafka wraps the reason ("Failed to create new KafkaAdminClient"), so the innermost cause is reported.
        Throwable reason = cause;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        if (reason instanceof NoSuchFileException missing) {
            return "there is no file " + missing.getFile() + ".";
        }
        return ended(reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage());
    }

    private static String ended(String sentence) {
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }

    /** Returns the names of the settings, never their values. */
    @Override
    public String toString() {
        return "Cluster" + new TreeSet<>(settings.keySet());
    }
}
