package dev.strake.server.pipeline;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.Installation;
import dev.strake.server.pipeline.Placement.Elsewhere;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pipeline with {@code group.protocol=streams}, where brokers assign the tasks (KIP-1071). */
class StreamsProtocolIT {

    private static final int PARTITIONS = 4;
    private static final List<String> WORKSPACES = IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> Installation.workspaceOf("ws", partition, PARTITIONS))
            .toList();

    @TempDir
    Path directory;

    private final Map<String, Integer> sent = new HashMap<>();
    private final Map<String, Integer> answered = new HashMap<>();

    @Test
    void shouldProcessOnceFindOwnersAndTakeOverFromStandbys() throws Exception {
        try (Installation strake = new Installation("brokered", directory, PARTITIONS);
                Pipeline other = start(strake, "other", "127.0.0.1:2")) {
            keepStandbys();
            try (KafkaConsumer<byte[], byte[]> outcomes = strake.reader(TopicNames.OUTCOMES)) {
                try (Pipeline one = start(strake, "one", "127.0.0.1:1")) {
                    await().atMost(TIMEOUT)
                            .until(() -> one.placement().active().size() == 2
                                    && other.placement().active().size() == 2
                                    && one.placement().standby().size() == 2
                                    && other.placement().standby().size() == 2);
                    for (int round = 1; round <= 20; round++) {
                        publishToAll(strake, round);
                    }
                    awaitAnswers(outcomes);
                    for (String workspace : WORKSPACES) {
                        Pipeline holder = one.placement().holds(workspace) ? one : other;
                        Pipeline copier = holder == one ? other : one;
                        String address = holder == one ? "127.0.0.1:1" : "127.0.0.1:2";
                        await().atMost(TIMEOUT)
                                .ignoreExceptionsInstanceOf(InvalidStateStoreException.class)
                                .untilAsserted(() -> {
                                    assertThat(copier.placement().of(workspace, false))
                                            .isEqualTo(new Elsewhere(address));
                                    assertThat(holder.placement().of(workspace, false))
                                            .isInstanceOfSatisfying(
                                                    Here.class,
                                                    here -> assertThat(here.behind())
                                                            .isEmpty());
                                    assertThat(copier.placement().of(workspace, true))
                                            .isInstanceOfSatisfying(
                                                    Here.class,
                                                    here -> assertThat(here.behind())
                                                            .hasValue(0));
                                });
                    }
                    publishToAll(strake, 21);
                }
                publishToAll(strake, 22);
                awaitAnswers(outcomes);
                assertThat(other.placement().active()).hasSize(PARTITIONS);
            }
        }
    }

    private static void keepStandbys() throws Exception {
        try (Admin admin = Installation.admin()) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, "brokered"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("streams.num.standby.replicas", "1"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    private void publishToAll(Installation strake, int round) throws Exception {
        for (String workspace : WORKSPACES) {
            strake.publish(workspace, POLICY.replace("site", "site, layer-" + round), "ce_id", "change-" + round);
            sent.merge(workspace, 1, Integer::sum);
        }
    }

    private void awaitAnswers(KafkaConsumer<byte[], byte[]> outcomes) {
        await().atMost(TIMEOUT).until(() -> {
            outcomes.poll(Duration.ofMillis(100)).forEach(record -> {
                Outcome outcome = OutcomeJson.read(record.value());
                assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
                answered.merge(outcome.workspace(), 1, Integer::sum);
                assertThat(outcome.revision()).isEqualTo((long) answered.get(outcome.workspace()));
            });
            return answered.equals(sent);
        });
    }

    private Pipeline start(Installation strake, String instance, String address) {
        return strake.with(Catalogue.THREADS, 2)
                .with(Catalogue.HTTP_ADVERTISED, address)
                .with(Catalogue.DATA, directory.resolve(instance))
                .startPipeline(Map.of("KAFKA_GROUP_PROTOCOL", "streams"));
    }
}
