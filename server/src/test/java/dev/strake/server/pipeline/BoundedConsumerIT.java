package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions of one thread, each with more than a poll hands out. */
class BoundedConsumerIT {

    private static final String TOPIC = "changes";
    private static final TopicPartition A = new TopicPartition(TOPIC, 0);
    private static final TopicPartition B = new TopicPartition(TOPIC, 1);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int MB = 1_000_000;

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private BoundedConsumer consumer;
    private final Map<TopicPartition, List<Long>> offsets = new HashMap<>();
    private long furthestApart;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("broker"), 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
        }
        consumer = new BoundedConsumer(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "max.poll.records",
                        "100",
                        "auto.offset.reset",
                        "earliest"),
                PollBudget.ofChanges(64L * MB, 64L * MB));
    }

    @AfterEach
    void stop() {
        consumer.close();
        broker.close();
    }

    @Test
    void shouldTakeTurnsWhereRecordsAreLargeUnpacked() throws Exception {
        publish(20, 3 * MB);
        consumer.assign(List.of(A, B));
        pollUntil(A, B, 20);
        assertThat(furthestApart).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldTakeTurnsWhereRecordsAreMany() throws Exception {
        publish(1_000, 300);
        consumer.assign(List.of(A, B));
        pollUntil(A, B, 1_000);
        assertThat(furthestApart).isLessThanOrEqualTo(100);
    }

    @Test
    void shouldLeaveAPartitionPausedThatStreamsHasPaused() throws Exception {
        publish(5, 3 * MB);
        consumer.assign(List.of(A, B));
        consumer.pause(List.of(A));
        pollUntil(B, B, 5);
        assertThat(offsets).doesNotContainKey(A);
        assertThat(consumer.paused()).containsExactly(A);
        consumer.resume(List.of(A));
        pollUntil(A, B, 5);
        assertThat(consumer.paused()).isEmpty();
    }

    /* The same to both, so that it does not matter which one the broker tells of first. */
    private void publish(int count, int bytes) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "compression.type",
                        "zstd",
                        "linger.ms",
                        "20",
                        "max.request.size",
                        64 * MB),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>(TOPIC, A.partition(), null, new byte[bytes])));
                sent.add(producer.send(new ProducerRecord<>(TOPIC, B.partition(), null, new byte[bytes])));
            }
        }
        for (Future<?> each : sent) {
            each.get();
        }
    }

    /** Until each of two has so many records, all of them in order. */
    private void pollUntil(TopicPartition one, TopicPartition other, int count) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (count(one) < count || count(other) < count) {
            assertThat(System.nanoTime()).as("%s", offsets).isLessThan(end);
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(5))) {
                assertThat(record.value()).isNotNull(); // taken, as Streams takes it
                offsets.computeIfAbsent(new TopicPartition(TOPIC, record.partition()), p -> new ArrayList<>())
                        .add(record.offset());
            }
            if (count(A) < count && count(B) < count) {
                furthestApart = Math.max(furthestApart, Math.abs(count(A) - count(B)));
            }
        }
        List<Long> all = LongStream.range(0, count).boxed().toList();
        assertThat(offsets.get(one)).isEqualTo(all);
        assertThat(offsets.get(other)).isEqualTo(all);
    }

    private long count(TopicPartition partition) {
        return offsets.getOrDefault(partition, List.of()).size();
    }
}
