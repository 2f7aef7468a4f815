package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.strake.cli.StrakeCommand;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker and a pipeline, started like {@code strake up}, for tests of programs that use them.
 *
 * <p>The service answers from stores, which are slightly ahead of the topics. A test may have to wait until a topic
 * contains what it saw over HTTP.
 */
public final class TestStrake implements AutoCloseable {

    public static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]}
            """;

    /** A document that does not render: the source of its substitution does not exist. */
    public static final String BROKEN = document("broken", "{b: 1}")
            .replace(
                    "layer: site}",
                    "layer: site}, substitutions: [{src: {schema: example/Secret/v1, name: nowhere, path: .}, dest: {path: .a}}]");

    private static TestStrake shared;

    private final LocalServer server;

    private TestStrake(LocalServer server) {
        this.server = server;
    }

    /** Starts a separate Strake, with records of this test only. */
    public static TestStrake start(Path data) throws Exception {
        return start(data, settings -> settings.with(Catalogue.PARTITIONS, 2));
    }

    /** Starts a separate Strake with other settings than one partition and one thread. */
    public static TestStrake start(Path data, UnaryOperator<Settings> with) throws Exception {
        LocalServer server = LocalServer.start(with.apply(Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                .with(Catalogue.DATA, data)
                .with(Catalogue.HTTP_PORT, 0)
                .with(Catalogue.PARTITIONS, 1)
                .with(Catalogue.THREADS, 1)));
        server.server().pipeline().awaitReady(Duration.ofMinutes(10));
        return new TestStrake(server);
    }

    /** Returns the Strake that all tests of this JVM share. Each test uses its own workspace and group. */
    public static synchronized TestStrake shared() {
        if (shared == null) {
            try {
                TemporaryDirectory data = TemporaryDirectory.create("strake-test");
                TestStrake started = start(data.path());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started, data), "strake of tests"));
                shared = started;
            } catch (Exception e) {
                throw new IllegalStateException("the Strake of the tests did not start", e);
            }
        }
        return shared;
    }

    private static void end(TestStrake started, TemporaryDirectory data) {
        started.close();
        try {
            data.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String bootstrapServers() {
        return server.bootstrapServers();
    }

    public String url() {
        return server.url();
    }

    /** Returns a document of the layer site. */
    public static String document(String name, String data) {
        return """
                ---
                schema: example/Kind/v1
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: %s
                """.formatted(name, data);
    }

    /** Publishes documents and a layering policy, and waits for the outcome. */
    public void publish(String workspace, String documents, String... options) {
        publish(0, workspace, documents, options);
    }

    /** As {@link #publish(String, String, String...)}, and checks the exit code of the command. */
    public void publish(int code, String workspace, String documents, String... options) {
        try {
            Path file = Files.writeString(Files.createTempFile("published", ".yaml"), POLICY + documents);
            List<String> line = new ArrayList<>(
                    List.of("publish", "-w", workspace, "--wait", "--bootstrap-servers", bootstrapServers()));
            line.addAll(List.of(options));
            line.add(file.toString());
            StrakeCommand.run(code, line.toArray(String[]::new));
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a raw record to the topic of changes. */
    public void send(String key, String value, Map<String, String> headers) throws Exception {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>("strake.document-changes", key.getBytes(UTF_8), value.getBytes(UTF_8));
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(record).get();
        }
    }

    /** Returns the rendered documents of a workspace from the service. */
    String rendered(String workspace) {
        return StrakeCommand.run(0, "get", "rendered", "-w", workspace, "--url", url(), "-o", "yaml");
    }

    /** Starts a command in a separate process, which a test may kill. Its output is appended to the log. */
    Process program(Path log, String... command) throws IOException {
        return program(log, Map.of(), List.of(), command);
    }

    Process program(Path log, Map<String, String> environment, List<String> ofJvm, String... command)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("-Xmx256m"));
        options.addAll(ofJvm);
        List<String> line = Packaged.line(options, List.of(command));
        line.addAll(List.of("--bootstrap-servers", bootstrapServers()));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Returns all records now committed to a topic; empty if the topic does not exist. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        return read(bootstrapServers(), topic);
    }

    static List<ConsumerRecord<byte[], byte[]>> read(String bootstrapServers, String topic) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("allow.auto.create.topics", false);
        settings.put("isolation.level", "read_committed");
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.listTopics().getOrDefault(topic, List.of()).stream()
                    .map(each -> new TopicPartition(each.topic(), each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    @Override
    public void close() {
        server.close();
    }
}
