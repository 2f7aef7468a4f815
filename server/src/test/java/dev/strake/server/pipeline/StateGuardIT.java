package dev.strake.server.pipeline;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.server.Installation;
import dev.strake.server.Server;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import dev.strake.topology.RenderTopology;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator deleted, recreated or truncated changelogs: the next start fails with a clear message. */
@Order(1) // slow: starts first
class StateGuardIT {

    /** A document without a layering policy, so nothing renders. */
    private static final String UNRENDERED = """
            {schema: example/Thing/v1, metadata: {schema: metadata/Document/v1, name: thing, storagePolicy: cleartext,
             layeringDefinition: {layer: site}}, data: {}}
            """;

    @TempDir
    Path directory;

    private final Admin admin = Installation.admin();
    private Installation strake;

    @BeforeEach
    void install(TestInfo test) {
        String name = "guarded" + Integer.toHexString(test.getDisplayName().hashCode());
        strake = new Installation(name, directory.resolve("data"), 1);
    }

    private void process(String document) throws Exception {
        Pipeline pipeline = start(false);
        strake.publish("site-a", document);
        TopicPartition outcomes = new TopicPartition(strake.topic("outcomes"), 0);
        await().atMost(TIMEOUT).until(() -> end(outcomes) > 0);
        pipeline.close();
    }

    @AfterEach
    void stop() {
        admin.close();
        strake.close();
    }

    @Test
    void shouldStartWithACompleteStateOrAnEmptyOneWhenToldTo() throws Exception {
        process(POLICY);
        start(false).close();
        TopicPartition documents = new TopicPartition(changelog("documents"), 0);
        delete(documents.topic());
        assertRefused(documents.topic(), "is gone");
        assertThatThrownBy(() -> start(true))
                .as("the other changelogs know the policy, so it would be unchanged")
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("delete all topics " + changelog("*"));

        for (String store : RenderTopology.STORES) {
            if (!store.equals("documents")) {
                delete(changelog(store));
            }
        }
        Pipeline pipeline = start(true);
        strake.publish("site-a", POLICY);
        await("the policy is stored again, whatever local stores held")
                .atMost(TIMEOUT)
                .until(() -> end(documents) > 0);
        pipeline.close();
        start(false).close();
    }

    @Test
    void shouldStartWhenEveryChangeWasRejected() throws Exception {
        process("no document");
        start(false).close();

        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        strake.with(Catalogue.SECRETS_KEYSET, keyset);
        Server encrypting = strake.startServer();
        TopicPartition notes = new TopicPartition(changelog("revisions"), 0);
        await("a note on the key in use").atMost(TIMEOUT).until(() -> end(notes) > 0);
        encrypting.close();
        start(false).close();
    }

    /* Especially `changes`: without this store, a repeated change would be applied twice. */
    @ParameterizedTest
    @ValueSource(strings = {"changes", "documents"})
    void shouldRefuseToStartWithATruncatedDeletedOrRecreatedChangelog(String store) throws Exception {
        process(UNRENDERED);
        assertThat(end(new TopicPartition(strake.topic("rendered-documents"), 0)))
                .isZero();
        String changelog = changelog(store);

        cut(changelog);
        assertRefused(changelog, "begins at offset 1 in partition 0");

        delete(changelog);
        assertRefused(changelog, "is gone");

        admin.createTopics(List.of(new NewTopic(changelog, 1, (short) 1).configs(RenderTopology.CHANGELOG_SETTINGS)))
                .all()
                .get();
        await("the broker shows the new topic")
                .atMost(TIMEOUT)
                .until(() -> admin.listTopics().names().get().contains(changelog));
        assertRefused(changelog, "is empty in partition 0");
    }

    private String changelog(String store) {
        return TopicSet.changelog(strake.settings().get(Catalogue.APPLICATION_ID), store);
    }

    private void cut(String changelog) throws Exception {
        // Brokers reject deleteRecords for a topic that is only compacted.
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
        await("the broker shows the policy")
                .atMost(TIMEOUT)
                .until(() -> admin.describeConfigs(List.of(topic))
                        .all()
                        .get()
                        .get(topic)
                        .get("cleanup.policy")
                        .value()
                        .equals(policy));
    }

    private void delete(String changelog) throws Exception {
        admin.deleteTopics(List.of(changelog)).all().get();
        await().atMost(TIMEOUT).until(() -> !admin.listTopics().names().get().contains(changelog));
    }

    private void assertRefused(String changelog, String why) {
        assertThatThrownBy(() -> start(false))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll(changelog, why, "--accept-empty-state");
    }

    private Pipeline start(boolean acceptEmptyState) throws InterruptedException {
        Pipeline pipeline =
                strake.with(Catalogue.ACCEPT_EMPTY_STATE, acceptEmptyState).startPipeline();
        pipeline.awaitReady(TIMEOUT);
        assertThat(pipeline.probes().ready().get().fine()).isTrue();
        return pipeline;
    }

    private long end(TopicPartition partition) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }
}
