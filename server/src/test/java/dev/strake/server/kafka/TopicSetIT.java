package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.serdes.RecordSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void shouldLeaveExistingTopicsAndGiveTheirPartitionCountToMissingOnes() throws Exception {
        create("half.outcomes", 2);
        create("half.document-changes", 2);

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

        assertThatThrownBy(() -> new TopicSet("odd.").ensure(settings, 4, Optional.empty()))
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContaining("odd.document-changes 4")
                .hasMessageContaining("odd.rendered-documents 2");
    }

    @Test
    void shouldSayWhatTheClusterRefuses() {
        assertThatThrownBy(() -> new TopicSet("refused.").ensure(settings, 1, Optional.of((short) 3)))
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContaining(broker.bootstrapServers())
                .hasMessageContaining("replication factor");
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
