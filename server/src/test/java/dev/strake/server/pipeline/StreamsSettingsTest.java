package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class StreamsSettingsTest {

    private static final Settings DEFAULTS = Settings.defaults();

    @Test
    void shouldCommitSoonUnlessConfiguredOtherwise() {
        assertThat(streams(DEFAULTS, Map.of()))
                .containsEntry("commit.interval.ms", 10)
                .containsEntry("linger.ms", 5);
        assertThat(streams(DEFAULTS, Map.of("KAFKA_COMMIT_INTERVAL_MS", "40")))
                .containsEntry("commit.interval.ms", "40");
    }

    @Test
    void shouldPassTheMemoryLimitToTheStores() {
        assertThat(streams(DEFAULTS.with(Catalogue.STORE_MEMORY_BYTES, 8L << 20), Map.of()))
                .containsEntry("strake.store-memory-bytes", 8L << 20);
    }

    @Test
    void shouldRefuseLessThanExactlyOnce() {
        assertThatThrownBy(() -> streams(DEFAULTS, Map.of("KAFKA_PROCESSING_GUARANTEE", "at_least_once")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("exactly_once_v2");
    }

    @Test
    void shouldPollFewRecords() {
        assertThat(streams(DEFAULTS, Map.of()))
                .containsEntry("max.poll.records", 10)
                .containsEntry("buffered.records.per.partition", 10)
                .containsEntry("restore.consumer.max.poll.records", 100);
        assertThat(streams(DEFAULTS, Map.of("KAFKA_MAX_POLL_RECORDS", "50"))).containsEntry("max.poll.records", "50");
    }

    @Test
    void shouldNotWaitForOtherPartitions() {
        assertThat(streams(DEFAULTS, Map.of())).containsEntry("max.task.idle.ms", -1L);
    }

    @Test
    void shouldReportACommitIntervalThatIsNotANumber() {
        Properties streams = streams(DEFAULTS, Map.of("KAFKA_COMMIT_INTERVAL_MS", "soon"));
        assertThatThrownBy(() -> GroupCommit.insteadOf(streams))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("commit.interval.ms");
    }

    @Test
    void shouldGiveChangelogsTheReplicasOfTheTopics() {
        Settings three = DEFAULTS.with(Catalogue.REPLICATION_FACTOR, 3);
        assertThat(streams(three, Map.of("KAFKA_TOPIC_MIN_INSYNC_REPLICAS", "2")))
                .containsEntry("replication.factor", 3)
                .containsEntry("topic.min.insync.replicas", "2");
        assertThat(streams(DEFAULTS, Map.of())).doesNotContainKeys("replication.factor", "topic.min.insync.replicas");
    }

    private static Properties streams(Settings settings, Map<String, String> environment) {
        KafkaSettings kafka = KafkaSettings.of(Optional.empty(), Optional.empty(), environment);
        return StreamsSettings.of(new PipelineSettings(kafka, settings));
    }
}
