package dev.strake.server.pipeline;

import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.InvalidSettingException;
import dev.strake.topology.RenderTopology;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of Kafka Streams in three layers: what suits this work, over it what the operator says, and over that
 * what correctness does not leave open.
 */
final class StreamsSettings {

    /** The largest change that limits allow is one transaction, of some 30 s; Streams' own 10 s could end it every time. */
    static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(60);

    /** Kafka's own default, like the next one. */
    private static final Duration MAX_POLL_INTERVAL = Duration.ofMinutes(5);

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private static final int MAX_REQUEST_BYTES = RenderTopology.MAX_RECORD_BYTES + (1 << 20);

    /** With less than this for any of {@link #TIMES} an instance starts, and is never ready. */
    private static final int LEAST_MILLIS = 1_000;

    private static final List<String> TIMES = List.of(
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);

    /** With more than this for any of {@link #WAITS} an instance waits where it could go on, and says nothing meanwhile. */
    private static final int MOST_MILLIS = 60_000;

    private static final List<String> WAITS = List.of(
            StreamsConfig.POLL_MS_CONFIG,
            StreamsConfig.RETRY_BACKOFF_MS_CONFIG,
            CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG,
            StreamsConfig.RECONNECT_BACKOFF_MS_CONFIG,
            StreamsConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG);

    /**
     * What {@link Catalogue#PROFILE} means. Under exactly-once nothing is visible before the commit, so its interval is
     * the latency; and what a commit costs is shared by all changes before it, so its interval is the throughput too.
     */
    private enum Profile {
        LATENCY(10, 5),
        THROUGHPUT(100, 20);

        private final int commitMillis;
        private final int lingerMillis;

        Profile(int commitMillis, int lingerMillis) {
            this.commitMillis = commitMillis;
            this.lingerMillis = lingerMillis;
        }

        static Profile of(PipelineSettings settings) {
            return valueOf(settings.settings().get(Catalogue.PROFILE).toUpperCase(Locale.ROOT));
        }
    }

    private StreamsSettings() {}

    /**
     * The settings of one instance.
     *
     * @throws InvalidSettingException if the operator sets what is not open, or limits that contradict each other
     */
    static Properties of(PipelineSettings settings) {
        settings.kafka().refuseWrong();
        refuseMoreInSyncThanThereAre(settings);
        Map<String, Object> given = settings.kafka().with(Map.of());
        refuseTooSmall(
                given,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                MAX_REQUEST_BYTES,
                "the largest record that is written has to fit");
        TIMES.forEach(name -> refuseTooSmall(given, name, LEAST_MILLIS, "in less milliseconds no broker answers"));
        WAITS.forEach(name -> refuseTooLarge(given, name, MOST_MILLIS, "an instance would only wait for so long"));
        Map<String, Object> all = suitable(settings);
        all.putAll(given);
        all.putAll(required(settings));
        Properties properties = new Properties();
        properties.putAll(all);
        refuseContradictions(properties);
        refuseFetchesThatNeverEnd(properties, StreamsConfig.MAIN_CONSUMER_PREFIX);
        refuseFetchesThatNeverEnd(properties, StreamsConfig.RESTORE_CONSUMER_PREFIX);
        refuseSegmentsSmallerThanBatches(properties);
        return properties;
    }

    /** How long a transaction may last. */
    static Duration transactionTimeout(Properties all) {
        return Duration.ofMillis(firstOf(
                all,
                TRANSACTION_TIMEOUT.toMillis(),
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG));
    }

    private static void refuseContradictions(Properties all) {
        long transaction = transactionTimeout(all).toMillis();
        long poll = ofConsumer(
                all,
                StreamsConfig.MAIN_CONSUMER_PREFIX,
                ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                MAX_POLL_INTERVAL.toMillis());
        long commit = firstOf(all, 0, StreamsConfig.COMMIT_INTERVAL_MS_CONFIG);
        if (transaction > poll) {
            throw new InvalidSettingException(
                    "transaction.timeout.ms is %d and max.poll.interval.ms is %d (settings of Kafka): a change that lasts longer than the second loses its tasks and is begun again, for ever. Make max.poll.interval.ms at least as long."
                            .formatted(transaction, poll));
        }
        if (commit >= transaction) {
            throw new InvalidSettingException(
                    "commit.interval.ms is %d and transaction.timeout.ms is %d (settings of Kafka): brokers would end every transaction before its commit. Make commit.interval.ms shorter."
                            .formatted(commit, transaction));
        }
    }

    /* A consumer that gives up a fetch before the broker answers it asks for the same again. */
    private static void refuseFetchesThatNeverEnd(Properties all, String consumer) {
        long wait = ofConsumer(all, consumer, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 0);
        long timeout = ofConsumer(all, consumer, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT.toMillis());
        if (wait >= timeout) {
            throw new InvalidSettingException(
                    "fetch.max.wait.ms is %d and request.timeout.ms is %d (settings of Kafka, for %s*): a consumer would give up each fetch before the broker answers it, and read nothing. Make fetch.max.wait.ms shorter."
                            .formatted(wait, timeout, consumer));
        }
    }

    private static long ofConsumer(Properties all, String consumer, String name, long fallback) {
        return firstOf(all, fallback, consumer + name, StreamsConfig.consumerPrefix(name), name);
    }

