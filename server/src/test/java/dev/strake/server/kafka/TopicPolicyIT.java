package dev.strake.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.client.Cluster;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.CapturedLog;
import dev.strake.server.Installation;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.junit.jupiter.api.Test;

/** Creates topics on a broker that rejects a setting, like managed clusters, or older brokers that do not know it. */
public class TopicPolicyIT {

    private final Cluster kafka = Installation.kafka().cluster();

    /** Instantiated by the broker. Rejects a setting for topics whose name begins with the name of that setting. */
    public static final class Policy implements CreateTopicPolicy {

        @Override
        public void validate(RequestMetadata request) {
            for (String setting : request.configs().keySet()) {
                if (request.topic().startsWith(setting)) {
                    throw new PolicyViolationException("nobody may set " + setting + " here");
                }
            }
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }

    @Test
    void shouldPrintTheCommandForATopicThatThePolicyRefuses() {
        assertThatThrownBy(() -> new TopicSet("segment.bytes.").ensure(kafka, 2, Optional.of((short) 1)))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContainingAll(
                        "nobody may set segment.bytes here",
                        "kafka-topics.sh --bootstrap-server " + kafka.bootstrapServers()
                                + " --create --topic segment.bytes.rende",
                        "--partitions 2 --replication-factor 1",
                        "--config segment.bytes=67108864");
    }

    @Test
    void shouldWarnIfTheBrokerDoesNotLimitDecompressedRecords() {
        CapturedLog log = CapturedLog.of(TopicSet.class);
        try (log) {
            new TopicSet("max.decompressed.message.bytes.").ensure(kafka, 1, Optional.empty());
        }
        assertThat(log.lines())
                .filteredOn(line -> line.contains("max.decompressed.message.bytes.document-changes"))
                .singleElement()
                .asString()
                .contains(
                        "To bound them: kafka-configs.sh ",
                        "--add-config max.decompressed.message.bytes=16777216",
                        "compression.type=uncompressed");
    }
}
