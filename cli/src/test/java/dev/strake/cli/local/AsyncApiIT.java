package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.networknt.schema.SpecificationVersion;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.kafka.TopicSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/asyncapi.yaml}: valid, true to the code, and true to records of a run. */
class AsyncApiIT {

    @TempDir
    Path directory;

    @Test
    void shouldBeValidByThePublishedSchema() throws Exception {
        PublishedSchema schema = PublishedSchema.of("/schemas/asyncapi/3.0.0.json.gz", SpecificationVersion.DRAFT_7);
        assertThat(schema.violations(AsyncApi.read().document())).isEmpty();
    }

    @Test
    void shouldNameTheTopicsTypesAndStatusesOfTheCode() throws Exception {
        AsyncApi api = AsyncApi.read();
        Map<String, Map<String, String>> configs = StrakeTopics.configs();
        configs.put("strake." + TopicNames.CLEARTEXT, configs.get("strake." + TopicNames.RENDERED));
        assertThat(api.channels().keySet()).isEqualTo(configs.keySet());
        api.channels()
                .forEach((topic, channel) -> channel.at("/bindings/kafka/topicConfiguration")
                        .properties()
                        .forEach(setting -> assertThat(
                                        setting.getValue().isArray()
                                                ? setting.getValue().get(0).asText()
                                                : setting.getValue().asText())
                                .as(topic + " " + setting.getKey())
                                .isEqualTo(configs.get(topic).get(setting.getKey()))));
        assertThat(api.document().at("/components/messages/change/headers/properties/ce_type/enum"))
                .extracting(node -> node.asText())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ChangeType.values()).map(ChangeType::text).toList());
        assertThat(api.document().at("/components/messages/applyResult/payload/properties/status/enum"))
                .extracting(node -> node.asText())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(DocumentResult.Status.values())
                        .map(DocumentResult.Status::text)
                        .toList());
        assertThat(api.document().at("/components/schemas/outcome/properties/status/enum"))
                .extracting(node -> node.asText())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(OutcomeStatus.values())
                        .map(OutcomeStatus::text)
                        .toList());
    }

    @Test
    void shouldDescribeEveryRecordOfARun() throws Exception {
        AsyncApi api = AsyncApi.read();
        Set<String> seen = new HashSet<>();
        try (TestStrake strake = TestStrake.start(directory)) {
            String two = TestStrake.document("a", "{x: 1}") + TestStrake.document("b", "[1, 2]");
            strake.publish(ExitCode.FINE, "site-a", two);
            strake.publish(ExitCode.FINE, "site-a", TestStrake.document("a", "{x: 2}"));
            strake.publish(ExitCode.DIFFERENT_OR_INVALID, "site-a", TestStrake.BROKEN);
            strake.publish(ExitCode.FINE, "site-a", two);
            strake.send("site-a", "a: [", Map.of());
            strake.send(
                    "site-b",
                    TestStrake.POLICY,
                    Map.of(
                            "ce_source",
                            "test",
                            "ce_time",
                            "2026-01-01T00:00:00Z",
                            "traceparent",
                            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
            strake.send("site-b", TestStrake.POLICY, Map.of("ce_id", "x", "part", "1/2"));
            strake.send("no workspace|", "what is this", Map.of("mine", "kept"));
            Set<String> topics = new TopicSet("strake.").configs().keySet();
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> strake.read("strake.dead-letters").size()
                                    + strake.read("strake.outcomes").size()
                            == 8);
            for (String topic : topics) {
                for (ConsumerRecord<byte[], byte[]> message : strake.read(topic)) {
                    String name = api.messageOf(message);
                    seen.add(name);
                    if (isSentAsAChange(message)) {
                        assertThat(api.violations(name, message))
                                .as(() -> name + " " + message)
                                .isEmpty();
                    }
                    // The record must violate other schemas, or else a schema could accept anything.
                    if (!Set.of("change", "deadLetter").contains(name)) {
                        assertThat(api.violations(name.equals("outcome") ? "documentRendered" : "outcome", message))
                                .as(name)
                                .isNotEmpty();
                    }
                }
            }
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "change",
                        "documentRendered",
                        "documentRemoved",
                        "outcome",
                        "problemOpened",
                        "problemCleared",
                        "deadLetter");
    }

    /* A record that becomes a dead letter need not conform to the schema of a change. */
    private static boolean isSentAsAChange(ConsumerRecord<byte[], byte[]> message) {
        return !message.topic().equals("strake.document-changes")
                || message.headers().lastHeader("mine") == null;
    }
}
