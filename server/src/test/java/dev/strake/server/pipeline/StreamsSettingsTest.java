package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.InvalidSettingException;
import dev.strake.server.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsSettingsTest {

    private static final Settings DEFAULTS = Settings.defaults();
    private static final Settings THROUGHPUT = DEFAULTS.with(Catalogue.PROFILE, "throughput");

    @TempDir
    Path directory;

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
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("exactly_once_v2");
    }

    @Test
    void shouldRefuseAProtocolWhoseConsumerHasNoBound() {
        for (String variable : List.of("KAFKA_GROUP_PROTOCOL", "KAFKA_MAIN_CONSUMER_GROUP_PROTOCOL")) {
            assertThatThrownBy(() -> streams(DEFAULTS, Map.of(variable, "streams")))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining("group.protocol (environment " + variable + ")");
        }
        assertThat(streams(DEFAULTS, Map.of("KAFKA_GROUP_PROTOCOL", "classic")))
                .containsEntry("group.protocol", "classic");
    }

    @Test
    void shouldRefuseProducersThatTheLargestRecordDoesNotFitInto() {
        assertThatThrownBy(() -> streams(DEFAULTS, Map.of("KAFKA_BUFFER_MEMORY", "1048576")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("is 1048576, and has to be at least 34603008");
        assertThat(streams(DEFAULTS, Map.of("KAFKA_BUFFER_MEMORY", "67108864")))
                .containsEntry("buffer.memory", "67108864");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KAFKA_TRANSACTION_TIMEOUT_MS",
                "KAFKA_PRODUCER_MAX_BLOCK_MS",
                "KAFKA_DELIVERY_TIMEOUT_MS",
                "KAFKA_MAIN_CONSUMER_MAX_POLL_INTERVAL_MS",
                "KAFKA_CONSUMER_SESSION_TIMEOUT_MS",
                "KAFKA_RESTORE_CONSUMER_REQUEST_TIMEOUT_MS",
                "KAFKA_ADMIN_DEFAULT_API_TIMEOUT_MS",
            })
    void shouldRefuseTimesInWhichNothingCanBeDone(String variable) {
        String name =
                variable.substring("KAFKA_".length()).toLowerCase(Locale.ROOT).replace('_', '.');
        for (String millis : List.of("0", "1", "999 ")) {
            assertThatThrownBy(() -> streams(DEFAULTS, Map.of(variable, millis)))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining(name + " is " + millis.trim() + ", and has to be at least 1000: ");
        }
        assertThat(streams(DEFAULTS, Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "1000")))
                .containsEntry("transaction.timeout.ms", "1000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KAFKA_POLL_MS",
                "KAFKA_RETRY_BACKOFF_MS",
                "KAFKA_CONSUMER_RETRY_BACKOFF_MAX_MS",
                "KAFKA_PRODUCER_RECONNECT_BACKOFF_MS",
                "KAFKA_ADMIN_RECONNECT_BACKOFF_MAX_MS"
            })
    void shouldRefuseWaitsInWhichNothingIsDone(String variable) {
        assertThatThrownBy(() -> streams(DEFAULTS, Map.of(variable, "60001")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(" is 60001, and may be 60000 at the most: ");
        assertThat(streams(DEFAULTS, Map.of(variable, "60000"))).containsValue("60000");
    }

    @Test
    void shouldRefuseFetchesThatTheConsumerGivesUpBeforeTheyEnd() {
        for (String variable : List.of(
                "KAFKA_FETCH_MAX_WAIT_MS",
                "KAFKA_CONSUMER_FETCH_MAX_WAIT_MS",
                "KAFKA_MAIN_CONSUMER_FETCH_MAX_WAIT_MS",
                "KAFKA_RESTORE_CONSUMER_FETCH_MAX_WAIT_MS")) {
            assertThatThrownBy(() -> streams(DEFAULTS, Map.of(variable, "30000")))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining("fetch.max.wait.ms is 30000 and request.timeout.ms is 30000");
            assertThat(streams(DEFAULTS, Map.of(variable, "30000", "KAFKA_REQUEST_TIMEOUT_MS", "30001")))
                    .containsValue("30001");
        }
    }

    @Test
    void shouldRefuseToCommitNoSoonerThanBrokersEndATransaction() {
        assertThatThrownBy(() -> streams(
                        DEFAULTS, Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "5000", "KAFKA_COMMIT_INTERVAL_MS", "5000")))
                .hasMessageContaining("commit.interval.ms is 5000 and transaction.timeout.ms is 5000");
    }

    @Test
    void shouldRefuseSegmentsOfChangelogsThatABatchDoesNotFitInto() throws Exception {
        assertThatThrownBy(() -> streams("topic.segment.bytes=1 "))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("topic.segment.bytes is 1 and batch.size is 131072 (settings of Kafka)");
        assertThatThrownBy(() -> streams("topic.segment.bytes=small"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("topic.segment.bytes is 'small' (a setting of Kafka)");
        assertThat(streams("topic.segment.bytes=+131072 "))
                .as("as Streams reads it")
                .containsEntry("topic.segment.bytes", "131072");
    }

    @Test
    void shouldReadNumbersAsKafkaReadsThem() {
        for (String bytes : List.of("1000 ", "+1000", " -1\t")) {
            for (String variable : List.of("KAFKA_BUFFER_MEMORY", "KAFKA_PRODUCER_BUFFER_MEMORY")) {
                assertThatThrownBy(() -> streams(DEFAULTS, Map.of(variable, bytes)))
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessageContaining("buffer.memory is ")
                        .hasMessageContaining("and has to be at least 34603008");
            }
        }
        assertThatThrownBy(() -> streams(DEFAULTS, Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "+400000 ")))
                .hasMessageContaining("transaction.timeout.ms is 400000 and max.poll.interval.ms is 300000");
        assertThat(closeTimeout(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", " +20000 ")))
                .isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void shouldSayThatATimeBetweenCommitsIsNoNumber() {
        Properties streams = streams(DEFAULTS, Map.of("KAFKA_COMMIT_INTERVAL_MS", "soon"));
        assertThatThrownBy(() -> GroupCommit.insteadOf(streams))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("commit.interval.ms is 'soon'");
    }

    @Test
    void shouldGiveChangelogsTheReplicasOfTheTopics() {
        Settings three = DEFAULTS.with(Catalogue.REPLICATION_FACTOR, 3).with(Catalogue.MIN_INSYNC_REPLICAS, 2);
        assertThat(streams(three, Map.of()))
                .containsEntry("replication.factor", 3)
                .containsEntry("topic.min.insync.replicas", "2");
        assertThat(streams(DEFAULTS, Map.of())).doesNotContainKeys("replication.factor", "topic.min.insync.replicas");
    }

    @Test
    void shouldRefuseMoreReplicasInSyncThanThereAre() {
        Settings contradictory = DEFAULTS.with(Catalogue.REPLICATION_FACTOR, 1).with(Catalogue.MIN_INSYNC_REPLICAS, 2);
        assertThatThrownBy(() -> streams(contradictory, Map.of()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("strake.min-insync-replicas is 2 and strake.replication-factor is 1");
    }

    @Test
    void shouldRefuseLimitsThatContradictEachOther() {
        assertThatThrownBy(() -> streams(DEFAULTS, Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "400000")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("transaction.timeout.ms is 400000 and max.poll.interval.ms is 300000");
        assertThatThrownBy(() -> streams(
                        DEFAULTS,
                        Map.of("KAFKA_PRODUCER_TRANSACTION_TIMEOUT_MS", "5000", "KAFKA_COMMIT_INTERVAL_MS", "6000")))
                .hasMessageContaining("commit.interval.ms is 6000 and transaction.timeout.ms is 5000");
        assertThat(streams(
                        DEFAULTS,
                        Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "400000", "KAFKA_MAX_POLL_INTERVAL_MS", "400000")))
                .containsEntry("transaction.timeout.ms", "400000");
    }

    /* Pods and units are killed after 300 s, whatever somebody sets here. */
    @Test
    void shouldLetAnOrderlyEndTakeAsLongAsATransactionButNoLongerThanGracePeriodsLast() {
        assertThat(closeTimeout(Map.of())).isEqualTo(Duration.ofSeconds(80));
        assertThat(closeTimeout(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "200000")))
                .isEqualTo(Duration.ofSeconds(220));
        for (String millis : List.of("280000", "400000", "86400000")) {
            Map<String, String> transaction =
                    Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", millis, "KAFKA_MAX_POLL_INTERVAL_MS", millis);
            assertThat(closeTimeout(transaction)).isEqualTo(Pipeline.LONGEST_CLOSE);
        }
    }

    private static Duration closeTimeout(Map<String, String> environment) {
        return Pipeline.closeTimeout(StreamsSettings.transactionTimeout(streams(DEFAULTS, environment)));
    }

    private Properties streams(String file) throws Exception {
        Path settings = Files.writeString(directory.resolve("client.properties"), file);
        KafkaSettings kafka = KafkaSettings.of(Optional.empty(), Optional.of(settings), Map.of());
        return StreamsSettings.of(new PipelineSettings(kafka, DEFAULTS));
    }

    private static Properties streams(Settings settings, Map<String, String> environment) {
        KafkaSettings kafka = KafkaSettings.of(Optional.empty(), Optional.empty(), environment);
        return StreamsSettings.of(new PipelineSettings(kafka, settings));
    }
}
