package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as shipped: the jar and its libraries, without the class path of the tests. */
class PackagedProgramIT {

    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Path SERVING = Path.of("target", "serve").toAbsolutePath();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final long MOST_BYTES = 60_000_000;

    @TempDir
    Path directory;

    /* RocksDB's library is included for one system only, because size slows down pulling images and rollouts. */
    @Test
    void shouldServeWithFewMegabytesAndWithoutBrokerOrTests() throws Exception {
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

    /* The program of the image, with an external broker. */
    @Test
    void shouldServeInEveryCodec() throws Exception {
        TestStrake strake = TestStrake.shared();
        Path log = directory.resolve("serve.log");
        Process serve = new ProcessBuilder(
                        JAVA,
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + directory,
                        "-jar",
                        SERVING.resolve("strake.jar").toString(),
                        "serve",
                        "--bootstrap-servers=" + strake.bootstrapServers(),
                        "--application-id=codecs",
                        "--topic-prefix=codecs.",
                        "--data=" + directory.resolve("served"),
                        "--http-port=0",
                        "--partitions=1",
                        "--replication-factor=1")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().atMost(PATIENCE).until(() -> Files.readString(log).contains("HTTP "));
            for (String codec : CODECS) {
                publish(strake.bootstrapServers(), codec);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(strake.read("codecs.outcomes"))
                            .extracting(
                                    record -> OutcomeJson.read(record.value()).status())
                            .hasSameSizeAs(CODECS)
                            .containsOnly(OutcomeStatus.RENDERED));
        } finally {
            serve.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "demo", "apply", "fetch"})
    void shouldNameTheDistributionThatHasTheCommand(String command) throws Exception {
        Path log = directory.resolve("said");
        Process strake = new ProcessBuilder(
                        JAVA, "-Xmx256m", "-jar", SERVING.resolve("strake.jar").toString(), command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(strake.waitFor()).isEqualTo(ExitCode.USAGE);
        assertThat(log).content().contains("'" + command + "'", "./strake");
    }

    private static void publish(String bootstrapServers, String codec) throws Exception {
        String text = TestStrake.POLICY + "#" + "x".repeat(2_000); // large enough that the producer compresses it
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "compression.type", codec),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>("codecs.document-changes", codec.getBytes(UTF_8), text.getBytes(UTF_8)))
                    .get();
        }
    }
}
