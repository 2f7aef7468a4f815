package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The program as it is shipped: the jar and its libraries, without anything that only the class path of tests has. */
class PackagedProgramIT {

    private static final Path SHIPPED = Path.of("target").toAbsolutePath();
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    @Test
    void shouldShipAllThatTheClientsOfKafkaDependOn() throws Exception {
        List<String> shipped;
        try (Stream<Path> files = Files.list(SHIPPED.resolve("lib"))) {
            shipped = files.map(file -> file.getFileName().toString()).toList();
        }
        assertThat(dependencies("kafka-clients", shipped))
                .contains("lz4-java", "snappy-java", "zstd-jni")
                .allSatisfy(name -> assertThat(shipped).anyMatch(file -> file.matches(name + "-[0-9].*\\.jar")));
        assertThat(dependencies("kafka-streams", shipped))
                .contains("rocksdbjni")
                .allSatisfy(name -> assertThat(shipped).anyMatch(file -> file.matches(name + "-[0-9].*\\.jar")));
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

    @Test
    void shouldAnswerChangesInEveryCodecOfKafka() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Process strake = start(port);
        try {
            Map<String, OutcomeStatus> wanted = new TreeMap<>();
            for (String codec : CODECS) {
                publish(port, codec);
                wanted.put(codec, OutcomeStatus.RENDERED);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(outcomes(port)).isEqualTo(wanted));
            assertThat(strake.isAlive()).isTrue();
        } finally {
            strake.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldLeaveNothingInTheTemporaryFolderWhenItIsKilledAndUnpackItsStoresLibraryOnce() throws Exception {
        List<Path> kept = new ArrayList<>();
        List<FileTime> times = new ArrayList<>();
        for (int start = 0; start < 2; start++) {
            int port;
            try (ServerSocket socket = new ServerSocket(0)) {
                port = socket.getLocalPort();
            }
            Process strake = start(port);
            try {
                publish(port, start == 0 ? "snappy" : "zstd");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(outcomes(port)).isNotEmpty());
            } finally {
                strake.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
            }
            assertThat(files(temporary())).isEmpty();
            List<Path> libraries = files(directory.resolve("data/native"));
            assertThat(libraries).hasSize(1);
            kept.add(libraries.get(0));
            times.add(Files.getLastModifiedTime(libraries.get(0)));
        }
        assertThat(kept.get(1)).isEqualTo(kept.get(0));
        assertThat(times.get(1)).as("written once").isEqualTo(times.get(0));
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(directory.resolve("temporary"));
    }

    /* Without those of the JVM itself. */
    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("hsperfdata"))
                    .toList();
        }
    }

    private Process start(int port) throws IOException {
        return new ProcessBuilder(Packaged.line(
                        List.of("-Djava.io.tmpdir=" + temporary(), "-Xmx384m"),
                        List.of(
                                "up",
                                "--data",
                                directory.resolve("data").toString(),
                                "--kafka-port",
                                Integer.toString(port),
                                "--http-port",
                                "0")))
                .redirectErrorStream(true)
                .redirectOutput(new File("target/packaged-program-it.log"))
                .start();
    }

    private static void publish(int port, String codec) throws Exception {
        Map<String, Object> config =
                Map.of("bootstrap.servers", "127.0.0.1:" + port, "compression.type", codec, "max.block.ms", 60_000);
        String text = """
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: policy}
                data: {layerOrder: [site]} # %s
                """.formatted("x".repeat(2_000)); // so that it is worth compressing
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                "strake.document-changes",
                codec.getBytes(StandardCharsets.UTF_8),
                text.getBytes(StandardCharsets.UTF_8));
        record.headers().add(HeaderNames.CE_TYPE, ChangeType.BUCKET_PUT.text().getBytes(StandardCharsets.UTF_8));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(record).get(60, TimeUnit.SECONDS);
        }
    }

    /* By workspace, which are named after codecs. */
    private static Map<String, OutcomeStatus> outcomes(int port) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", "127.0.0.1:" + port, "isolation.level", "read_committed");
        Map<String, OutcomeStatus> result = new TreeMap<>();
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
                    result.put(outcome.workspace(), outcome.status());
                });
            }
        }
        return result;
    }
}
