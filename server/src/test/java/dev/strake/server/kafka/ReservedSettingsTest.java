package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.MisconfiguredException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservedSettingsTest {

    private static final List<String> PREFIXES =
            List.of("", "consumer.", "main.consumer.", "restore.consumer.", "global.consumer.", "producer.", "admin.");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isolation.level=read_uncommitted",
                "processing.guarantee=at_least_once",
                "enable.idempotence=false",
                "transactional.id=mine",
                "enable.auto.commit=true",
                "auto.offset.reset=latest",
                "group.id=other",
                "key.deserializer=a.B",
                "partition.assignment.strategy=a.B",
                "production.exception.handler=a.B",
                "interceptor.classes=a.B",
            })
    void shouldRefuseSettingsThatBreakExactlyOnceUnderEveryPrefix(String line) throws Exception {
        for (String prefix : PREFIXES) {
            assertThatThrownBy(() -> file("linger.ms=7\n\n" + prefix + line).refuseWrong())
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContainingAll(
                            prefix + line.substring(0, line.indexOf('=')) + " (file ", "client.properties, line 3): ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cleanup.policy=delete",
                "retention.ms=1000",
                "max.message.bytes=1000",
                "unclean.leader.election.enable=true",
            })
    void shouldRefuseSettingsThatLoseEntriesOfChangelogs(String line) throws Exception {
        assertThatThrownBy(() -> file("topic." + line).refuseWrong())
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("topic." + line.substring(0, line.indexOf('=')));
    }

    @Test
    void shouldRefuseToWorkWithTwoClusters() throws Exception {
        for (String prefix : PREFIXES) {
            if (!prefix.isEmpty()) {
                assertThatThrownBy(() -> file("bootstrap.servers=one:9092\n" + prefix + "bootstrap.servers=two:9092")
                                .refuseWrong())
                        .isInstanceOf(MisconfiguredException.class)
                        .hasMessageContainingAll(
                                prefix + "bootstrap.servers (file ",
                                "client.properties, line 2): Remove it: --bootstrap-servers is for all clients.");
                assertThatCode(() -> file("bootstrap.servers=one:9092 \n" + prefix + "bootstrap.servers=one:9092")
                                .refuseWrong())
                        .doesNotThrowAnyException();
            }
            assertThatThrownBy(() ->
                            file(prefix + "bootstrap.controllers=two:9093").refuseWrong())
                    .hasMessageContaining(prefix + "bootstrap.controllers (file ");
        }
    }

    @Test
    void shouldNameAllReservedSettingsWithTheirVariables() {
        KafkaSettings settings = KafkaSettings.of(
                Optional.empty(),
                Optional.empty(),
                Map.of(
                        "KAFKA_MAIN_CONSUMER_ISOLATION_LEVEL",
                        "read_uncommitted",
                        "KAFKA_STATE_DIR",
                        "/tmp",
                        "KAFKA_NUM_STREAM_THREADS",
                        "0"));
        assertThatThrownBy(settings::refuseWrong)
                .hasMessageContainingAll(
                        "main.consumer.isolation.level (environment KAFKA_MAIN_CONSUMER_ISOLATION_LEVEL)",
                        "Make it 'read_committed'",
                        "state.dir (environment KAFKA_STATE_DIR)",
                        "Use strake.data in its place",
                        "Use strake.threads in its place");
    }

    @Test
    void shouldAcceptReservedSettingsWithTheirRequiredValues() throws Exception {
        KafkaSettings settings = file("""
                consumer.isolation.level=read_committed
                acks=-1
                producer.acks=all
                retries=2147483647
                processing.guarantee=exactly_once_v2
                topic.cleanup.policy=compact
                topic.segment.bytes=1000000
                main.consumer.max.poll.records=7
                """);
        assertThatCode(settings::refuseWrong).doesNotThrowAnyException();
    }

    private KafkaSettings file(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("client.properties"), text);
        return KafkaSettings.of(Optional.empty(), Optional.of(file), Map.of());
    }
}
