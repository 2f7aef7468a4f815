package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Horizon;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.RenderTopology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance that lost its disk: all that its stores held comes back from the changelogs that a broker has. */
class RestoredStateIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int REVISIONS_MADE = 7;
    private static final int REVISIONS_KEPT = 3;
    private static final String SITE = "site-a";
    private static final String BROKEN = "site-b";
    private static final TopicPartition OUTCOMES = new TopicPartition("strake.outcomes", 0);

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            """;
    private static final String PARENT = """
            schema: example/Thing/v1
            metadata: {schema: metadata/Document/v1, name: parent, storagePolicy: cleartext, labels: {role: parent},
                       layeringDefinition: {layer: global}}
            data: {a: %d}
            """;
    private static final String CHILD = """
            schema: example/Thing/v1
            metadata: {schema: metadata/Document/v1, name: child%s, storagePolicy: cleartext,
                       layeringDefinition: {layer: site, parentSelector: {role: parent}, actions: [{method: %s}]}}
            data: {b: 1}
            """;

    @TempDir
    Path directory;

    private EmbeddedBroker broker;
    private Pipeline pipeline;
    private KafkaProducer<byte[], byte[]> producer;
    private KafkaConsumer<byte[], byte[]> outcomes;

    @BeforeEach
    void begin() throws InterruptedException {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        pipeline = start();
        KafkaSettings kafka = KafkaSettings.of(broker.bootstrapServers());
        producer = new KafkaProducer<>(kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer());
        outcomes = new KafkaConsumer<>(
                kafka.with(Map.of("isolation.level", "read_committed", "auto.offset.reset", "earliest")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        outcomes.assign(List.of(OUTCOMES));
    }

    @AfterEach
    void stop() {
        outcomes.close();
        producer.close();
        pipeline.close();
        broker.close();
    }

    @Test
    void shouldHoldEveryEntryAgainAfterItsStateWasLostAndGoOnPublishing() throws Exception {
        send(SITE, POLICY + "---\n" + PARENT.formatted(1) + "---\n" + CHILD.formatted("", "merge, path: ."));
        send(SITE, "{revision: 1, tag: first}", "ce_type", "dev.strake.revision.tag");
        for (int edit = 2;
                edit <= REVISIONS_MADE;
                edit++) { // so many that revisions are pruned, and a gap stays behind the first
            send(SITE, PARENT.formatted(edit), "ce_type", "dev.strake.documents.put");
        }
        send(BROKEN, POLICY + "---\n" + PARENT.formatted(1) + "---\n" + CHILD.formatted("", "merge, path: ."));
        Outcome failed =
                send(BROKEN, CHILD.formatted("", "delete, path: .none"), "ce_type", "dev.strake.documents.put");
        assertThat(failed.status()).isEqualTo(OutcomeStatus.FAILED);
        send(SITE, CHILD.formatted("-2", "merge, path: ."), part(1));
        await().atMost(TIMEOUT).until(this::isPruned);
        Map<String, String> before = entries();

        pipeline.close();
        wipe(directory.resolve("data"));
        pipeline = start();

        assertThat(entries()).isEqualTo(before);
        Outcome complete = send(SITE, CHILD.formatted("-3", "merge, path: ."), part(2));
        assertThat(complete.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(complete.documents().added()).isEqualTo(2);
        assertThat(complete.published().records()).isEqualTo(5);
        Outcome edited = send(SITE, PARENT.formatted(9), "ce_type", "dev.strake.documents.put");
        assertThat(edited.work().emitted()).as("the parent and its children").isEqualTo(4);
        Outcome mended = send(BROKEN, "{revision: 1}", "ce_type", "dev.strake.revision.rollback");
        assertThat(mended.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(mended.published().contentHash())
                .isEqualTo(failed.published().contentHash());
    }

    private static String[] part(int number) {
        return new String[] {"ce_type", "dev.strake.documents.put", "ce_id", "in-parts", "part", number + "/2"};
    }

    private Pipeline start() throws InterruptedException {
        return start(PipelineObserver.NONE, TIMEOUT);
    }

    private Pipeline start(PipelineObserver observer, Duration patience) throws InterruptedException {
        PipelineSettings settings = new PipelineSettings(
                KafkaSettings.of(broker.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.APPLICATION_ID, "restored")
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.HISTORY_REVISIONS, (long) REVISIONS_KEPT)
                        .with(Catalogue.DATA, directory.resolve("data")));
        Pipeline started = Pipeline.start(settings, observer);
        started.awaitReady(patience);
        return started;
    }

    private Outcome send(String workspace, String value, String... headers) throws Exception {
        ProducerRecord<byte[], byte[]> change = new ProducerRecord<>(
                "strake.document-changes",
                workspace.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < headers.length; i += 2) {
            change.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        producer.send(change).get();
        List<Outcome> came = new ArrayList<>();
        await().atMost(TIMEOUT).until(() -> {
            for (ConsumerRecord<byte[], byte[]> record : outcomes.poll(Duration.ofMillis(100))) {
                came.add(OutcomeJson.read(record.value()));
            }
            return !came.isEmpty();
        });
        assertThat(came).hasSize(1);
        assertThat(came.get(0).status()).isNotEqualTo(OutcomeStatus.REJECTED);
        return came.get(0);
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store(String name) {
        return pipeline.streams()
                .store(StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.keyValueStore()));
    }

    /* Down to the first one that is to be kept, with nothing half gone. */
    private boolean isPruned() {
        byte[] key = RevisionsLayout.horizonKey(SITE);
        byte[] value = store(RevisionsLayout.STORE).get(Bytes.wrap(key));
        Horizon horizon = RevisionsLayout.readHorizon(key, value);
        return horizon.first() == REVISIONS_MADE - REVISIONS_KEPT + 1 && horizon.going() == 0;
    }

    /* All that the stores hold, in hex. */
    private Map<String, String> entries() {
        Map<String, String> result = new TreeMap<>();
        HexFormat hex = HexFormat.of();
        for (String name : RenderTopology.STORES) {
            try (var all = store(name).all()) {
                all.forEachRemaining(
                        entry -> result.put(name + " " + hex.formatHex(entry.key.get()), hex.formatHex(entry.value)));
            }
        }
        assertThat(result).isNotEmpty();
        return result;
    }

    private static void wipe(Path path) throws IOException {
        try (Stream<Path> paths = Files.walk(path)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
