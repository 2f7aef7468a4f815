package dev.strake.checks.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.Strake;
import dev.strake.client.Cluster;
import dev.strake.client.StateClient;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.keyset.PublishingKey;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.server.kafka.TopicSet;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Long test of a key replacement: an instance is killed repeatedly while it re-encrypts its stores and processes
 * changes. At the end, nothing needs the old key, every revision has its old content, and no file or topic contains a
 * secret.
 */
@Tag("long")
class KilledRewrapIT {

    private static final int PARTITIONS = 2;
    private static final int WORKSPACES = 3;
    private static final int DOCUMENTS = 100;
    private static final int REVISIONS = 40;
    private static final int KILLS = Integer.getInteger("strake.times", 4);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String DONE = "older storage keys are not in use here any more";

    private final Random random = new Random(Run.SEED);
    private final Token token = new Token(random);
    private final Path home = Path.of("target", "chaos").toAbsolutePath().resolve("killed-rewrap-" + Run.SEED);
    private final Path keyset = home.resolve("keyset");
    private final Map<String, List<Map<String, String>>> published = new TreeMap<>();
    private Broker broker;
    private Instance instance;
    private KafkaProducer<byte[], byte[]> producer;
    private PublishingKey key;
    private long secrets;
    private int changes;

    @AfterEach
    void stopAll() {
        if (producer != null) {
            producer.close();
        }
        if (instance != null && instance.isRunning()) {
            instance.kill();
        }
        if (broker != null && broker.isRunning()) {
            broker.stop();
        }
    }

    @Test
    void shouldEncryptEverythingAgainOverManyKills() throws Exception {
        System.out.println("killed-rewrap -Dstrake.seed=" + Run.SEED);
        begin();
        for (int revision = 1; revision <= REVISIONS; revision++) {
            publishAll();
        }
        awaitAnswered();
        try (StoredKeys stored = new StoredKeys(broker.bootstrapServers(), PARTITIONS)) {
            int old = storageKey();
            assertThat(stored.without(old)).isZero();
            assertThat(stored.with(old)).isEqualTo(WORKSPACES * REVISIONS * DOCUMENTS);
            long saidDone = -timesSaid(DONE); // for the current key
            strake("keys", "rotate", keyset.toString(), "--prepare");
            strake("keys", "rotate", keyset.toString());
            int present = storageKey();
            for (int kill = 0; kill < KILLS; kill++) {
                int ofChanges = kill == 0 ? 0 : WORKSPACES * DOCUMENTS; // which waited during the kill
                long enough = stored.with(present) + ofChanges + 1 + random.nextInt((int) stored.without(present) / 4);
                await("encrypted anew").atMost(PATIENCE).until(() -> stored.with(present) >= enough);
                instance.kill();
                saidDone += timesSaid(DONE);
                publishAll(); // these wait for the restart
                long left = stored.without(present);
                System.out.printf(
                        "killed-rewrap: killed when %,d of %,d were encrypted anew%n",
                        stored.with(present), stored.with(present) + left);
                assertThat(left).as("it was killed in the midst of it").isPositive();
                instance.start();
            }
            await("all of it encrypted anew").atMost(PATIENCE).until(() -> stored.without(present) == 0);
            long before = saidDone;
            await("said for each partition").atMost(PATIENCE).until(() -> before + timesSaid(DONE) >= PARTITIONS);
            awaitAnswered();
            strake("keys", "remove", keyset.toString(), SecretKeyNotFoundException.text(old));
        }
        instance.stop(); // flushes everything to files
        assertThat(secretsInFiles()).as("files with secrets").isEmpty();
        Run.delete(instance.state());
        instance.start();
        instance.awaitReady();
        readEverything();
        assertThat(secretsInTopics()).as("records with secrets").isEmpty();
    }

