package dev.strake.server.kafka;

import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.RecordSize;
import dev.strake.server.Installation;
import dev.strake.topology.RenderTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicSetIT {

    private final Cluster settings = Installation.kafka().cluster();

    @Test
    void shouldCreateTheTopicsOfTheContract() throws Exception {
        assertThat(new TopicSet("new.").ensure(settings, 3, Optional.empty())).isEqualTo(3);

        assertThat(config("new.rendered-documents"))
                .containsEntry("cleanup.policy", "compact")
                .containsEntry("max.message.bytes", Integer.toString(RecordSize.TOPIC_TAKES));
        assertThat(config("new.render-problems")).containsEntry("cleanup.policy", "compact");
        assertThat(config("new.document-changes"))
                .containsEntry("cleanup.policy", "delete")
                .containsEntry("max.message.bytes", Integer.toString(RecordSize.TOPIC_TAKES))
                .containsEntry("max.decompressed.message.bytes", Integer.toString(RecordSize.TOPIC_TAKES));
        assertThat(config("new.outcomes")).containsEntry("cleanup.policy", "delete");
        assertThat(config("new.dead-letters")).containsEntry("cleanup.policy", "delete");
    }

    /* Records of this topic have to go when documents go, even after an operator turned the topic off. */
    @Test
    void shouldCreateTheClearTextTopicOnRequestAndKeepIt() throws Exception {
        TopicSet without = new TopicSet("clear.");
        assertThat(without.addCleartext(settings, false)).isFalse();
        without.ensure(settings, 2, Optional.empty());
        assertThat(without.configs()).doesNotContainKey("clear.cleartext-documents");

        TopicSet with = new TopicSet("clear.");
        assertThat(with.addCleartext(settings, true)).isTrue();
        assertThat(with.ensure(settings, 5, Optional.empty())).isEqualTo(2);
        assertThat(config("clear.cleartext-documents"))
                .containsEntry("cleanup.policy", "compact")
                .containsEntry("max.message.bytes", Integer.toString(RecordSize.TOPIC_TAKES));

        assertThat(new TopicSet("clear.").addCleartext(settings, false)).isTrue();
    }

    @Test
    void shouldCreateMissingTopicsWithThePartitionsOfExistingOnes() throws Exception {
        create("half.outcomes", 2);
        create("half.document-changes", 2);
        alter("half.outcomes", Map.of("max.message.bytes", "20000000"));
        alter("half.document-changes", Map.of("max.message.bytes", "20000000"));

        assertThat(new TopicSet("half.").ensure(settings, 5, Optional.of((short) 1)))
                .isEqualTo(2);
        assertThat(new TopicSet("half.").ensure(settings, 5, Optional.empty())).isEqualTo(2);
    }

    /* Without waiting for the leaders, four of ten producers lost records, and reported it only after two minutes. */
    @Test
    void shouldCreateTopicsThatAcceptRecordsAtOnce() throws Exception {
        for (int round = 0; round < 4; round++) {
            String prefix = "at-once-" + round + ".";
            new TopicSet(prefix).ensure(settings, 6, Optional.empty());
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    settings.with(Map.of("batch.size", 200)), new ByteArraySerializer(), new ByteArraySerializer())) {
                for (int i = 0; i < 600; i++) {
                    sent.add(producer.send(
                            new ProducerRecord<>(prefix + "document-changes", i % 6, null, new byte[100])));
                }
            }
            for (int i = 0; i < sent.size(); i++) {
                assertThat(sent.get(i).get().offset()).isEqualTo(i / 6);
            }
        }
    }

    @Test
    void shouldRefuseTopicsOfUnequalPartitionCountsAndCreateNone() throws Exception {
        create("odd.document-changes", 4);
        create("odd-documents-changelog", 2);
        assertThat(faults(new TopicSet("odd.", "odd", Optional.empty())))
                .contains("{odd-documents-changelog=2, odd.document-changes=4}");
        try (Admin admin = Installation.admin()) {
            assertThat(admin.listTopics().names().get()).doesNotContain("odd.outcomes");
        }
    }

    @Test
    void shouldCreateMissingTopicsWithThePartitionsOfTheState() throws Exception {
        TopicSet topics = new TopicSet("kept.", "kept", Optional.empty());
        for (String store : RenderTopology.STORES) {
            create(TopicSet.changelog("kept", store), 2);
            alter(TopicSet.changelog("kept", store), RenderTopology.CHANGELOG_SETTINGS);
        }
        assertThat(topics.ensure(settings, 5, Optional.empty())).isEqualTo(2);
    }

    /** Each setting loses data without an error from Kafka. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rendered-documents | cleanup.policy=delete, retention.ms=1000 | cleanup.policy is delete and has to be compact
            rendered-documents | delete.retention.ms=1000 | delete.retention.ms is 1000 and has to be 86400000
            render-problems    | cleanup.policy=delete | cleanup.policy is delete and has to be compact
            outcomes           | cleanup.policy=[compact, delete] | cleanup.policy is compact,delete and has to be delete
            document-changes   | cleanup.policy=compact | cleanup.policy is compact and has to be delete
            document-changes   | unclean.leader.election.enable=true | unclean.leader.election.enable is true and has to be false
            """)
    void shouldRefuseATopicWithWrongSettings(String topic, String setting, String fault) throws Exception {
        String prefix = "wrong" + (topic + setting).hashCode() + ".";
        new TopicSet(prefix).ensure(settings, 1, Optional.empty());
        Map<String, String> changed = new HashMap<>();
        for (String each : setting.split(", (?=[a-z.]+=)", -1)) {
            changed.put(each.split("=", 2)[0], each.split("=", 2)[1].replaceAll("[\\[\\] ]", ""));
        }
        alter(prefix + topic, changed);

        String message = faults(prefix);

        assertThat(message).contains(fault, "--entity-type topics --entity-name " + prefix);
        runCommandsOf(message);
        await().atMost(TIMEOUT)
                .ignoreExceptionsInstanceOf(MisconfiguredException.class) // brokers apply it a moment later
                .until(() -> new TopicSet(prefix).ensure(settings, 1, Optional.empty()) == 1);
    }

    @Test
    void shouldListAllWrongTopicsAndChangelogsAtOnce() throws Exception {
        TopicSet topics = new TopicSet("many.", "many", Optional.empty());
        topics.ensure(settings, 1, Optional.empty());
        create("many-documents-changelog", 1);
        create("many-changes-changelog", 1);
        alter("many.outcomes", Map.of("cleanup.policy", "compact"));
        alter(
                "many-changes-changelog",
                Map.of("cleanup.policy", "compact", "max.message.bytes", "200000000", "delete.retention.ms", "1000"));

        assertThatThrownBy(() -> topics.ensure(settings, 1, Optional.empty()))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll(
                        "many.outcomes: cleanup.policy is compact and has to be delete",
                        "many-documents-changelog: cleanup.policy is delete and has to be compact",
                        "many-changes-changelog: delete.retention.ms is 1000");
    }

    @Test
    void shouldRefuseTopicsWithFewerReplicasThanConfigured() throws Exception {
        new TopicSet("few.").ensure(settings, 1, Optional.of((short) 1));
        assertThatThrownBy(() -> new TopicSet("few.").ensure(settings, 1, Optional.of((short) 3)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("few.outcomes: it has 1 replicas and strake.replication-factor is 3");
    }

    @Test
    void shouldRefuseTopicsWithFewerInSyncReplicasThanConfigured() throws Exception {
        new TopicSet("sync.", "sync", Optional.of(1)).ensure(settings, 1, Optional.of((short) 1));
        assertThat(faults(new TopicSet("sync.", "sync", Optional.of(2))))
                .contains("sync.outcomes: min.insync.replicas is 1 and has to be 2");
    }

    @Test
    void shouldReportTheErrorOfTheCluster() {
        assertThatThrownBy(() -> new TopicSet("refused.").ensure(settings, 1, Optional.of((short) 3)))
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContainingAll(Installation.broker().bootstrapServers(), "replication factor");
    }

    private String faults(String prefix) {
        return faults(new TopicSet(prefix));
    }

    private String faults(TopicSet topics) {
        Throwable refusal = catchThrowable(() -> topics.ensure(settings, 1, Optional.empty()));
        assertThat(refusal).isInstanceOf(MisconfiguredException.class);
        return refusal.getMessage();
    }

    /** Applies the commands that the message shows. */
    private void runCommandsOf(String message) throws Exception {
        Matcher command = Pattern.compile("kafka-configs.sh --bootstrap-server "
                        + Installation.broker().bootstrapServers()
                        + " --alter --entity-type topics --entity-name (\\S+) --add-config (\\S+)")
                .matcher(message);
        assertThat(command.find()).isTrue();
        Map<String, String> changed = new HashMap<>();
        for (String each : command.group(2).split(",", -1)) {
            changed.put(each.split("=", 2)[0], each.split("=", 2)[1]);
        }
        alter(command.group(1), changed);
    }

    private static void alter(String topic, Map<String, String> changed) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        List<AlterConfigOp> operations = changed.entrySet().stream()
                .map(each ->
                        new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        try (Admin admin = Installation.admin()) {
            admin.incrementalAlterConfigs(Map.of(resource, operations)).all().get();
            // Brokers apply a setting a moment after they acknowledge it.
            await().atMost(TIMEOUT).until(() -> {
                Config config =
                        admin.describeConfigs(List.of(resource)).all().get().get(resource);
                return changed.entrySet().stream()
                        .allMatch(each -> config.get(each.getKey()).value().equals(each.getValue()));
            });
        }
    }

    private static void create(String name, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = Installation.admin()) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
            // Brokers acknowledge a new topic before they list it; existing topics are always listed.
            await().atMost(TIMEOUT).until(() -> admin.listTopics().names().get().contains(name));
        }
    }

    private static Map<String, String> config(String topic) throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = Installation.admin()) {
            Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            Map<String, String> values = new HashMap<>();
            config.entries().forEach(entry -> values.put(entry.name(), entry.value()));
            return values;
        }
    }
}
