package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
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
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The program as it is shipped: the jar and its libraries, without anything that only the class path of tests has. */
class PackagedProgramIT {

    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long MOST_BYTES = 60_000_000;
    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]} #""";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"cli", "remote", "local"})
    void shouldShipAllThatTheClientsOfKafkaDependOn(String module) throws Exception {
        List<String> shipped;
        try (Stream<Path> files = Files.list(built(module).resolve("lib"))) {
            shipped = files.map(file -> file.getFileName().toString()).toList();
        }
        assertThat(dependencies("kafka-clients", shipped))
                .contains("lz4-java", "snappy-java", "zstd-jni")
                .allSatisfy(name -> assertThat(shipped).anyMatch(file -> file.matches(name + "-[0-9].*\\.jar")));
        assertThat(dependencies("kafka-streams", shipped))
                .contains("rocksdbjni")
                .allSatisfy(name -> assertThat(shipped).anyMatch(file -> file.matches(name + "-[0-9].*\\.jar")));
    }

    /* With RocksDB's library for one system. Who pulls an image or rolls out a fleet pays for every megabyte. */
    @Test
    void shouldServeWithFewMegabytesAndNothingOfBrokersOrTests() throws Exception {
        List<Path> shipped = new ArrayList<>(List.of(built("cli").resolve("strake.jar")));
        try (Stream<Path> files = Files.list(built("cli").resolve("lib"))) {
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
                                "(?i).*(-tests?|junit|assertj|awaitility|mockito|archunit|scala|strake-(broker|local)|kafka_|kafka-(server|raft|metadata|.*test)).*"))
                .isEmpty();
    }

    private static Path built(String module) {
        return Path.of("..", module, "target").toAbsolutePath().normalize();
    }

    /* What the published project of a shipped jar says it needs at run time. */
    private static List<String> dependencies(String artifact, List<String> shipped) throws Exception {
        String jar = shipped.stream()
                .filter(file -> file.matches(artifact + "-[0-9].*\\.jar"))
                .findFirst()
                .orElseThrow();
        String version = jar.substring(artifact.length() + 1, jar.length() - ".jar".length());
        File pom = Path.of(System.getProperty("strake.repository"), "org", "apache", "kafka", artifact, version)
                .resolve(artifact + "-" + version + ".pom")
                .toFile();
        NodeList all = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom)
                .getElementsByTagName("dependency");
        List<String> result = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element dependency = (Element) all.item(i);
            String scope = text(dependency, "scope");
            boolean needed = !scope.equals("test") && !scope.equals("provided");
            if (needed && !text(dependency, "optional").equals("true")) {
                result.add(text(dependency, "artifactId"));
            }
        }
        return result;
    }

    private static String text(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent();
    }

    /* The program that the image ships. Its broker is outside. */
    @Test
    void shouldServeInEveryCodecAndUnpackMoreThanItsHeapHolds() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0)) {
            Process strake = serve(broker);
            try {
                await().atMost(PATIENCE).until(() -> topics(broker).contains("strake.outcomes"));
                Map<String, List<OutcomeStatus>> wanted = new TreeMap<>();
                for (String codec : CODECS) {
                    publish(broker.port(), codec);
                    wanted.put(codec, List.of(OutcomeStatus.RENDERED));
                }
                publishBlanks(broker.port(), 100, 12_000_000);
                wanted.put("blanks", new ArrayList<>(Collections.nCopies(100, OutcomeStatus.UNCHANGED)));
                wanted.get("blanks").set(0, OutcomeStatus.RENDERED);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(outcomes(broker.port())).isEqualTo(wanted));
                assertThat(strake.isAlive()).isTrue();
            } finally {
                strake.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
            }
        }
    }

    private Path log() {
        return directory.resolve("serve.log");
    }

    private Process serve(EmbeddedBroker broker) throws IOException {
        return serve(broker.bootstrapServers());
    }

    private Process serve(String bootstrapServers) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-Xss4m",
                        "-Djava.io.tmpdir=" + temporary(),
                        "-jar",
                        built("cli").resolve("strake.jar").toString(),
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

    /* Some kilobytes each. */
    private static void publishBlanks(int port, int count, int bytes) throws Exception {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) ' ');
        byte[] policy = POLICY.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(policy, 0, value, 0, policy.length);
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "compression.type",
                "zstd",
                "max.request.size",
                2 * bytes,
                "buffer.memory",
                4 * bytes);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(
                                "strake.document-changes", "blanks".getBytes(StandardCharsets.UTF_8), value))
                        .get(10, TimeUnit.MINUTES);
            }
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

    /* By workspace; most are named after codecs. */
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