    private void begin() {
        Run.delete(home);
        broker = new Broker(home.resolve("broker"));
        broker.start();
        new TopicSet("strake.")
                .ensure(Cluster.at(broker.bootstrapServers()), PARTITIONS, Optional.of(broker.replicas()));
        strake("keys", "create", keyset.toString());
        try {
            key = KeysetFile.read(keyset).keyset().publishingKey();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "enable.idempotence", "true"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        instance = new Instance("rewrapped", home.resolve("instance"), broker.bootstrapServers(), PARTITIONS)
                .set("strake.secrets.keyset", keyset.toString())
                .set("strake.secrets.require-sealed", "true")
                .set("strake.history.revisions", "1000");
        instance.start();
        instance.awaitReady();
    }

    private void strake(String... command) {
        Jvm program = new Jvm("strake keys", home.resolve("commands"), 128);
        program.start(Strake.class, List.of(), List.of(command), Map.of());
        assertThat(program.awaitExit()).as(program::says).isZero();
    }

    private int storageKey() throws Exception {
        return KeysetFile.read(keyset).keyset().current(Purpose.STORAGE);
    }

    private long timesSaid(String text) {
        return instance.says().lines().filter(line -> line.contains(text)).count();
    }

    /* Publishes a revision of each workspace, with a new secret in each of its documents. */
    private void publishAll() throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int number = 0; number < WORKSPACES; number++) {
            String workspace = "ws-" + number;
            Map<String, String> revision = new TreeMap<>();
            List<Value> documents = new ArrayList<>();
            documents.add(JsonReader.read("""
                    {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
                     "data": {"layerOrder": ["site"]}}"""));
            documents.add(JsonReader.read("""
                    {"schema": "a/Reader/v1", "metadata": {"schema": "metadata/Document/v1", "name": "reader",
                       "storagePolicy": "cleartext", "layeringDefinition": {"layer": "site"}, "substitutions": [
                         {"src": {"schema": "a/Secret/v1", "name": "s-0", "path": ".value"}, "dest": {"path": ".value"}}]},
                     "data": {}}"""));
            for (int i = 0; i < DOCUMENTS; i++) {
                String secret = token.secret(secrets++);
                revision.put("s-" + i, secret);
                MapValue clear = (MapValue) JsonReader.read("""
                        {"schema": "a/Secret/v1", "metadata": {"schema": "metadata/Document/v1", "name": "s-%d",
                           "storagePolicy": "encrypted", "layeringDefinition": {"layer": "site"}},
                         "data": {"value": "%s", "more": "%s"}}""".formatted(i, secret, "x".repeat(1_000)));
                documents.add(SealedData.forService(clear, workspace, key::seal));
            }
            published.computeIfAbsent(workspace, name -> new ArrayList<>()).add(revision);
            ProducerRecord<byte[], byte[]> change = new ProducerRecord<>(
                    "strake.document-changes", workspace.getBytes(UTF_8), JsonBytes.of(ListValue.of(documents)));
            change.headers()
                    .add(HeaderNames.CE_TYPE, ChangeType.BUCKET_PUT.text().getBytes(UTF_8))
                    .add(HeaderNames.CE_ID, ("change-" + changes++).getBytes(UTF_8))
                    .add(HeaderNames.BUCKET, "all".getBytes(UTF_8));
            sent.add(producer.send(change));
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }
    }

    /* Each change has one outcome and made a revision. */
    private void awaitAnswered() {
        Map<String, OutcomeStatus> answers = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_committed")) {
            assign(consumer, List.of("strake.outcomes"));
            await("outcomes").atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> {
                    var outcome = OutcomeJson.read(record.value());
                    assertThat(answers.put(outcome.change().id(), outcome.status()))
                            .as("a second outcome")
                            .isNull();
                });
                return answers.size() == changes;
            });
        }
        assertThat(answers.values()).containsOnly(OutcomeStatus.RENDERED);
    }

    private void readEverything() throws Exception {
        StateClient client = new StateClient(URI.create(instance.url()));
        for (Map.Entry<String, List<Map<String, String>>> workspace : published.entrySet()) {
            long revision = 0;
            for (Map<String, String> expected : workspace.getValue()) {
                revision++;
                List<StateClient.Parameter> clear = List.of(
                        new StateClient.Parameter("revision", Long.toString(revision)),
                        new StateClient.Parameter("cleartext-secrets", "true"));
                assertThat(secretsOf(client.list(workspace.getKey(), "documents", clear)
                                .items()))
                        .as("revision %d of %s", revision, workspace.getKey())
                        .isEqualTo(expected);
            }
            assertThat(client.list(workspace.getKey(), "problems", List.of()).items())
                    .isEmpty();
            List<StateClient.Parameter> head = List.of(new StateClient.Parameter("cleartext-secrets", "true"));
            Map<String, String> rendered =
                    secretsOf(client.list(workspace.getKey(), "rendered", head).items());
            Map<String, String> last = new TreeMap<>(workspace.getValue().get((int) revision - 1));
            last.put("reader", last.get("s-0"));
            assertThat(rendered).isEqualTo(last);
        }
    }

    private static Map<String, String> secretsOf(Iterable<Value> documents) {
        Map<String, String> secrets = new TreeMap<>();
        for (Value each : documents) {
            // The bucket is stored beside a published document.
            MapValue document = (MapValue) (((MapValue) each).get("document") instanceof MapValue whole ? whole : each);
            if (((MapValue) document.get("data")).get("value") instanceof Text value) {
                MapValue metadata = (MapValue) document.get("metadata");
                secrets.put(((Text) metadata.get("name")).value(), value.value());
            }
        }
        return secrets;
    }

    /* Kafka Streams writes the files of RocksDB without compression. */
    private List<String> secretsInFiles() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(instance.state())) {
            List<Path> files = paths.filter(Files::isRegularFile).toList();
            assertThat(files).anyMatch(file -> file.toString().endsWith(".sst"));
            for (Path file : files) {
                if (token.isIn(Files.readAllBytes(file))) {
                    found.add(file.toString());
                }
            }
        }
        return found;
    }

    /* Searches all topics, including aborted transactions, which are in every copy of a topic. */
    private List<String> secretsInTopics() {
        List<String> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_uncommitted")) {
            List<String> topics = consumer.listTopics().keySet().stream()
                    .filter(topic -> topic.startsWith("strake"))
                    .toList();
            assertThat(topics).anyMatch(topic -> topic.endsWith("-changelog"));
            Map<TopicPartition, Long> ends = assign(consumer, topics);
            int records = 0;
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    records++;
                    List<byte[]> texts = new ArrayList<>();
                    texts.add(record.key());
                    texts.add(record.value());
                    record.headers().forEach(header -> texts.add(header.value()));
                    if (texts.stream().anyMatch(text -> text != null && token.isIn(text))) {
                        found.add(record.topic() + "@" + record.offset());
                    }
                }
            }
            assertThat(records).isGreaterThan(WORKSPACES * REVISIONS * DOCUMENTS);
        }
        return found;
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", isolation),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static Map<TopicPartition, Long> assign(KafkaConsumer<byte[], byte[]> consumer, List<String> topics) {
        List<TopicPartition> partitions = topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer.endOffsets(partitions);
    }
}
