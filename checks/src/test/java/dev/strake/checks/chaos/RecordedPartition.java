package dev.strake.checks.chaos;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.topology.RenderTopology;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.store.LiveHeads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs the topology, without a broker, on the changes of one partition. The test driver only knows partition 0; where
 * outcomes contain its number, the real number replaces it.
 */
final class RecordedPartition implements AutoCloseable {

    static final String CHANGES = "strake." + TopicNames.CHANGES;

    private final int number;
    private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new TreeMap<>();
    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> input;

    RecordedPartition(int number, boolean holdDocuments, Path directory, Instant begin) {
        this.number = number;
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "strake");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        config.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        config.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
                LogAndContinueExceptionHandler.class.getName());
        config.put(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG, "strake." + TopicNames.DEAD_LETTERS);
        TopologySettings settings = TopologySettings.of(1).holdingDocuments(holdDocuments);
        driver = new TopologyTestDriver(
                RenderTopology.build(settings, ChangeObserver.NONE, new LiveHeads(), UnaryOperator.identity()),
                config,
                begin);
        input = driver.createInputTopic(CHANGES, new ByteArraySerializer(), new ByteArraySerializer());
        for (String topic : History.TOPICS) {
            records.put(topic, new ArrayList<>());
            if (!topic.equals(TopicNames.CHANGES)) {
                outputs.put(
                        topic,
                        driver.createOutputTopic(
                                "strake." + topic, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
            }
        }
    }

    /** Processes a record and collects the results. */
    void send(TestRecord<byte[], byte[]> change) {
        keep(TopicNames.CHANGES, change);
        input.pipeInput(change);
        drain();
    }

    /** Skips a record of another partition, which has no effect here. */
    void pass(TestRecord<byte[], byte[]> change) {
        keep(TopicNames.CHANGES, change);
        input.pipeInput(null, new byte[0]); // advances the offset; without a key, the record belongs to no workspace
        outputs.values().forEach(TestOutputTopic::readRecordsToList);
    }

    void advance(Duration time) {
        driver.advanceWallClockTime(time);
        drain();
    }

    /** The number of changes so far, which is the offset of the next one. */
    int changes() {
        return records.get(TopicNames.CHANGES).size();
    }

    List<ConsumerRecord<byte[], byte[]>> topic(String name) {
        return records.get(name);
    }

    private void drain() {
        outputs.forEach((topic, output) -> output.readRecordsToList().forEach(record -> keep(topic, renamed(record))));
    }

    private void keep(String topic, TestRecord<byte[], byte[]> record) {
        List<ConsumerRecord<byte[], byte[]>> all = records.get(topic);
        all.add(History.record(
                "strake." + topic,
                number,
                all.size(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers()));
    }

    private TestRecord<byte[], byte[]> renamed(TestRecord<byte[], byte[]> record) {
        if (number == 0) {
            return record;
        }
        boolean isDeadLetter = record.headers().lastHeader(HeaderNames.CHANGE_ID) == null;
        Headers headers = new RecordHeaders();
        for (Header header : record.headers()) {
            boolean isPartition = isDeadLetter && header.key().endsWith(".partition");
            headers.add(
                    header.key(),
                    isPartition ? Integer.toString(number).getBytes(StandardCharsets.UTF_8) : renamed(header.value()));
        }
        return new TestRecord<>(
                record.key(), isDeadLetter ? record.value() : renamed(record.value()), headers, record.getRecordTime());
    }

    private byte[] renamed(byte[] bytes) {
        return bytes == null
                ? null
                : new String(bytes, StandardCharsets.ISO_8859_1)
                        .replaceAll(CHANGES + "-0([-@])", CHANGES + "-" + number + "$1")
                        .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        driver.close();
    }
}
