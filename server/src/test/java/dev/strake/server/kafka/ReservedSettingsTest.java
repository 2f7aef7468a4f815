package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.server.settings.InvalidSettingException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservedSettingsTest {

    private static final List<String> PREFIXES =
            List.of("", "consumer.", "main.consumer.", "restore.consumer.", "global.consumer.", "producer.", "admin.");

    /** Every setting of Kafka 4.4.0 that anybody may choose, judged one by one. */
    private static final Pattern OPEN = Pattern.compile(String.join(
            "|",
            // how to reach the cluster, and how it is told who asks
            "ssl\\..*|sasl\\..*|security\\.(protocol|providers)|config\\.providers",
            "client\\.(id|rack|dns\\.lookup)|bootstrap\\.resolve\\.timeout\\.ms|connections\\.max\\.idle\\.ms|socket\\..*|(send|receive)\\.buffer\\.bytes",
            "(reconnect|retry)\\.backoff(\\.max)?\\.ms|request\\.timeout\\.ms|default\\.api\\.timeout\\.ms|metadata\\..*",
            // the default.client.supplier is wrapped, whatever it is: failpoints of tests come in by it
            "default\\.client\\.supplier",
            // how much at a time, how fast, and what is measured
            "fetch\\..*|max\\.partition\\.fetch\\.bytes|max\\.poll\\.(records|interval\\.ms)|(session|heartbeat).*\\.ms",
            "batch\\.size|linger\\.ms|buffer\\.memory(\\.allocation\\.strategy)?|compression\\..*|delivery\\.timeout\\.ms|max\\.block\\.ms",
            "transaction\\.timeout\\.ms|metric\\.reporters|metrics\\..*|enable\\.metrics\\.push|log\\.summary\\.interval\\.ms",
            "built\\.in\\.metrics\\.version|poll\\.ms|commit\\.interval\\.ms|buffered\\.records\\.per\\.partition",
            "(cache\\.max\\.bytes\\.buffering|statestore\\.cache\\.max\\.bytes)|(max\\.task\\.idle|task\\.timeout)\\.ms",
            // which instance gets which task
            "num\\.standby\\.replicas|max\\.warmup\\.replicas|acceptable\\.recovery\\.lag|probing\\.rebalance\\.interval\\.ms",
            "rack\\.aware\\..*|task\\.assignor\\.class|upgrade\\.from|group\\.protocol|topology\\.description\\.push\\.enabled",
            "group\\.instance\\.id",
            "state\\.cleanup\\..*|allow\\.os\\.group\\.write\\.access",
            // of no effect here: no auto-commit, no repartition topics, no windows, no lists, no shared groups, no
            // choice of
            // partitions by the producer
            "auto\\.commit\\.interval\\.ms|repartition\\.purge\\.interval\\.ms|window.*|default\\.list\\..*|share\\..*",
            "partitioner\\.(adaptive|availability|rack)\\..*|statestore\\.uncommitted\\.max\\.bytes"));

    /** The same of topics; changelogs get them by the prefix {@code topic.}. */
    private static final Pattern OPEN_OF_CHANGELOGS = Pattern.compile(String.join(
            "|",
            "min\\.insync\\.replicas|segment\\..*|flush\\..*|index\\.interval\\.bytes|file\\.delete\\.delay\\.ms|preallocate",
            "(min|max)\\.compaction\\.lag\\.ms|min\\.cleanable\\.dirty\\.ratio|compression\\.(gzip|lz4|zstd)\\.level",
            "message\\.timestamp\\.type|message\\.downconversion\\.enable|remote\\.(log|copy)\\..*",
            "errors\\.deadletterqueue\\.group\\.enable"));

    @TempDir
    Path directory;

    private final ReservedSettings reserved = new ReservedSettings("127.0.0.1:9092");

    @Test
    void shouldJudgeEverySettingThatKafkaHas() throws Exception {
        Set<String> names = new TreeSet<>();
        for (ConfigDef clients : List.of(
                AdminClientConfig.configDef(),
                ProducerConfig.configDef(),
                ConsumerConfig.configDef(),
                StreamsConfig.configDef())) {
            names.addAll(clients.names());
        }
        assertThat(names)
                .hasSizeGreaterThan(190)
                .allSatisfy(name -> assertThat(OPEN.matcher(name).matches())
                        .as("'%s' is either open or reserved", name)
                        .isNotEqualTo(reserved.knows(name)));
        for (Field constant : TopicConfig.class.getFields()) {
            if (constant.getName().endsWith("_CONFIG")) {
                String name = (String) constant.get(null);
                assertThat(OPEN_OF_CHANGELOGS.matcher(name).matches())
                        .as("'%s' of changelogs is either open or reserved", name)
                        .isNotEqualTo(reserved.knows("topic." + name));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isolation.level=read_uncommitted",
                "processing.guarantee=at_least_once",
                "enable.idempotence=false",
                "acks=1",
                "max.in.flight.requests.per.connection=6",
                "retries=0",
                "transactional.id=mine",
                "enable.auto.commit=true",
                "auto.offset.reset=latest",
                "group.id=other",
                "key.deserializer=a.B",
                "partition.assignment.strategy=a.B",
                "production.exception.handler=a.B",
                "interceptor.classes=a.B",
            })
    void shouldRefuseUnderEveryPrefixWhatExactlyOnceRestsOn(String line) throws Exception {
        for (String prefix : PREFIXES) {
            assertThatThrownBy(() -> file("linger.ms=7\n\n" + prefix + line).refuseWrong())
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining(prefix + line.substring(0, line.indexOf('=')) + " (file ")
                    .hasMessageContaining("client.properties, line 3): ");
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
    void shouldRefuseSettingsUnderWhichChangelogsLoseEntries(String line) throws Exception {
        assertThatThrownBy(() -> file("topic." + line).refuseWrong())
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("topic." + line.substring(0, line.indexOf('=')));
    }

    @Test
    void shouldRefuseToWorkWithTwoClusters() throws Exception {
        for (String prefix : PREFIXES) {
            if (!prefix.isEmpty()) {
                assertThatThrownBy(() -> file("bootstrap.servers=one:9092\n" + prefix + "bootstrap.servers=two:9092")
                                .refuseWrong())
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessageContaining(prefix + "bootstrap.servers (file ")
                        .hasMessageContaining(
                                "client.properties, line 2): topics, changelogs and positions belong to one")
                        .hasMessageContaining("Remove it: --bootstrap-servers is for all clients.");
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
    void shouldCompareServersWithThoseThatCountAndNotWithThoseOfTheFile() throws Exception {
        Path file = Files.writeString(
                directory.resolve("client.properties"),
                "bootstrap.servers=one:9092\nrestore.consumer.bootstrap.servers=one:9092\n");
        assertThatThrownBy(() -> KafkaSettings.of(Optional.of("two:9092"), Optional.of(file), Map.of())
                        .refuseWrong())
                .hasMessageContaining("restore.consumer.bootstrap.servers (file ");
    }

    @Test
    void shouldNameTheVariableThatGaveTheSettingAndAllOfThemAtOnce() {
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
                .hasMessageContaining("main.consumer.isolation.level (environment KAFKA_MAIN_CONSUMER_ISOLATION_LEVEL)")
                .hasMessageContaining("Make it 'read_committed'")
                .hasMessageContaining("state.dir (environment KAFKA_STATE_DIR)")
                .hasMessageContaining("Use strake.data in its place")
                .hasMessageContaining("Use strake.threads in its place");
    }

    @Test
    void shouldTakeWhatIsSaidAnyhow() throws Exception {
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
