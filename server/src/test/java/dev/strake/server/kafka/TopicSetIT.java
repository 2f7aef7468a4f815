package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.RecordSize;
import dev.strake.topology.RenderTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import kafka.admin.ConfigCommand;
import kafka.admin.ConfigCommand.ConfigCommandOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

@ResourceLock("exit procedure of Kafka")
class TopicSetIT {

    @TempDir
    static Path directory;

    private static EmbeddedBroker broker;
    private static KafkaSettings settings;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.start(directory, 0);
        settings = KafkaSettings.of(broker.bootstrapServers());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldCreateTheTopicsOfTheContract() throws Exception {
        assertThat(new TopicSet("new.").ensure(settings, 3, Optional.empty())).isEqualTo(3);

        assertThat(config("new.rendered-documents"))
                .containsEntry("cleanup.policy", "compact")
                .containsEntry("max.message.bytes", Integer.toString(RecordSize.TOPIC_TAKES));
        assertThat(config("new.render-problems")).containsEntry("cleanup.policy", "compact");
        assertThat(config("new.document-changes")).containsEntry("cleanup.policy", "delete");
        assertThat(config("new.outcomes")).containsEntry("cleanup.policy", "delete");
        assertThat(config("new.dead-letters")).containsEntry("cleanup.policy", "delete");
    }

    /* What it has must go when documents go, also after nobody wants it any more. */
    @Test
    void shouldCreateTheTopicOfClearTextIfItIsWantedAndKeepIt() throws Exception {
        TopicSet without = new TopicSet("clear.");
        assertThat(without.addCleartext(settings, false)).isFalse();
        without.ensure(settings, 2, Optional.empty());
        assertThat(without.names()).doesNotContain("clear.cleartext-documents");

        TopicSet with = new TopicSet("clear.");
        assertThat(with.addCleartext(settings, true)).isTrue();
        assertThat(with.ensure(settings, 5, Optional.empty())).isEqualTo(2);
        assertThat(config("clear.cleartext-documents"))
                .containsEntry("cleanup.policy", "compact")
                .containsEntry("max.message.bytes", Integer.toString(RecordSize.TOPIC_TAKES));

        assertThat(new TopicSet("clear.").addCleartext(settings, false)).isTrue();
    }

    @Test
    void shouldLeaveExistingTopicsAndGiveTheirPartitionCountToMissingOnes() throws Exception {
        create("half.outcomes", 2);
        create("half.document-changes", 2);
        alter("half.outcomes", Map.of("max.message.bytes", "20000000"));
        alter("half.document-changes", Map.of("max.message.bytes", "20000000"));

        assertThat(new TopicSet("half.").ensure(settings, 5, Optional.of((short) 1)))
                .isEqualTo(2);
        assertThat(new TopicSet("half.").ensure(settings, 5, Optional.empty())).isEqualTo(2);
    }

