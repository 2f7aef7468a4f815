package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.command.ExitCode;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as it is shipped: the jar and its libraries, without anything that only the class path of tests has. */
class PackagedProgramIT {

    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Path SERVING = Path.of("target", "serve").toAbsolutePath();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final long MOST_BYTES = 60_000_000;
    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]} #""";

    @TempDir
    Path directory;

    /* With RocksDB's library for one system. Who pulls an image or rolls out a fleet pays for every megabyte. */
    @Test
    void shouldServeWithFewMegabytesAndNothingOfBrokersOrTests() throws Exception {
        List<Path> shipped = new ArrayList<>(List.of(SERVING.resolve("strake.jar")));
        try (Stream<Path> files = Files.list(SERVING.resolve("lib"))) {
            files.forEach(shipped::add);
        }
        Map<Path, Long> bytes = new HashMap<>();
        for (Path jar : shipped) {
            bytes.put(jar.getFileName(), Files.size(jar));
        }
        String largest = bytes.entrySet().stream()
                .sorted(Map.Entry.<Path, Long>comparingByValue().reversed())
                .limit(10)
                .map(jar -> "%n%,12d %s".formatted(jar.getValue(), jar.getKey()))
                .collect(Collectors.joining());
        assertThat(bytes.values().stream().mapToLong(Long::longValue).sum())
                .as("bytes of what serve needs; the largest:%s%n", largest)
                .isLessThan(MOST_BYTES);
        assertThat(bytes.keySet())
                .extracting(Path::toString)
                .filteredOn(
                        jar -> jar.matches(
                                "(?i).*(-tests?|junit|assertj|awaitility|mockito|archunit|scala|strake-remote|jgit|kubernetes-client|kafka_|kafka-(server|raft|metadata|.*test)).*"))
                .isEmpty();
    }

    /* The program that the image ships. Its broker is outside. */
    @Test
    void shouldServeInEveryCodec() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0)) {
            Process strake = serve(broker);
            try {
                await().atMost(PATIENCE).until(() -> topics(broker).contains("strake.outcomes"));
                Map<String, List<OutcomeStatus>> wanted = new TreeMap<>();
                for (String codec : CODECS) {
                    publish(broker.port(), codec);
                    wanted.put(codec, List.of(OutcomeStatus.RENDERED));
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(outcomes(broker.port())).isEqualTo(wanted));
                assertThat(strake.isAlive()).isTrue();
            } finally {
                strake.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "demo", "apply", "fetch"})
    void shouldSayWhichDistributionHasTheCommand(String command) throws Exception {
        Process strake = new ProcessBuilder(
                        JAVA, "-Xmx256m", "-jar", SERVING.resolve("strake.jar").toString(), command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        assertThat(strake.waitFor()).isEqualTo(ExitCode.USAGE);
        assertThat(log()).content().contains("'" + command + "'").contains("./strake");
    }

    private Path log() {
        return directory.resolve("serve.log");
    }

    private Process serve(EmbeddedBroker broker) throws IOException {
        return serve(broker.bootstrapServers());
    }

    private Process serve(String bootstrapServers) throws IOException {
        return new ProcessBuilder(
                        JAVA,
                        "-Xmx1g",
                        "-Xss4m",
                        "-Djava.io.tmpdir=" + temporary(),
                        "-jar",
                        SERVING.resolve("strake.jar").toString(),
                        "serve",
                        "--bootstrap-servers",
                        bootstrapServers,
                        "--data",
                        directory.resolve("served").toString(),
                        "--http-port",
                        "0",
                        "--set",
                        "strake.replication-factor=1")
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    private static Set<String> topics(EmbeddedBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            return admin.listTopics().names().get(10, TimeUnit.MINUTES);
        }
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(directory.resolve("temporary"));
    }

    private static void publish(int port, String codec) throws Exception {
        Map<String, Object> config =
                Map.of("bootstrap.servers", "127.0.0.1:" + port, "compression.type", codec, "max.block.ms", 60_000);
        String text = POLICY + "x".repeat(2_000); // so that it is worth compressing
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                "strake.document-changes",
                codec.getBytes(StandardCharsets.UTF_8),
                text.getBytes(StandardCharsets.UTF_8));
        record.headers().add(HeaderNames.CE_TYPE, ChangeType.BUCKET_PUT.text().getBytes(StandardCharsets.UTF_8));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(record).get(10, TimeUnit.MINUTES);
        }
    }

    /* By workspace, which are named after codecs. */
    private static Map<String, List<OutcomeStatus>> outcomes(int port) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", "127.0.0.1:" + port, "isolation.level", "read_committed");
        Map<String, List<OutcomeStatus>> result = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor("strake.outcomes").stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    Outcome outcome = OutcomeJson.read(record.value());
                    result.computeIfAbsent(outcome.workspace(), name -> new ArrayList<>())
                            .add(outcome.status());
                });
            }
        }
        return result;
    }
}
