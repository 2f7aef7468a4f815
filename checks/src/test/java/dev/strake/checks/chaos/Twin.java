package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A second pipeline on the broker of a run, with separate topics, group and state. It receives the same records without
 * faults, and must publish the same.
 *
 * <p>It differs in everything that must not matter: one instance, which gets all changes at once, has no cache of
 * documents, and closes a workspace as soon as no change edits it.
 */
final class Twin implements AutoCloseable {

    private static final String PREFIX = "twin.";
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final KafkaSettings kafka;
    private final Instance instance;

    /** Starts it without changes. */
    Twin(KafkaSettings kafka, Instance instance, int partitions) {
        this.kafka = kafka;
        this.instance = instance.set("strake.topic-prefix", PREFIX)
                .set("strake.application-id", "twin")
                .set("strake.cache-bytes", "0");
        new TopicSet(PREFIX).ensure(kafka.cluster(), partitions, Optional.of((short) 1));
        instance.start();
    }

    /** Its history for the changes of a run. */
    History historyOver(History run) {
        copyChanges(run);
        int answers = run.topic(TopicNames.OUTCOMES).size();
        try (Watch watch = new Watch(kafka, PREFIX, run.partitions(), answers)) {
            await("the twin's outcomes").atMost(PATIENCE).until(() -> watch.outcomes() >= answers);
        }
        History history = History.read(kafka, PREFIX);
        assertThat(Comparison.isOfSameChanges(run, history)).as("same changes").isTrue();
        return history;
    }

    private void copyChanges(History run) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                kafka.cluster().with(Map.of("enable.idempotence", true)),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (ConsumerRecord<byte[], byte[]> change : run.topic(TopicNames.CHANGES)) {
                sent.add(producer.send(new ProducerRecord<>(
                        PREFIX + TopicNames.CHANGES,
                        change.partition(),
                        change.timestamp(),
                        change.key(),
                        change.value(),
                        change.headers())));
            }
        }
        for (Future<RecordMetadata> each : sent) {
            try {
                each.get();
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        if (instance.isRunning()) {
            instance.kill();
        }
    }
}
