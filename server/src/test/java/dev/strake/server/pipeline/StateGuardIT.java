package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.RenderTopology;
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
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Changelogs that an operator deleted, created anew or cut: the next start is refused with words. */
@Order(1) // it takes long
class StateGuardIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String GOOD = """
            {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
             data: {layerOrder: [site]}}
            """;

    /** Without a layering policy nothing of it renders. */
    private static final String UNRENDERED = """
            {schema: example/Thing/v1, metadata: {schema: metadata/Document/v1, name: thing, storagePolicy: cleartext,
             layeringDefinition: {layer: site}}, data: {}}
            """;

    @TempDir
    Path directory;

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        admin = kafka().admin(TIMEOUT);
    }

    private void process(String document) throws Exception {
        Pipeline pipeline = start(false);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka().with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
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
    void shouldStartAgainWhenEverythingIsThereAndWhenToldToThoughItIsNot() throws Exception {
        process(GOOD);
        start(false).close();
        delete("guarded-documents-changelog");
        assertRefused("guarded-documents-changelog", "is gone");
        start(true).close();
    }

    @Test
    void shouldStartAgainWhereEveryChangeWasRejected() throws Exception {
        process("no document");
        start(false).close();
    }

    /* Of `changes` above all: without it a change that comes again would be applied twice. */
    @ParameterizedTest
    @FieldSource("dev.strake.topology.RenderTopology#STORES")
    void shouldRefuseToStartWhenAChangelogWasCutDeletedOrCreatedAnewThoughNothingWasRendered(String store)
            throws Exception {
        process(UNRENDERED);
        assertThat(end(new TopicPartition("strake.rendered-documents", 0))).isZero();
        String changelog = TopicSet.changelog("guarded", store);

        cut(changelog);
        assertRefused(changelog, "begins at offset 1 in partition 0");

        delete(changelog);
        assertRefused(changelog, "is gone");

        admin.createTopics(List.of(new NewTopic(changelog, 1, (short) 1).configs(RenderTopology.CHANGELOG_SETTINGS)))
                .all()
                .get();
        assertRefused(changelog, "is empty in partition 0");
    }

    private void cut(String changelog) throws Exception {
        // A broker deletes no records of a topic that is only compacted.
        policy(changelog, "compact,delete");
        await("the broker heeds the policy")
                .atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() ->
                        admin.deleteRecords(Map.of(new TopicPartition(changelog, 0), RecordsToDelete.beforeOffset(1)))
                                        .all()
                                        .get()
                                == null);
        policy(changelog, "compact");
    }

    private void policy(String changelog, String policy) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, changelog);
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry("cleanup.policy", policy), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(topic, List.of(change))).all().get();
    }

    private void delete(String changelog) throws Exception {
        admin.deleteTopics(List.of(changelog)).all().get();
        await().atMost(TIMEOUT).until(() -> !admin.listTopics().names().get().contains(changelog));
    }

    private void assertRefused(String changelog, String why) {
        assertThatThrownBy(() -> start(false))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(changelog)
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
        pipeline.awaitReady(Duration.ofMinutes(10));
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
