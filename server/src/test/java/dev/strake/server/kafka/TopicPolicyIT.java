package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.pipeline.Pipeline;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.RenderTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a broker that refuses settings when a topic is created, whatever their value, as managed clusters do. */
class TopicPolicyIT {

    /** Refused of every topic, though the cluster has the values that Strake wants. */
    private static final Set<String> ALWAYS =
            Set.of("compression.type", "delete.retention.ms", "min.insync.replicas", "unclean.leader.election.enable");

    /** What a test refuses besides, and what it asks for. */
    private static final Set<String> ALSO = ConcurrentHashMap.newKeySet();

    private static final Set<String> DEMANDED = ConcurrentHashMap.newKeySet();

    /** Made by the broker, by its name. */
    public static final class Policy implements CreateTopicPolicy {

        @Override
        public void validate(RequestMetadata request) {
            if (request.topic().startsWith("__")) {
                return; // the broker's own
            }
            Set<String> given = request.configs().keySet();
            Set<String> refused = new TreeSet<>(given);
            refused.removeIf(name -> !ALWAYS.contains(name) && !ALSO.contains(name));
            if (!refused.isEmpty()) {
                throw new PolicyViolationException("nobody may set " + refused + " here");
            }
            if (!given.containsAll(DEMANDED)) {
                throw new PolicyViolationException("everybody has to set " + DEMANDED + " here");
            }
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }

    @TempDir
    static Path directory;

    private static EmbeddedBroker broker;
    private static KafkaSettings kafka;

    @BeforeAll
    static void startBroker() {
        Map<String, Object> managed = Map.of(
                "create.topic.policy.class.name",
                Policy.class.getName(),
                "log.cleaner.delete.retention.ms",
                Duration.ofDays(7).toMillis());
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0, managed);
        kafka = KafkaSettings.of(broker.bootstrapServers());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void refuseNothingElse() {
        ALSO.clear();
        DEMANDED.clear();
    }

    @Test
    void shouldStartAndStartAgainWhereThePolicyRefusesWhatTheClusterGivesByItself() throws Exception {
        start("own");

        Map<String, Config> made = configs("own");
        assertThat(made).hasSize(5 + RenderTopology.STORES.size());
        made.forEach((name, config) -> {
            assertThat(set(config)).as(name).doesNotContainAnyElementsOf(ALWAYS);
            assertThat(config.get("min.insync.replicas").value()).as(name).isEqualTo("1");
        });
        assertThat(set(made.get("own.rendered-documents")))
                .containsExactlyInAnyOrder(
                        "cleanup.policy", "max.message.bytes", "min.cleanable.dirty.ratio", "segment.bytes");
        RenderTopology.STORES.stream()
                .map(store -> made.get(TopicSet.changelog("own", store)))
                .forEach(config -> RenderTopology.CHANGELOG_SETTINGS.forEach((name, value) ->
                        assertThat(config.get(name).value()).as(name).isEqualTo(value)));

        start("own");
    }

    @Test
    void shouldGoWithoutASettingThatIsRefusedAndOnlySavesSpace() throws Exception {
        ALSO.addAll(Set.of("min.cleanable.dirty.ratio", "segment.bytes"));

        TopicSet topics = ensured("spacious");

        assertThat(topics.names()).hasSize(5);
        configs("spacious")
                .forEach((name, config) -> assertThat(
                                config.get("min.cleanable.dirty.ratio").value())
                        .as(name)
                        .isEqualTo("0.5"));
    }

    @Test
    void shouldSayWhichSettingOfATopicIsRefusedThoughTheClusterHasAnother() throws Exception {
        ALSO.add("cleanup.policy");

        assertThatThrownBy(() -> ensured("needed"))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(
                        "needed.rendered-documents: cleanup.policy has to be compact, and topics of this cluster have delete")
                .hasMessageContaining("needed.render-problems: cleanup.policy has to be compact")
                .hasMessageContaining("nobody may set [cleanup.policy] here")
                .hasMessageContaining("--create --topic needed.rendered-documents --partitions 2")
                .hasMessageNotContaining("needed.outcomes")
                .hasMessageNotContaining("segment.bytes has");

        assertThat(configs("needed")).isEmpty();
    }

