package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class StreamsSettingsTest {

    private static final Settings DEFAULTS = Settings.defaults();
    private static final Settings THROUGHPUT = DEFAULTS.with(Catalogue.PROFILE, "throughput");

    @Test
    void shouldCommitSoonUnlessThroughputGoesFirst() {
        assertThat(streams(DEFAULTS, Map.of()))
                .containsEntry("commit.interval.ms", 10)
                .containsEntry("linger.ms", 5);
        assertThat(streams(THROUGHPUT, Map.of()))
                .containsEntry("commit.interval.ms", 100)
                .containsEntry("linger.ms", 20);
    }

    @Test
    void shouldTakeWhatTheOperatorSaysBeforeWhatTheProfileSays() {
        assertThat(streams(THROUGHPUT, Map.of("KAFKA_COMMIT_INTERVAL_MS", "40")))
                .containsEntry("commit.interval.ms", "40")
                .containsEntry("linger.ms", 20);
    }

    @Test
    void shouldTellTheStoresHowMuchMemoryTheyMayTake() {
        assertThat(streams(DEFAULTS.with(Catalogue.STORE_MEMORY_BYTES, 8L << 20), Map.of()))
                .containsEntry("strake.store-memory-bytes", 8L << 20);
    }

    @Test
    void shouldRefuseLessThanExactlyOnce() {
        assertThatThrownBy(() -> streams(DEFAULTS, Map.of("KAFKA_PROCESSING_GUARANTEE", "at_least_once")))
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContaining("exactly_once_v2");
    }

    @Test
    void shouldRefuseProducersThatTheLargestRecordDoesNotFitInto() {
        for (String variable : List.of("KAFKA_BUFFER_MEMORY", "KAFKA_MAX_REQUEST_SIZE")) {
            assertThatThrownBy(() -> streams(DEFAULTS, Map.of(variable, "1048576")))
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageContaining("is 1048576, and has to be at least 34603008");
        }
        assertThat(streams(DEFAULTS, Map.of("KAFKA_BUFFER_MEMORY", "67108864")))
                .containsEntry("buffer.memory", "67108864");
    }

    private static Properties streams(Settings settings, Map<String, String> environment) {
        KafkaSettings kafka = KafkaSettings.of(Optional.empty(), Optional.empty(), environment);
        return StreamsSettings.of(new PipelineSettings(kafka, settings));
    }
}
