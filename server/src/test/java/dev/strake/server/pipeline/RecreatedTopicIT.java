package dev.strake.server.pipeline;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.Installation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topic of changes is deleted and created again, so its offsets restart at 0 for other changes. */
class RecreatedTopicIT {

    private static final int PARTITIONS = 2;
    private static final String SITE = "site-a";
    private static final int HOME = WorkspaceKey.partition(SITE, PARTITIONS);

    @TempDir
    private Path directory;

    private Installation strake;
    private KafkaConsumer<byte[], byte[]> outcomes;

    @BeforeEach
    void start() {
        strake = new Installation("recreated", directory, PARTITIONS);
    }

    @AfterEach
    void stop() {
        outcomes.close();
        strake.close();
    }

    @Test
    void shouldApplyAChangeAtTheOffsetOfAnEarlierChange() throws Exception {
        try (Pipeline pipeline = strake.startPipeline()) {
            pipeline.awaitReady(TIMEOUT);
            outcomes = strake.reader(TopicNames.OUTCOMES);
            assertThat(publish(HOME, "first").status()).isEqualTo(OutcomeStatus.RENDERED);
            Outcome sentHome = publish(1 - HOME, "second");
            assertThat(sentHome.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(sentHome.change().id()).isEqualTo(changes() + "-" + (1 - HOME) + "-0");
        }
        try (Admin admin = Installation.admin()) {
            admin.deleteTopics(List.of(changes())).all().get();
            await().atMost(TIMEOUT)
                    .until(() -> !admin.listTopics().names().get().contains(changes()));
        }
        try (Pipeline pipeline = strake.startPipeline()) {
            pipeline.awaitReady(TIMEOUT);
            Outcome third = publish(HOME, "third");
            assertThat(third.change().id()).isEqualTo(changes() + "-" + HOME + "-0");
            assertThat(third.status()).isEqualTo(OutcomeStatus.RENDERED);
            Outcome fourth = publish(1 - HOME, "fourth");
            assertThat(fourth.change().id()).isEqualTo(changes() + "-" + (1 - HOME) + "-0");
            assertThat(fourth.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(fourth.revision()).isEqualTo(4);
        }
    }

    private String changes() {
        return strake.topic(TopicNames.CHANGES);
    }

    /* Publishes a change without an id. Its partition and offset identify it. */
    private Outcome publish(int partition, String name) throws Exception {
        strake.publish(new ProducerRecord<>(
                changes(),
                partition,
                SITE.getBytes(UTF_8),
                POLICY.replace("policy}", name + "}").getBytes(UTF_8)));
        List<Outcome> answers = new ArrayList<>();
        await().atMost(TIMEOUT).until(() -> {
            outcomes.poll(Duration.ofMillis(200)).forEach(record -> answers.add(OutcomeJson.read(record.value())));
            return !answers.isEmpty();
        });
        return answers.get(0);
    }
}
