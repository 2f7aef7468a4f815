package dev.strake.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.access.Token;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicPolicyIT;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A complete server for one test, with its own topics and group, on a broker shared by the tests of this JVM. */
public final class Installation implements AutoCloseable {

    public static final Duration TIMEOUT = Duration.ofMinutes(10);
    public static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]}
            """;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static EmbeddedBroker broker;

    private final String prefix;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private Settings settings;
    private Server server;

    /**
     * @param name unique among the tests
     * @param data the state directory of the instance
     */
    public Installation(String name, Path data, int partitions) {
        this.prefix = name + ".";
        this.partitions = partitions;
        this.settings = Settings.defaults()
                .with(Catalogue.APPLICATION_ID, name)
                .with(Catalogue.TOPIC_PREFIX, prefix)
                .with(Catalogue.PARTITIONS, partitions)
                .with(Catalogue.REPLICATION_FACTOR, 1)
                .with(Catalogue.THREADS, 1)
                .with(Catalogue.HTTP_PORT, 0)
                .with(Catalogue.DATA, data);
        this.producer = new KafkaProducer<>(
                kafka().cluster().with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    public static synchronized EmbeddedBroker broker() {
        if (broker == null) {
            try {
                Path data = Files.createTempDirectory(Path.of("target"), "kafka");
                broker = EmbeddedBroker.start(
                        data,
                        0,
                        Map.of(
                                "group.min.session.timeout.ms",
                                1_000,
                                "create.topic.policy.class.name",
                                TopicPolicyIT.Policy.class.getName()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return broker;
    }

    public static KafkaSettings kafka() {
        return KafkaSettings.of(broker().bootstrapServers());
    }

    public static KafkaSettings kafka(Map<String, String> environment) {
        return KafkaSettings.of(Optional.of(broker().bootstrapServers()), Optional.empty(), environment);
    }

    public static Admin admin() {
        return kafka().cluster().admin(TIMEOUT);
    }

    public Installation with(Setting<?> setting, Object value) {
        settings = settings.with(setting, value);
        return this;
    }

    public Settings settings() {
        return settings;
    }

    public String topic(String name) {
        return prefix + name;
    }

    /** Starts the service, and waits until it is ready. */
    public Server startServer() throws Exception {
        return startServer(Map.of());
    }

    public Server startServer(Map<String, String> environment) throws Exception {
        server = Server.start(new PipelineSettings(kafka(environment), settings));
        server.pipeline().awaitReady(TIMEOUT);
        return server;
    }

    /** Starts a pipeline without HTTP. */
    public Pipeline startPipeline() {
        return startPipeline(Map.of());
    }

    public Pipeline startPipeline(Map<String, String> environment) {
        return Pipeline.start(new PipelineSettings(kafka(environment), settings), PipelineObserver.NONE);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.httpPort() + path;
    }

    /** Returns a document of the layer site. */
    public static String document(String name, Object value) {
        return """
                ---
                schema: example/Server/v1
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: {value: %s}
                """.formatted(name, value);
    }

    /** Publishes a change of bucket b to the topic. */
    public void publish(String workspace, String documents, String... headers) throws Exception {
        ProducerRecord<byte[], byte[]> change =
                new ProducerRecord<>(topic("document-changes"), workspace.getBytes(UTF_8), documents.getBytes(UTF_8));
        change.headers().add("bucket", "b".getBytes(UTF_8));
        for (int i = 0; i < headers.length; i += 2) {
            change.headers().add(headers[i], headers[i + 1].getBytes(UTF_8));
        }
        publish(change);
    }

    public void publish(ProducerRecord<byte[], byte[]> change) throws Exception {
        producer.send(change).get();
    }

    /** Sends a request to the service. */
    public HttpResponse<String> send(Token token, String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url(path))).method(method, BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token.secret());
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    /** As {@link #send(Token, String, String, String, String...)}, and checks the status. */
    public HttpResponse<String> send(
            int status, Token token, String method, String path, String body, String... headers) throws Exception {
        HttpResponse<String> answer = send(token, method, path, body, headers);
        assertThat(answer.statusCode())
                .as(() -> method + " " + path + ": " + answer.body())
                .isEqualTo(status);
        return answer;
    }

    /** Returns a consumer that reads the committed records of a topic from the beginning. */
    public KafkaConsumer<byte[], byte[]> reader(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                kafka().cluster().with(Map.of("isolation.level", "read_committed", "max.poll.records", 4)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic(topic), partition))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        return consumer;
    }

    /** Returns a workspace name with this prefix that belongs to the partition. */
    public static String workspaceOf(String beginning, int partition, int partitions) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> beginning + "-" + i)
                .filter(each -> WorkspaceKey.partition(each, partitions) == partition)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        producer.close();
    }
}
