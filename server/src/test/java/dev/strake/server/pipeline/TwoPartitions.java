package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.serdes.Cut;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A topic of two partitions, which a consumer reads on one thread. */
abstract class TwoPartitions {

    static final String TOPIC = "changes";
    static final TopicPartition A = new TopicPartition(TOPIC, 0);
    static final TopicPartition B = new TopicPartition(TOPIC, 1);
    static final Duration TIMEOUT = Duration.ofMinutes(10);
    static final int MB = 1_000_000;
    static final long MOST_UNPACKED = 64L * MB;

    /** Of a batch with huge records, and the offset of the first of those if three records were published before. */
    static final int HUGE_RECORDS = 255;

    static final long FIRST_HUGE = 253;

    @TempDir
    Path directory;

    EmbeddedBroker broker;
    BoundedConsumer consumer;
    final Map<TopicPartition, List<Long>> offsets = new HashMap<>();
    final Map<TopicPartition, Map<Long, Long>> cuts = new HashMap<>();
    long furthestApart;
    long mostAllocated;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("broker"), 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            consumer = new BoundedConsumer(settings(), budget(), Map.of(TOPIC, create(admin)));
        }
    }

    static Uuid create(Admin admin) throws Exception {
        return admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1)))
                .topicId(TOPIC)
                .get();
    }

    Map<String, Object> settings() {
        return Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "max.poll.records",
                "100",
                "auto.offset.reset",
                "earliest",
                "group.id",
                "readers",
                "enable.auto.commit",
                "false");
    }

    static PollBudget budget() {
        return PollBudget.ofChanges(64L * MB, MOST_UNPACKED, 64L * MB);
    }

    @AfterEach
    void stop() {
        consumer.close();
        broker.close();
    }

    interface Records {
        void in(PackedBatch batch) throws IOException;
    }

    void publish(CompressionType codec, Records records) throws Exception {
        PackedBatch batch = new PackedBatch(codec.name);
        records.in(batch);
        ByteBuffer bytes = batch.bytes();
        PackedBatch.send(broker.bootstrapServers(), A, bytes);
        PackedBatch.send(broker.bootstrapServers(), B, bytes);
    }

    static String[] emptyHeaders(int count) {
        String[] headers = new String[2 * count];
        Arrays.fill(headers, "");
        return headers;
    }

    /* More small records than a poll hands out, a record for which no JVM has an array, and others in the same batch. */
    void publishHuge(TopicPartition... partitions) throws Exception {
        PackedBatch batch = new PackedBatch("zstd");
        for (int i = 0; i < FIRST_HUGE - 3; i++) {
            batch.add("workspace", "{}", 10);
        }
        ByteBuffer bytes = batch.add("workspace", "{", batch.mostBlanks("workspace", "{"))
                .add("workspace", "{", 65 * MB, "ce_id", "1")
                .add("workspace", "{}", 0, emptyHeaders(1_100_000))
                .add(null, null, 0)
                .add("workspace", "{}", 0)
                .bytes();
        for (TopicPartition partition : partitions) {
            PackedBatch.send(broker.bootstrapServers(), partition, bytes);
        }
    }

    /* The same to both, so that it does not matter which one the broker tells of first. */
    void publish(int count, int bytes) throws Exception {
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

    ConsumerRecords<byte[], byte[]> pollSome() {
        ConsumerRecords<byte[], byte[]> polled;
        do {
            polled = consumer.poll(Duration.ofMillis(5));
        } while (polled.isEmpty());
        polled.forEach(ConsumerRecord::value);
        return polled;
    }

    /** Until each of two has so many records, all of them in order. */
    void pollUntil(TopicPartition one, TopicPartition other, int count) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (count(one) < count || count(other) < count) {
            assertThat(System.nanoTime()).as("%s", offsets).isLessThan(end);
            long allocated = allocated();
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(5));
            mostAllocated = Math.max(mostAllocated, allocated() - allocated);
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                record.value(); // taken, as Streams takes it
                TopicPartition partition = new TopicPartition(TOPIC, record.partition());
                offsets.computeIfAbsent(partition, p -> new ArrayList<>()).add(record.offset());
                Cut.ofContent(record.headers())
                        .ifPresent(bytes -> cuts.computeIfAbsent(partition, p -> new HashMap<>())
                                .put(record.offset(), bytes));
            }
            if (count(A) < count && count(B) < count) {
                furthestApart = Math.max(furthestApart, Math.abs(count(A) - count(B)));
            }
        }
        List<Long> all = LongStream.range(0, count).boxed().toList();
        assertThat(offsets.get(one)).isEqualTo(all);
        assertThat(offsets.get(other)).isEqualTo(all);
    }

    /* Of this thread, which polls. */
    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private long count(TopicPartition partition) {
        return offsets.getOrDefault(partition, List.of()).size();
    }
}
