package dev.strake.local.deploy;

import static dev.strake.local.StrakeCommand.run;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.strake.local.LocalServer;
import dev.strake.local.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What {@code strake up} runs, and a workspace of small documents in it. */
final class LocalStrake implements AutoCloseable {

    static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [global, site]}
            """;

    /** A document that does not render: what it substitutes from is nowhere. */
    static final String BROKEN = """
            ---
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: broken
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
                - {src: {schema: example/Secret/v1, name: nowhere, path: .}, dest: {path: .a}}
            data: {b: 1}
            """;

    private final LocalServer server;
    private final Path directory;

    LocalStrake(Path directory) throws Exception {
        this.directory = directory;
        this.server = TestServer.start(directory.resolve("data"), 3);
    }

    String bootstrapServers() {
        return server.bootstrapServers();
    }

    /** Where it answers HTTP. */
    String url() {
        return "http://127.0.0.1:" + server.server().httpPort();
    }

    /** A document of the layer site. */
    static String document(String name, String data) {
        return """
                ---
                schema: example/Kind/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: %s
                """.formatted(name, data);
    }

    /** Publishes these documents as the whole of a bucket and waits for the outcome. */
    void publish(int code, String workspace, String yaml) throws Exception {
        Path file = Files.writeString(directory.resolve("published.yaml"), yaml);
        run(code, "publish", "-w", workspace, "--wait", "--bootstrap-servers", bootstrapServers(), file.toString());
    }

    /** Sends a record to the topic of changes, as it is. */
    void send(String key, String value, Map<String, String> headers) throws Exception {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                "strake.document-changes",
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8));
        headers.forEach((name, text) -> message.headers().add(name, text.getBytes(UTF_8)));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(message).get();
        }
    }

    /** All committed records that the topics hold now, by topic. */
    Map<String, List<ConsumerRecord<byte[], byte[]>>> records(Iterable<String> topics) {
        Map<String, List<ConsumerRecord<byte[], byte[]>>> found = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            for (String topic : topics) {
                List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                        .map(partition -> new TopicPartition(topic, partition.partition()))
                        .toList();
                List<ConsumerRecord<byte[], byte[]>> records = found.computeIfAbsent(topic, name -> new ArrayList<>());
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                consumer.endOffsets(partitions).forEach((partition, end) -> {
                    while (consumer.position(partition) < end) {
                        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                    }
                });
            }
        }
        return found;
    }

    @Override
    public void close() {
        server.close();
    }
}