    /* Streams compares the two as well, but takes no blank and names no setting. */
    private static void refuseSegmentsSmallerThanBatches(Properties all) {
        String segment = StreamsConfig.topicPrefix(TopicConfig.SEGMENT_BYTES_CONFIG);
        if (all.containsKey(segment)) {
            String batch = ProducerConfig.BATCH_SIZE_CONFIG;
            long batchBytes = firstOf(all, 0, StreamsConfig.producerPrefix(batch), batch);
            long bytes = wholeNumber(all, segment);
            if (bytes < batchBytes) {
                throw new InvalidSettingException(
                        "%s is %d and batch.size is %d (settings of Kafka): a batch has to fit into a segment of a changelog. Remove the first, or make it at least as large."
                                .formatted(segment, bytes, batchBytes));
            }
            all.put(segment, Long.toString(bytes));
        }
    }

    private static void refuseTooSmall(Map<String, Object> given, String name, int least, String why) {
        refuse(given, name, number -> number < least, "has to be at least " + least + ": " + why + ". Raise it");
    }

    private static void refuseTooLarge(Map<String, Object> given, String name, int most, String why) {
        refuse(given, name, number -> number > most, "may be " + most + " at the most: " + why + ". Lower it");
    }

    private static void refuse(Map<String, Object> given, String name, LongPredicate isWrong, String remedy) {
        Stream.concat(Stream.of(""), KafkaSettings.PREFIXES.stream())
                .forEach(prefix -> number(given, prefix + name)
                        .filter(isWrong::test)
                        .ifPresent(number -> {
                            throw new InvalidSettingException("%s is %d, and %s, or remove the setting."
                                    .formatted(prefix + name, number, remedy));
                        }));
    }

    private static long firstOf(Properties all, long fallback, String... names) {
        return Stream.of(names)
                .flatMap(name -> number(all, name).stream())
                .findFirst()
                .orElse(fallback);
    }

    /** The value of a setting, read as Kafka reads it; empty if there is none, or if it is Kafka's to refuse. */
    static Optional<Long> number(Map<?, ?> settings, String name) {
        Object value = settings.get(name);
        try {
            String text = value == null ? null : value.toString();
            return Optional.ofNullable((Long) ConfigDef.parseType(name, text, ConfigDef.Type.LONG));
        } catch (ConfigException e) {
            return Optional.empty();
        }
    }

    /** The same of one that is read here, and so cannot be left to Kafka. */
    static long wholeNumber(Map<?, ?> settings, String name) {
        return number(settings, name)
                .orElseThrow(() ->
                        new InvalidSettingException("%s is '%s' (a setting of Kafka), and has to be a whole number."
                                .formatted(name, settings.get(name))));
    }

    private static void refuseMoreInSyncThanThereAre(PipelineSettings settings) {
        int most = settings.replication().map(Short::intValue).orElse(Integer.MAX_VALUE);
        settings.minInSync().filter(least -> least > most).ifPresent(least -> {
            throw new InvalidSettingException(
                    "strake.min-insync-replicas is %d and strake.replication-factor is %d: with more in sync than there are nothing can be written. Make it %d or less."
                            .formatted(least, most, most));
        });
    }

    private static Map<String, Object> suitable(PipelineSettings settings) {
        Map<String, Object> all = new HashMap<>();
        Profile profile = Profile.of(settings);
        all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, profile.commitMillis);
        all.put(StreamsConfig.POLL_MS_CONFIG, 5);
        all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
        all.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 100);
        all.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedRocksMemory.class.getName());
        // An instance that came back warms up beside the one that has its tasks now; ask once a minute whether it is
        // done.
        all.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
        settings.instanceId().ifPresent(id -> all.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));
        all.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.settings().get(Catalogue.STANDBY_REPLICAS));
        settings.settings()
                .get(Catalogue.HTTP_ADVERTISED)
                .ifPresent(address -> all.put(StreamsConfig.APPLICATION_SERVER_CONFIG, address));

        // A revision may publish thousands of documents at once: large batches, compressed against each other.
        all.put(ProducerConfig.LINGER_MS_CONFIG, profile.lingerMillis);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, 131_072);
        all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, MAX_REQUEST_BYTES); // for a record as it is before it is packed
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Math.toIntExact(TRANSACTION_TIMEOUT.toMillis()));

        // Changes are up to 16 MiB each as they are packed; what they unpack to, PollBudget bounds.
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 100);
        all.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 2 * RecordSize.TOPIC_TAKES);
        return all;
    }

    private static Map<String, Object> required(PipelineSettings settings) {
        Map<String, Object> all = new HashMap<>();
        all.put(StreamsConfig.APPLICATION_ID_CONFIG, settings.applicationId());
        all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        all.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateDirectory().toString());
        all.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        all.put(Catalogue.STORE_MEMORY_BYTES.name(), settings.settings().get(Catalogue.STORE_MEMORY_BYTES));
        settings.replication()
                .ifPresent(replicas -> all.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replicas.intValue()));
        settings.minInSync()
                .ifPresent(replicas -> all.put(
                        StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG), replicas.toString()));
        // A record without a workspace goes to the dead letters, in the transaction that passes it by.
        all.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, ObservedDeadLetters.class.getName());
        all.put(
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
                settings.topicPrefix() + TopicNames.DEAD_LETTERS);
        all.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, Unwritten.class.getName());
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return all;
    }
}
