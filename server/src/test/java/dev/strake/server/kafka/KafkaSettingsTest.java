package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.SettingsSource.Given;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSettingsTest {

    @TempDir
    Path directory;

    @Test
    void shouldConnectToTheLocalBrokerByDefault() {
        assertThat(settings(Map.of()).cluster().bootstrapServers()).isEqualTo("127.0.0.1:9092");
    }

    @Test
    void shouldReadAnyClientSettingFromTheEnvironment() {
        Map<String, Object> client = settings(Map.of(
                        "KAFKA_BOOTSTRAP_SERVERS", "broker:9093",
                        "KAFKA_SASL_MECHANISM", "SCRAM-SHA-512",
                        "KAFKA_SSL_TRUSTSTORE_LOCATION", "trust.p12",
                        "KAFKA_NUM_STANDBY_REPLICAS", "1"))
                .cluster()
                .with(Map.of());
        assertThat(client)
                .containsEntry("bootstrap.servers", "broker:9093")
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry("ssl.truststore.location", "trust.p12")
                .containsEntry("num.standby.replicas", "1");
    }

    @Test
    void shouldIgnoreVariablesOfOtherProgramsWithTheSamePrefix() {
        Map<String, String> environment = Map.of("KAFKA_HEAP_OPTS", "-Xmx1g", "KAFKA_PORT", "tcp://10.0.0.1:9092");
        assertThat(settings(environment).cluster().with(Map.of())).containsOnlyKeys("bootstrap.servers");
    }

    @Test
    void shouldSuspectTheClockWhenABrokerRefusesTimestamps() {
        for (KafkaException refusal :
                List.of(new InvalidTimestampException("out of range"), new InvalidRecordException("out of range"))) {
            assertThat(settings(Map.of()).cluster().unavailable(refusal))
                    .hasMessageContainingAll("out of range", "check the clocks of this machine");
        }
    }

    @Test
    void shouldBlameThePolicyOfTheClusterForAViolation() {
        assertThat(settings(Map.of()).cluster().unavailable(new PolicyViolationException("three replicas, please")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("forbids it by a policy: three replicas, please.")
                .hasMessageNotContaining("--bootstrap-servers");
    }

    @Test
    void shouldNotAdviseToTryAgainWhenARecordIsTooLarge() {
        assertThat(settings(Map.of()).cluster().unavailable(new RecordTooLargeException("20 MiB are too many")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(
                        "does not accept a record of this size: 20 MiB are too many. Cut the change into parts")
                .hasMessageNotContaining("--bootstrap-servers");
    }

    @Test
    void shouldReportAnotherProgramInTheConsumerGroup() {
        assertThat(settings(Map.of()).cluster().unavailable(new InconsistentGroupProtocolException("incompatible")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll("has another program in the same consumer group", "strake.application-id");
    }

    @ParameterizedTest
    @CsvSource({
        "KAFKA_BOOTSTRAP_SERVERS, nonsense, Invalid url in bootstrap.servers: nonsense. Check --bootstrap-servers",
        "KAFKA_BOOTSTRAP_SERVERS, host:123456, Invalid port in bootstrap.servers: host:123456. Check --bootstrap-servers",
        "KAFKA_METRIC_REPORTERS, no.such.Class, There is no class no.such.Class. Check KAFKA_*",
        "KAFKA_SSL_TRUSTSTORE_LOCATION, /nowhere, there is no file /nowhere. Check KAFKA_*",
        "KAFKA_CLIENT_DNS_LOOKUP, nonsense, client.dns.lookup",
    })
    void shouldReportInvalidClientSettingsAsAMisconfiguration(String variable, String value, String said) {
        KafkaSettings settings = settings(Map.of("KAFKA_SECURITY_PROTOCOL", "SSL", variable, value));
        assertThatThrownBy(() -> settings.cluster().admin(Duration.ofSeconds(1)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageStartingWith("Kafka's clients cannot work with these settings: ")
                .hasMessageContaining(said);
    }

    @Test
    void shouldReportARefusedTopicSettingAsAMisconfiguration() {
        assertThat(settings(Map.of())
                        .cluster()
                        .unavailable(new InvalidConfigurationException("segment.bytes is too small")))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("refuses a setting: segment.bytes is too small.");
    }

    @Test
    void shouldPreferTheOptionToTheEnvironmentAndTheEnvironmentToTheFile() throws Exception {
        Path file = Files.writeString(
                directory.resolve("client.properties"),
                "bootstrap.servers=file:1\nsecurity.protocol=SSL\nclient.id=me\n");
        Map<String, String> environment =
                Map.of("KAFKA_BOOTSTRAP_SERVERS", "environment:1", "KAFKA_SECURITY_PROTOCOL", "SASL_SSL");

        KafkaSettings byEnvironment = KafkaSettings.of(Optional.empty(), Optional.of(file), environment);
        KafkaSettings byOption = KafkaSettings.of(Optional.of("option:1"), Optional.of(file), environment);

        assertThat(byEnvironment.cluster().bootstrapServers()).isEqualTo("environment:1");
        assertThat(byEnvironment.cluster().with(Map.of()))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("client.id", "me");
        assertThat(byOption.cluster().bootstrapServers()).isEqualTo("option:1");
    }

    @Test
    void shouldOverrideSettingsThatAClientNeeds() {
        KafkaSettings settings = settings(Map.of("KAFKA_ISOLATION_LEVEL", "read_uncommitted"));
        assertThat(settings.cluster().with(Map.of("isolation.level", "read_committed")))
                .containsEntry("isolation.level", "read_committed");
    }

    @Test
    void shouldShowNamesButNoValues() {
        KafkaSettings settings = settings(Map.of("KAFKA_SASL_JAAS_CONFIG", "password=\"secret\""));
        assertThat(settings).hasToString("KafkaSettings[bootstrap.servers, sasl.jaas.config]");
    }

    @Test
    void shouldMaskPasswordsAndSettingsUnknownToKafka() {
        KafkaSettings settings = settings(Map.of(
                "KAFKA_SASL_JAAS_CONFIG", "password=\"secret\"",
                "KAFKA_SASL_MECHANISM", "PLAIN"));
        assertThat(settings.effective())
                .containsExactly(
                        entry("bootstrap.servers", new Given("127.0.0.1:9092", "default")),
                        entry("sasl.jaas.config", new Given("***", "environment KAFKA_SASL_JAAS_CONFIG")),
                        entry("sasl.mechanism", new Given("PLAIN", "environment KAFKA_SASL_MECHANISM")));
    }

    @Test
    void shouldMaskSettingsOfPlugInsAndPasswordsOfOneClient() throws Exception {
        Path file = Files.writeString(
                directory.resolve("client.properties"),
                "my.vault.token=secret\nconsumer.ssl.key.password=secret\nproducer.linger.ms=7\n");
        Map<String, Given> effective =
                KafkaSettings.of(Optional.empty(), Optional.of(file), Map.of()).effective();
        assertThat(effective.get("consumer.ssl.key.password").text()).isEqualTo("***");
        assertThat(effective.get("my.vault.token").text()).isEqualTo("***");
        assertThat(effective.get("producer.linger.ms").text()).isEqualTo("7");
    }

    @Test
    void shouldNameTheMissingFile() {
        Path missing = directory.resolve("missing.properties");
        assertThatThrownBy(() -> KafkaSettings.of(Optional.empty(), Optional.of(missing), Map.of()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("missing.properties");
    }

    @Test
    void shouldReportAnUnreachableBroker() {
        // Port 1 of the loopback refuses connections; the client retries until the timeout.
        KafkaSettings settings = KafkaSettings.of("127.0.0.1:1");
        Duration patience = Duration.ofMillis(300);
        try (Admin admin = settings.cluster().admin(patience)) {
            assertThatThrownBy(() ->
                            settings.cluster().await(admin.describeCluster().clusterId(), patience))
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageContainingAll("127.0.0.1:1", "did not answer in time");
        }
    }

    @Test
    void shouldReportAnUnknownHost() {
        KafkaSettings settings = KafkaSettings.of("no-such-host.invalid:9092");
        assertThatThrownBy(
                        () -> settings.cluster().admin(Duration.ofMillis(300)).close())
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContaining("no-such-host.invalid");
    }

    private static KafkaSettings settings(Map<String, String> environment) {
        return KafkaSettings.of(Optional.empty(), Optional.empty(), environment);
    }
}
