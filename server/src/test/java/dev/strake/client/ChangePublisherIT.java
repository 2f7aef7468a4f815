package dev.strake.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.server.Installation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A publisher on a real broker, whose outcomes the test writes. */
@Execution(ExecutionMode.CONCURRENT)
class ChangePublisherIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String WORKSPACE = "site-a";

    private final Cluster cluster = Cluster.at(Installation.broker().bootstrapServers());
    private final String prefix = UUID.randomUUID() + ".";

    @BeforeEach
    void createTopics() throws Exception {
        try (Admin admin = Installation.admin()) {
            admin.createTopics(List.of(
                            new NewTopic(prefix + "document-changes", 1, (short) 1),
                            new NewTopic(prefix + "outcomes", 1, (short) 1)))
                    .all()
                    .get();
        }
        try (KafkaProducer<byte[], byte[]> producer = ChangePublisher.producer(cluster, TIMEOUT)) {
            producer.partitionsFor(prefix + "outcomes"); // waits until the broker knows it
        }
    }

    @Test
    void shouldFindEachOutcomeInWhateverOrderTheyAreAwaited() throws Exception {
        try (ChangePublisher publisher = new ChangePublisher(cluster, prefix, WORKSPACE, TIMEOUT)) {
            PublishedHistory history = new PublishedHistory(WORKSPACE);
            for (int i = 1; i <= 3; i++) {
                publisher.publish(change(WORKSPACE, "c" + i));
                history.revision(Map.of("a", "" + i));
            }
            writeOutcomes(history);
            for (int i : List.of(2, 1, 3)) {
                assertThat(publisher.await("c" + i, pending -> {}).revision()).isEqualTo(i);
            }
            assertThat(publisher.poll("c2", Duration.ofMillis(1))).isEmpty();
        }
    }

    @Test
    void shouldRefuseAChangeOfAnotherWorkspace() {
        try (ChangePublisher publisher = new ChangePublisher(cluster, prefix, WORKSPACE, TIMEOUT)) {
            assertThatThrownBy(() -> publisher.publish(change("site-b", "c1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("this publishes changes of workspace site-a, and the change is of site-b");
        }
    }

    @Test
    void shouldRefuseANameThatNoWorkspaceHas() {
        assertThatThrownBy(() -> new ChangePublisher(cluster, prefix, "site a", TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the name of a workspace has to have 1 to 128 letters");
    }

    private static NewChange change(String workspace, String id) {
        return NewChange.asText(workspace, id, ChangeType.BUCKET_PUT, "default", new byte[0], null);
    }

    private void writeOutcomes(PublishedHistory history) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = ChangePublisher.producer(cluster, TIMEOUT)) {
            for (int i = 1; i <= history.size(); i++) {
                producer.send(new ProducerRecord<>(
                                prefix + "outcomes", WORKSPACE.getBytes(UTF_8), OutcomeJson.write(history.outcome(i))))
                        .get();
            }
        }
    }
}
