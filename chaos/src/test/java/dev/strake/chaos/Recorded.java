package dev.strake.chaos;

import dev.strake.topology.RenderTopology;
import dev.strake.topology.TopologySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.test.TestRecord;

/** The topology, without a broker, at some changes: a history in which nothing went wrong. */
final class Recorded implements AutoCloseable {

    private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
    private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new TreeMap<>();
    private final Path directory;
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> input;

    Recorded() {
        TopologySettings settings = TopologySettings.of(1);
        Properties config = new Properties();
        try {
            directory = Files.createTempDirectory("strake-chaos");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "strake");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        config.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        config.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
                LogAndContinueExceptionHandler.class.getName());
        config.put(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG, "strake.dead-letters");
        driver = new TopologyTestDriver(RenderTopology.build(settings), config, BEGIN);
        for (String topic : History.TOPICS) {
            records.put(topic, new ArrayList<>());
            if (!topic.equals(RenderTopology.CHANGES)) {
                outputs.put(
                        topic,
                        driver.createOutputTopic(
                                "strake." + topic, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
            }
        }
        input = driver.createInputTopic(
                "strake." + RenderTopology.CHANGES, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A run over what a publisher of this seed sends. */
    static History of(long seed, int changes) {
        try (Recorded run = new Recorded()) {
            Load load = new Load(seed, "p", "strake.", 3, 12, 1);
            load.beginning().forEach(run::send);
            for (int i = 0; i < changes; i++) {
                run.send(load.next());
            }
            return run.history();
        }
    }

    void send(ProducerRecord<byte[], byte[]> record) {
        Instant time = BEGIN.plusMillis(records.get(RenderTopology.CHANGES).size());
        keep(RenderTopology.CHANGES, new TestRecord<>(record.key(), record.value(), record.headers(), time));
        input.pipeInput(new TestRecord<>(record.key(), record.value(), record.headers(), time));
        drain();
    }

    void advance(Duration time) {
        driver.advanceWallClockTime(time);
        drain();
    }

    private void drain() {
        outputs.forEach((topic, output) -> output.readRecordsToList().forEach(record -> keep(topic, record)));
    }

    private void keep(String topic, TestRecord<byte[], byte[]> record) {
        List<ConsumerRecord<byte[], byte[]>> all = records.get(topic);
        all.add(History.record(
                "strake." + topic, 0, all.size(), record.timestamp(), record.key(), record.value(), record.headers()));
    }

    History history() {
        return new History("strake.", 1, records);
    }

    @Override
    public void close() {
        driver.close();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
