package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topic of changes is deleted and created anew: its positions count from 0 again, for other changes. */
class RecreatedTopicIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String CHANGES = "strake." + TopicNames.CHANGES;
    private static final int PARTITIONS = 2;
    private static final String SITE = "site-a";
    private static final int HOME = WorkspaceKey.partition(SITE, PARTITIONS);

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private KafkaSettings kafka;
    private KafkaConsumer<byte[], byte[]> outcomes;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.start(directory.resolve("broker"), 0);
        kafka = KafkaSettings.of(broker.bootstrapServers());
    }

    @AfterEach
    void stop() {
        if (outcomes != null) {
            outcomes.close();
        }
        broker.close();
    }

    @Test
    void shouldApplyAChangeThatLiesWhereAnotherOneLayBefore() throws Exception {
        try (Pipeline pipeline = pipeline()) {
            pipeline.awaitReady(TIMEOUT);
            outcomes = Installation.reader(kafka, "strake." + TopicNames.OUTCOMES, PARTITIONS);
            assertThat(publish(HOME, "first").status()).isEqualTo(OutcomeStatus.RENDERED);
            Outcome sentHome = publish(1 - HOME, "second");
            assertThat(sentHome.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(sentHome.change().id()).isEqualTo(CHANGES + "-" + (1 - HOME) + "-0");
        }
        try (Admin admin = kafka.admin(TIMEOUT)) {
            admin.deleteTopics(List.of(CHANGES)).all().get();
            await().atMost(TIMEOUT)
                    .until(() -> !admin.listTopics().names().get().contains(CHANGES));
        }
        try (Pipeline pipeline = pipeline()) {
            pipeline.awaitReady(TIMEOUT);
            Outcome third = publish(HOME, "third");
            assertThat(third.change().id()).isEqualTo(CHANGES + "-" + HOME + "-0");
            assertThat(third.status()).isEqualTo(OutcomeStatus.RENDERED);
            Outcome fourth = publish(1 - HOME, "fourth");
            assertThat(fourth.change().id()).isEqualTo(CHANGES + "-" + (1 - HOME) + "-0");
            assertThat(fourth.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(fourth.revision()).isEqualTo(4);
        }
    }

    private Pipeline pipeline() {
        Settings settings = Settings.defaults()
                .with(Catalogue.DATA, directory.resolve("data"))
                .with(Catalogue.PARTITIONS, PARTITIONS)
                .with(Catalogue.REPLICATION_FACTOR, 1)
                .with(Catalogue.THREADS, 1);
        return Pipeline.start(new PipelineSettings(kafka, settings), PipelineObserver.NONE);
    }

    /* Without an id of its own: what it is known by is where it lies. */
    private Outcome publish(int partition, String name) throws Exception {
        String policy = """
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: %s}
                data: {layerOrder: [global, site]}
                """.formatted(name);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            CHANGES,
                            partition,
                            SITE.getBytes(StandardCharsets.UTF_8),
                            policy.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
        List<Outcome> answers = new ArrayList<>();
        await().atMost(TIMEOUT).until(() -> {
            outcomes.poll(Duration.ofMillis(200)).forEach(record -> answers.add(OutcomeJson.read(record.value())));
            return !answers.isEmpty();
        });
        return answers.get(0);
    }
}