    @Test
    void shouldSayWhichSettingOfAChangelogIsRefusedThoughTheClusterHasAnother() throws Exception {
        TopicSet topics = new TopicSet("late.", "late", Optional.empty());
        topics.ensure(kafka, 2, Optional.empty());
        ALSO.addAll(Set.of("max.message.bytes", "message.timestamp.after.max.ms"));

        assertThatThrownBy(() -> topics.ensureChangelogs(kafka, Optional.empty()))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(
                        "late-documents-changelog: max.message.bytes has to be %d, and topics of this cluster have %d"
                                .formatted(RenderTopology.MAX_RECORD_BYTES, EmbeddedBroker.MAX_MESSAGE_BYTES))
                .hasMessageContaining("nobody may set [max.message.bytes] here")
                .hasMessageNotContaining("message.timestamp.after.max.ms has");

        assertThat(configs("late")).hasSize(5);
    }

    @Test
    void shouldSayWhichSettingThatTheOperatorGaveIsRefused() throws Exception {
        ALSO.add("preallocate");
        Path file = Files.writeString(directory.resolve("client.properties"), """
                topic.vendor.placement=here
                topic.min.compaction.lag.ms=-5
                topic.preallocate=true
                topic.segment.bytes=1000000
                """);
        KafkaSettings given = KafkaSettings.of(Optional.of(broker.bootstrapServers()), Optional.of(file), Map.of());
        TopicSet topics = new TopicSet("given.", "given", Optional.empty());
        topics.ensure(given, 2, Optional.empty());

        assertThatThrownBy(() -> topics.ensureChangelogs(given, Optional.empty()))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessage("""
                        Kafka at %1$s refuses settings that are given for changelogs. Correct or remove them:
                          topic.min.compaction.lag.ms (file %2$s, line 2): Invalid value -5 for configuration min.compaction.lag.ms: Value must be at least 0
                          topic.preallocate (file %2$s, line 3): nobody may set [preallocate] here
                          topic.vendor.placement (file %2$s, line 1): Unknown topic config name: vendor.placement""".formatted(broker.bootstrapServers(), file));

        assertThat(configs("given")).hasSize(5);
    }

    @Test
    void shouldSendAllSettingsWhereTheClusterDoesNotSayWhatItGives() throws Exception {
        DEMANDED.add("max.message.bytes");

        assertThatThrownBy(() -> ensured("dumb"))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("dumb.rendered-documents: the cluster refuses it with ")
                .hasMessageContaining("nobody may set [delete.retention.ms] here");
    }

    private static void start(String name) throws Exception {
        Settings settings = Settings.defaults()
                .with(Catalogue.APPLICATION_ID, name)
                .with(Catalogue.TOPIC_PREFIX, name + ".")
                .with(Catalogue.PARTITIONS, 2)
                .with(Catalogue.MIN_INSYNC_REPLICAS, 1)
                .with(Catalogue.THREADS, 1)
                .with(Catalogue.DATA, directory.resolve(name));
        try (Pipeline pipeline = Pipeline.start(new PipelineSettings(kafka, settings), PipelineObserver.NONE)) {
            pipeline.awaitReady(Duration.ofMinutes(10));
        }
    }

    private static TopicSet ensured(String name) {
        TopicSet topics = new TopicSet(name + ".", name, Optional.empty());
        topics.ensure(kafka, 2, Optional.empty());
        topics.ensureChangelogs(kafka, Optional.empty());
        return topics;
    }

    /* Those that were given when the topic was created. */
    private static Set<String> set(Config config) {
        return config.entries().stream()
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .map(ConfigEntry::name)
                .collect(Collectors.toSet());
    }

    private static Map<String, Config> configs(String name) throws Exception {
        try (Admin admin = kafka.admin(Duration.ofSeconds(10))) {
            List<ConfigResource> topics = admin.listTopics().names().get().stream()
                    .filter(topic -> topic.startsWith(name + ".") || topic.startsWith(name + "-"))
                    .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                    .toList();
            return admin.describeConfigs(topics).all().get().entrySet().stream()
                    .collect(Collectors.toMap(each -> each.getKey().name(), Map.Entry::getValue));
        }
    }
}
