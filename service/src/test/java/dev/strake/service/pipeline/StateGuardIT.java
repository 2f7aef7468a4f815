package dev.strake.service.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.service.broker.EmbeddedBroker;
import dev.strake.service.kafka.KafkaSettings;
import dev.strake.service.kafka.MisconfiguredException;
import dev.strake.service.settings.Catalogue;
import dev.strake.service.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changelogs that an operator deleted, created anew or cut: the next start is refused with words. */
class StateGuardIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String CHANGELOG = "guarded-documents-changelog";

    @TempDir
    Path directory;

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void processAChange() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        admin = kafka().admin(TIMEOUT);
        Pipeline pipeline = start(false);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka().with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
            String document = """
                    {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
                     data: {layerOrder: [site]}}
                    """;
            producer.send(new ProducerRecord<>(
                            "strake.document-changes",
                            "site-a".getBytes(StandardCharsets.UTF_8),
                            document.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
        TopicPartition outcomes = new TopicPartition("strake.outcomes", 0);
        await().atMost(TIMEOUT).until(() -> end(outcomes) > 0);
        pipeline.close();
    }

    @AfterEach
    void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldStartAgainWhenEverythingIsThere() throws Exception {
        start(false).close();
    }

    @Test
    void shouldRefuseToStartWhenAChangelogIsGoneUnlessTold() throws Exception {
        deleteChangelog();
        assertRefused("is gone");
        start(true).close();
    }

    @Test
    void shouldRefuseToStartWhenAChangelogWasCreatedAnew() throws Exception {
        deleteChangelog();
        admin.createTopics(List.of(new NewTopic(CHANGELOG, 1, (short) 1))).all().get();
        assertRefused("is empty in partition 0");
    }

    @Test
    void shouldRefuseToStartWhenAChangelogWasCut() throws Exception {
        // A broker deletes no records of a topic that is only compacted.
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, CHANGELOG);
        AlterConfigOp policy =
                new AlterConfigOp(new ConfigEntry("cleanup.policy", "compact,delete"), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(topic, List.of(policy))).all().get();
        TopicPartition partition = new TopicPartition(CHANGELOG, 0);
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1)))
                .all()
                .get();
        assertRefused("begins at offset 1 in partition 0");
    }

    private void deleteChangelog() throws Exception {
        admin.deleteTopics(List.of(CHANGELOG)).all().get();
        await().atMost(TIMEOUT).until(() -> !admin.listTopics().names().get().contains(CHANGELOG));
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> start(false))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(CHANGELOG)
                .hasMessageContaining(why)
                .hasMessageContaining("--accept-empty-state");
    }

    private Pipeline start(boolean acceptEmptyState) throws InterruptedException {
        PipelineSettings settings = new PipelineSettings(
                kafka(),
                Settings.defaults()
                        .with(Catalogue.APPLICATION_ID, "guarded")
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.DATA, directory.resolve("data"))
                        .with(Catalogue.ACCEPT_EMPTY_STATE, acceptEmptyState));
        Pipeline pipeline = Pipeline.start(settings, PipelineObserver.NONE);
        pipeline.awaitReady(Duration.ofMinutes(1));
        assertThat(pipeline.probes().ready().get().fine()).isTrue();
        return pipeline;
    }

    private long end(TopicPartition partition) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private KafkaSettings kafka() {
        return KafkaSettings.of(broker.bootstrapServers());
    }
}