    /* Without waiting for the leaders, four of ten such producers lost records, and only after two minutes said so. */
    @Test
    void shouldCreateTopicsThatTakeAllRecordsFromTheFirstMomentOn() throws Exception {
        for (int round = 0; round < 4; round++) {
            String prefix = "at-once-" + round + ".";
            new TopicSet(prefix).ensure(settings, 6, Optional.empty());
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    settings.with(
                            Map.of("delivery.timeout.ms", 10_000, "request.timeout.ms", 5_000, "batch.size", 200)),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
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
    void shouldRefuseTopicsOfUnequalPartitionCounts() throws Exception {
        create("odd.document-changes", 4);
        create("odd.rendered-documents", 2);
        assertThat(faults("odd."))
                .contains("odd.rendered-documents: it has 2 partitions and has to have 4")
                .contains("--delete --topic odd.rendered-documents");
    }

    @Test
    void shouldNameTheNumbersOfTopicsThatDisagreeWhereThereIsNoTopicOfChanges() throws Exception {
        create("torn.rendered-documents", 3);
        create("torn.outcomes", 2);

        assertThatThrownBy(() -> new TopicSet("torn.").ensure(settings, 2, Optional.empty()))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("torn.rendered-documents: it has 3 partitions and has to have 2")
                .hasMessageContaining("--delete --topic torn.rendered-documents")
                .hasMessageContaining("{torn.outcomes=2, torn.rendered-documents=3}")
                .hasMessageContaining("strake.partitions says how many they have to have: 2")
                .hasMessageNotContaining("--topic torn.outcomes");
        assertThatThrownBy(() -> new TopicSet("torn.").ensure(settings, 3, Optional.empty()))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("torn.outcomes: it has 2 partitions and has to have 3")
                .hasMessageNotContaining("--topic torn.rendered-documents");
    }

    /* The state is in the partitions that it had, so deleting it is no way out, whatever the topics have now. */
    @Test
    void shouldNameTheTopicThatGotPartitionsAndNeverDeleteWhatHasTheState() throws Exception {
        TopicSet topics = new TopicSet("grown.", "grown", Optional.empty());
        topics.ensure(settings, 2, Optional.empty());
        topics.ensureChangelogs(settings, Optional.empty());
        grow("grown.document-changes", 5);

        assertThat(faults(topics))
                .contains("grown.document-changes: it has 5 partitions and has to have 2")
                .contains("The topics had 2 partitions, and now there are others: {grown.document-changes=5}")
                .contains("Kafka cannot take partitions away. grown.document-changes holds no state: delete it")
                .doesNotContain("grown-documents-changelog", "grown.outcomes", "kafka-topics.sh");

        for (String name : topics.names()) {
            if (!name.equals("grown.document-changes")) {
                grow(name, 5);
            }
        }
        assertThat(faults(topics))
                .contains("grown.outcomes: it has 5 partitions and has to have 2", "When state is gone")
                .doesNotContain("changelog", "kafka-topics.sh");
    }

    @Test
    void shouldCreateMissingTopicsWithTheNumberOfPartitionsOfTheState() throws Exception {
        TopicSet topics = new TopicSet("kept.", "kept", Optional.empty());
        for (String store : RenderTopology.STORES) {
            create(TopicSet.changelog("kept", store), 2);
            alter(TopicSet.changelog("kept", store), RenderTopology.CHANGELOG_SETTINGS);
        }
        assertThat(topics.ensure(settings, 5, Optional.empty())).isEqualTo(2);
    }

    /** Each is a setting of a topic that stopped the pipeline, or lost what it wrote, some time after the start. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rendered-documents | cleanup.policy=delete, retention.ms=1000 | cleanup.policy is delete and has to be compact
            rendered-documents | cleanup.policy=[compact, delete], retention.ms=1000 | cleanup.policy is compact,delete and has to be compact
            rendered-documents | delete.retention.ms=1000 | delete.retention.ms is 1000 and has to be 86400000 or more
            render-problems    | delete.retention.ms=86399999 | delete.retention.ms is 86399999 and has to be 86400000 or more
            render-problems    | cleanup.policy=delete | cleanup.policy is delete and has to be compact
            dead-letters       | cleanup.policy=compact | cleanup.policy is compact and has to be delete
            outcomes           | cleanup.policy=[compact, delete] | cleanup.policy is compact,delete and has to be delete
            document-changes   | cleanup.policy=compact | cleanup.policy is compact and has to be delete
            document-changes   | retention.ms=1000 | retention.ms is 1000 and has to be 3600000 or more
            outcomes           | retention.ms=3599999 | retention.ms is 3599999 and has to be 3600000 or more
            dead-letters       | retention.ms=1000 | retention.ms is 1000 and has to be 3600000 or more
            outcomes           | retention.bytes=1000 | retention.bytes is 1000 and has to be
            outcomes           | max.message.bytes=1000000 | max.message.bytes is 1000000 and has to be
            rendered-documents | compression.type=uncompressed | compression.type is uncompressed and has to be producer
            rendered-documents | min.insync.replicas=2 | min.insync.replicas is 2 and has to be 1
            outcomes           | message.timestamp.before.max.ms=1000 | message.timestamp.before.max.ms is 1000
            document-changes   | message.timestamp.after.max.ms=99999999999 | message.timestamp.after.max.ms is 3600000 and has to be 99999999999 or more
            """)
    void shouldRefuseATopicThatIsNotAsItHasToBe(String topic, String setting, String fault) throws Exception {
        String prefix = "wrong" + (topic + setting).hashCode() + ".";
        new TopicSet(prefix).ensure(settings, 1, Optional.empty());
        Map<String, String> changed = new HashMap<>();
        for (String each : setting.split(", (?=[a-z.]+=)", -1)) {
            changed.put(each.split("=", 2)[0], each.split("=", 2)[1].replaceAll("[\\[\\] ]", ""));
        }
        alter(prefix + topic, changed);

        String message = faults(prefix);

        assertThat(message).contains(fault).contains("--entity-type topics --entity-name " + prefix);
        runCommandsOf(message);
        await().ignoreExceptionsInstanceOf(MisconfiguredException.class) // a broker hears of it a moment later
                .until(() -> new TopicSet(prefix).ensure(settings, 1, Optional.empty()) == 1);
    }

    @Test
    void shouldListAllWrongTopicsAtOnceTheChangelogsAmongThem() throws Exception {
        TopicSet topics = new TopicSet("many.", "many", Optional.empty());
        topics.ensure(settings, 1, Optional.empty());
        create("many-documents-changelog", 1);
        create("many-changes-changelog", 2);
        alter("many.outcomes", Map.of("max.message.bytes", "1000"));
        alter(
                "many-changes-changelog",
                Map.of("cleanup.policy", "compact", "max.message.bytes", "200000000", "delete.retention.ms", "1000"));

        assertThatThrownBy(() -> topics.ensure(settings, 1, Optional.empty()))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("many.outcomes: max.message.bytes is 1000")
                .hasMessageContaining("many-documents-changelog: cleanup.policy is delete and has to be compact")
                .hasMessageContaining("many-changes-changelog: it has 2 partitions and has to have 1")
                .hasMessageContaining("many-changes-changelog: delete.retention.ms is 1000");
    }

    /* Kafka Streams creates them behind the review, so a fault of theirs would only be found at the next start. */
    @Test
    void shouldHaveChangelogsCreatedThatTheNextStartTakesWhateverTheClusterDefaultsTo() throws Exception {
        TopicSet topics = new TopicSet("later.", "later", Optional.empty());
        topics.ensure(settings, 1, Optional.empty());
        Map<String, String> defaults = Map.of(
                "log.cleaner.delete.retention.ms", "1000",
                "compression.type", "uncompressed",
                "unclean.leader.election.enable", "true");
        ConfigResource cluster = new ConfigResource(ConfigResource.Type.BROKER, "");
        alter(cluster, defaults, AlterConfigOp.OpType.SET);
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            List<NewTopic> changelogs = RenderTopology.STORES.stream()
                    .map(store -> new NewTopic(TopicSet.changelog("later", store), 1, (short) 1)
                            .configs(RenderTopology.CHANGELOG_SETTINGS))
                    .toList();
            admin.createTopics(changelogs).all().get();
            await().until(() -> topics.described(admin, settings).size() == 5 + changelogs.size());
            await().untilAsserted(() -> assertThat(faults(topics))
                    .contains("later.outcomes: compression.type is uncompressed")
                    .contains("later.rendered-documents: unclean.leader.election.enable is true")
                    .doesNotContain("-changelog:"));
        } finally {
            alter(cluster, defaults, AlterConfigOp.OpType.DELETE);
        }
    }

    @Test
    void shouldTellSettingsThatAreGivenForChangelogsAndNotTakenByThoseThatAreThere(@TempDir Path given)
            throws Exception {
        TopicSet topics = new TopicSet("kept.", "kept", Optional.empty());
        topics.ensure(settings, 1, Optional.empty());
        topics.ensureChangelogs(settings, Optional.empty());
        Path file = Files.writeString(given.resolve("client.properties"), """
                topic.segment.ms=3600000
                topic.max.compaction.lag.ms=86400000
                topic.preallocate=false
                """);
        KafkaSettings later = KafkaSettings.of(Optional.of(broker.bootstrapServers()), Optional.of(file), Map.of());
        String store =
                TopicSet.changelog("kept", RenderTopology.STORES.iterator().next());

        List<String> told = warnings(() -> topics.ensure(later, 1, Optional.empty()));

        assertThat(told)
                .hasSize(RenderTopology.STORES.size())
                .anySatisfy(line -> assertThat(line)
                        .contains("The changelog " + store + " is there already")
                        .contains("topic.segment.ms=3600000, and it has 604800000")
                        .contains("topic.max.compaction.lag.ms=86400000, and it has 9223372036854775807")
                        .contains("--entity-name " + store
                                + " --add-config max.compaction.lag.ms=86400000,segment.ms=3600000")
                        .doesNotContain("preallocate"));

        runCommands(told.stream()
                .map(line -> line.substring(line.indexOf("kafka-configs.sh")))
                .toList());

        await().untilAsserted(() -> assertThat(warnings(() -> topics.ensure(later, 1, Optional.empty())))
                .isEmpty());
    }

    /* Other tests may go on beside this one. */
    private static List<String> warnings(Runnable action) {
        Logger logger = (Logger) LoggerFactory.getLogger(TopicSet.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            action.run();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("kept-"))
                .toList();
    }

    @Test
    void shouldTakeBothPoliciesWhereNothingIsDeletedForItsAge() throws Exception {
        new TopicSet("both.").ensure(settings, 1, Optional.empty());
        alter("both.rendered-documents", Map.of("cleanup.policy", "compact,delete", "retention.ms", "-1"));
        assertThat(new TopicSet("both.").ensure(settings, 1, Optional.empty())).isEqualTo(1);
    }

    @Test
    void shouldRefuseTopicsWithFewerReplicasThanAskedFor() throws Exception {
        new TopicSet("few.").ensure(settings, 1, Optional.of((short) 1));
        assertThatThrownBy(() -> new TopicSet("few.").ensure(settings, 1, Optional.of((short) 3)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("few.outcomes: it has 1 replicas and strake.replication-factor asks for 3")
                .hasMessageContaining("the cluster has 1 brokers");
    }

    @Test
    void shouldCreateTopicsWithTheReplicasInSyncThatAreAskedFor() throws Exception {
        TopicSet topics = new TopicSet("sync.", "sync", Optional.of(1));
        assertThat(topics.configs().values())
                .allSatisfy(config -> assertThat(config).containsEntry("min.insync.replicas", "1"));
        topics.ensure(settings, 1, Optional.of((short) 1));
    }

    @Test
    void shouldRefuseInWordsThatMoreReplicasHaveToBeInSyncThanThereAre() throws Exception {
        TopicSet topics = new TopicSet("insync.", "insync", Optional.of(2));
        String fresh = faults(topics);
        assertThat(fresh)
                .contains("strake.min-insync-replicas is 2, and these topics have fewer replicas")
                .contains("insync.document-changes=1", "insync.outcomes=1");

        // Nothing was created, so these are of another start.
        new TopicSet("insync.", "insync", Optional.of(1)).ensure(settings, 1, Optional.empty());
        for (String now : List.of("1", "2")) {
            for (String topic : topics.names()) {
                alter(topic, Map.of("min.insync.replicas", now));
            }
            assertThat(faults(topics))
                    .contains("Either lower strake.min-insync-replicas to 1, or set strake.replication-factor to 3")
                    .doesNotContain("--add-config");
        }
    }

    @Test
    void shouldSayWhatTheClusterRefuses() {
        assertThatThrownBy(() -> new TopicSet("refused.").ensure(settings, 1, Optional.of((short) 3)))
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContaining(broker.bootstrapServers())
                .hasMessageContaining("replication factor");
    }

    private static String faults(String prefix) {
        return faults(new TopicSet(prefix));
    }

    private static String faults(TopicSet topics) {
        Throwable refusal = catchThrowable(() -> topics.ensure(settings, 1, Optional.empty()));
        assertThat(refusal).isInstanceOf(MisconfiguredException.class);
        return refusal.getMessage();
    }

    /** Does what whoever pastes the commands of a message does: kafka-configs.sh starts this class. */
    private static void runCommandsOf(String message) {
        runCommands(message.lines()
                .filter(line -> line.startsWith("      kafka-configs.sh "))
                .toList());
    }

    private static void runCommands(List<String> commands) {
        assertThat(commands).isNotEmpty();
        Exit.setExitProcedure((code, why) -> {
            throw new AssertionError("the tool refuses its arguments: " + why);
        });
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            for (String command : commands) {
                String[] arguments = command.strip().split(" ", 2)[1].split(" ", -1);
                ConfigCommandOptions options = new ConfigCommandOptions(arguments);
                options.checkArgs();
                assertThat(arguments).containsSequence("--bootstrap-server", broker.bootstrapServers());
                ConfigCommand.alterConfig(admin, options);
            }
        } finally {
            Exit.resetExitProcedure();
        }
    }

    private static void alter(ConfigResource resource, Map<String, String> changed, AlterConfigOp.OpType operation)
            throws Exception {
        List<AlterConfigOp> operations = changed.entrySet().stream()
                .map(each -> new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()), operation))
                .toList();
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            admin.incrementalAlterConfigs(Map.of(resource, operations)).all().get();
        }
    }

    private static void alter(String topic, Map<String, String> changed) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        alter(resource, changed, AlterConfigOp.OpType.SET);
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            // A broker hears of it a moment later.
            await().until(() -> {
                Config config =
                        admin.describeConfigs(List.of(resource)).all().get().get(resource);
                return changed.entrySet().stream()
                        .allMatch(each -> config.get(each.getKey()).value().equals(each.getValue()));
            });
        }
    }

    private static void create(String name, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
            // A broker says that a topic is created before it shows it: what was there long ago is seen at once.
            await().until(() -> admin.listTopics().names().get().contains(name));
        }
    }

    private static void grow(String name, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
                    .all()
                    .get();
            await().until(() -> admin.describeTopics(List.of(name))
                            .allTopicNames()
                            .get()
                            .get(name)
                            .partitions()
                            .size()
                    == partitions);
        }
    }

    private static Map<String, String> config(String topic) throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = settings.admin(Duration.ofSeconds(10))) {
            Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            return Map.of(
                    "cleanup.policy", config.get("cleanup.policy").value(),
                    "max.message.bytes", config.get("max.message.bytes").value());
        }
    }
}
