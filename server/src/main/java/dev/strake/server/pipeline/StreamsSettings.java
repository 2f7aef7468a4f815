package dev.strake.server.pipeline;

import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.server.settings.Catalogue;
import dev.strake.topology.RenderTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of Kafka Streams in three layers: Strake's defaults, overridden by the operator's settings, overridden
 * by the settings that correctness requires.
 */
final class StreamsSettings {

    /** The largest change takes about 30 s in one transaction; the default of 10 s could abort it every time. */
    private static final int TRANSACTION_TIMEOUT_MILLIS = 60_000;

    /** A record has up to 16 MiB decompressed, so a poll of each thread holds up to 160 MiB. */
    private static final int MAX_POLL_RECORDS = 10;

    /** Larger for a faster restore; these records were written by Strake itself. */
    private static final int MAX_RESTORED_RECORDS = 100;

    private static final int MAX_REQUEST_BYTES = RenderTopology.MAX_RECORD_BYTES + (1 << 20);

    /**
     * Under exactly-once, results are visible only after a commit, so the interval is the latency. All changes of an
     * interval share the cost of a commit, so a longer interval increases throughput.
     */
    private static final int COMMIT_MILLIS = 10;

    private StreamsSettings() {}

    /**
     * Returns the settings of one instance.
     *
     * @throws MisconfiguredException if the operator sets a reserved setting
     */
    static Properties of(PipelineSettings settings) {
        settings.kafka().refuseWrong();
        Map<String, Object> all = suitable(settings);
        all.putAll(settings.kafka().cluster().with(Map.of()));
        all.putAll(required(settings));
        Properties properties = new Properties();
        properties.putAll(all);
        return properties;
    }

    private static Map<String, Object> suitable(PipelineSettings settings) {
        Map<String, Object> all = new HashMap<>();
        all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MILLIS);
        all.put(StreamsConfig.POLL_MS_CONFIG, 5);
        // A task has one partition and waits for no other. By default, Streams composes a message in each
        // iteration, for each task without records, to explain why the task waits.
        all.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, -1L);
        all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
        all.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, MAX_POLL_RECORDS);
        all.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedRocksMemory.class.getName());
        // A returning instance warms up while another has its tasks; once a minute Streams checks whether it has
        // caught up.
        all.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
        settings.settings()
                .get(Catalogue.HTTP_ADVERTISED)
                .ifPresent(address -> all.put(StreamsConfig.APPLICATION_SERVER_CONFIG, address));

        // A revision may publish thousands of documents at once: large batches compress better.
        all.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, 131_072);
        all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, MAX_REQUEST_BYTES); // for uncompressed records
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);

        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        all.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), MAX_RESTORED_RECORDS);
        // Compressed. A fetch returns at least one batch, whatever its size.
        all.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
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
        // A record without a workspace goes to the dead letters, in the transaction that skips it.
        all.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, DeadLetterHandler.class.getName());
        all.put(
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
                settings.topicPrefix() + TopicNames.DEAD_LETTERS);
        all.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, Unwritten.class.getName());
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return all;
    }
}
