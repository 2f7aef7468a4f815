package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.serdes.Cut;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions of one thread, each with more than a poll hands out. */
class BoundedConsumerIT {

    private static final String TOPIC = "changes";
    private static final TopicPartition A = new TopicPartition(TOPIC, 0);
    private static final TopicPartition B = new TopicPartition(TOPIC, 1);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int MB = 1_000_000;
    private static final long MOST_UNPACKED = 64L * MB;

    /** Of a batch with huge records, and the offset of the first of those if three records were published before. */
    private static final int HUGE_RECORDS = 255;

    /** Records beside those, fewer than a poll hands out. */
    private static final int FEW = 3;

    private static final long FIRST_HUGE = 253;

    private static final ConsumerRebalanceListener NO_LISTENER = new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
    };

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private BoundedConsumer consumer;
    private final Map<TopicPartition, List<Long>> offsets = new HashMap<>();
    private final Map<TopicPartition, Map<Long, Long>> cuts = new HashMap<>();
    private long furthestApart;
    private long mostAllocated;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("broker"), 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            consumer = new BoundedConsumer(settings(), budget(), Map.of(TOPIC, create(admin)));
        }
    }

    private static Uuid create(Admin admin) throws Exception {
        return admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1)))
                .topicId(TOPIC)
                .get();
    }

    private Map<String, Object> settings() {
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

    private static PollBudget budget() {
        return PollBudget.ofChanges(64L * MB, MOST_UNPACKED, 64L * MB);
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

    @Test
    void shouldReadByHandWhatUnpacksToMoreThanAnyHeap() throws Exception {
        publish(3, 100);
        publishHuge(A, B);
        publish(3, 100);
        consumer.assign(List.of(A, B));
        pollUntil(A, B, HUGE_RECORDS + 6);
        for (TopicPartition partition : List.of(A, B)) {
            assertThat(cuts.get(partition)).containsOnlyKeys(FIRST_HUGE, FIRST_HUGE + 1, FIRST_HUGE + 2);
            assertThat(cuts.get(partition).get(FIRST_HUGE)).isGreaterThan(Integer.MAX_VALUE - 100L);
            assertThat(cuts.get(partition).get(FIRST_HUGE + 1)).isEqualTo(65L * MB + 1);
        }
        publish(3, 100);
        pollUntil(A, B, HUGE_RECORDS + 9);
    }

    /* So few that one poll may read them and go on to the other partition. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldLoseNothingOfAPartitionBesideAHugeRecord(int huge) throws Exception {
        TopicPartition partition = List.of(A, B).get(huge);
        TopicPartition other = List.of(B, A).get(huge);
        publish(FEW, 100);
        publishHuge(partition);
        consumer.assign(List.of(A, B));
        consumer.seek(partition, FEW + FIRST_HUGE - 3);
        consumer.seek(other, 0); // so that one fetch brings both
        List<Long> read = new ArrayList<>();
        await().pollInterval(Duration.ofMillis(1))
                .atMost(TIMEOUT)
                .until(
                        () -> { // poll waits
                            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(5))) {
                                if (record.partition() == other.partition()) {
                                    read.add(record.offset());
                                }
                            }
                            return consumer.position(partition) == FEW + HUGE_RECORDS
                                    && consumer.position(other) == FEW;
                        });
        assertThat(read).isEqualTo(LongStream.range(0, FEW).boxed().toList());
    }

    @Test
    void shouldGoOnBehindAHugeRecordThatAnotherConsumerHandedOut() throws Exception {
        publishHuge(A, B);
        consumer.assign(List.of(A, B));
        long behind = FIRST_HUGE - 2; // three records were published before, elsewhere
        consumer.seek(A, behind);
        consumer.pause(List.of(B));
        List<Long> read = new ArrayList<>();
        await().pollInterval(Duration.ofMillis(1))
                .atMost(TIMEOUT)
                .until(
                        () -> { // poll waits
                            consumer.poll(Duration.ofMillis(5)).forEach(record -> read.add(record.offset()));
                            return !read.isEmpty() && read.get(read.size() - 1) == HUGE_RECORDS - 1;
                        });
        assertThat(read)
                .isEqualTo(LongStream.range(behind, HUGE_RECORDS).boxed().toList());
        assertThat(consumer.position(A)).isEqualTo(HUGE_RECORDS);
        assertThat(consumer.position(B)).isZero();
        assertThat(consumer.paused()).containsExactly(B);
    }

    @Test
    void shouldFollowStreamsThatPausesAndGoesBackInTheMiddle() throws Exception {
        publishHuge(A, B);
        consumer.assign(List.of(A, B));
        consumer.pause(List.of(B));
        ConsumerRecords<byte[], byte[]> first = pollSome();
        assertThat(first.nextOffsets().get(A).offset()).isEqualTo(consumer.position(A));
        while (consumer.position(A) <= FIRST_HUGE - 2) {
            pollSome();
        }
        consumer.pause(List.of(A));
        for (int i = 0; i < 4; i++) {
            assertThat(consumer.poll(Duration.ofMillis(5))).isEmpty();
        }
        consumer.resume(List.of(A, B));
        consumer.seek(A, 0);
        pollUntil(A, B, HUGE_RECORDS);
    }

    @ParameterizedTest
    @EnumSource(value = CompressionType.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldUnpackNoRecordThatIsTooHeavy(CompressionType codec) throws Exception {
        publish(2, 100);
        publish(codec, batch -> batch.add("workspace", "{", 100 * MB));
        publish(2, 100);
        consumer.assign(List.of(A, B));
        pollUntil(A, B, 5);
        assertThat(mostAllocated).isLessThan(MOST_UNPACKED);
        assertThat(cuts.get(A)).containsOnly(Map.entry(2L, 100L * MB + 1));
        assertThat(cuts.get(B)).containsOnly(Map.entry(2L, 100L * MB + 1));
    }

    /* No deserializer sees them. The heap holds those of one partition, and not of both, or none at all. */
    @ParameterizedTest
    @CsvSource({"none, 5", "gzip, 5", "snappy, 5", "lz4, 5", "zstd, 5", "none, 20", "zstd, 20"})
    void shouldUnpackNoMoreHeadersAtOnceThanMayBe(String codec, int count) throws Exception {
        publish(CompressionType.forName(codec), batch -> {
            for (int i = 0; i < count; i++) {
                batch.add(null, null, 0, emptyHeaders(60_000));
            }
        });
        publish(2, 100);
        consumer.assign(List.of(A, B));
        pollUntil(A, B, count + 2);
        assertThat(mostAllocated).isLessThan(MOST_UNPACKED);
    }

    private interface Records {
        void in(PackedBatch batch) throws IOException;
    }

    private void publish(CompressionType codec, Records records) throws Exception {
        PackedBatch batch = new PackedBatch(codec.name);
        records.in(batch);
        ByteBuffer bytes = batch.bytes();
        PackedBatch.send(broker.bootstrapServers(), A, bytes);
        PackedBatch.send(broker.bootstrapServers(), B, bytes);
    }

    private static String[] emptyHeaders(int count) {
        String[] headers = new String[2 * count];
        Arrays.fill(headers, "");
        return headers;
    }

    /* Who is given a partition begins at what was committed, which is nothing here. */
    @Test
    void shouldReadByHandWhatIsGivenToAnotherInTheMiddle() throws Exception {
        publishHuge(A, B);
        consumer.subscribe(List.of(TOPIC), NO_LISTENER);
        pollSome();
        try (BoundedConsumer other = new BoundedConsumer(settings(), budget(), Map.of())) {
            other.subscribe(List.of(TOPIC), NO_LISTENER);
            Map<Integer, List<Long>> read = new HashMap<>();
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(TIMEOUT)
                    .until(
                            () -> { // poll waits
                                boolean isShared = other.assignment().size() == 1;
                                for (BoundedConsumer each : List.of(consumer, other)) {
                                    for (ConsumerRecord<byte[], byte[]> record : each.poll(Duration.ofMillis(5))) {
                                        if (isShared) {
                                            read.computeIfAbsent(record.partition(), p -> new ArrayList<>())
                                                    .add(record.offset());
                                        }
                                    }
                                }
                                return read.size() == 2
                                        && read.values().stream()
                                                .allMatch(offsets -> offsets.contains((long) HUGE_RECORDS - 1));
                            });
            assertThat(consumer.assignment()).hasSize(1).doesNotContainAnyElementsOf(other.assignment());
            List<Long> all = LongStream.range(0, HUGE_RECORDS).boxed().toList();
            assertThat(read.values()).allSatisfy(offsets -> assertThat(offsets).isEqualTo(all));
        }
    }

    /* The consumer learns of it only from the fetches: it asks nobody for the topic while it reads. */
    @Test
    void shouldHandOutNothingOfALaterTopicOfTheSameName() throws Exception {
        publish(3, 100);
        consumer.assign(List.of(A, B));
        pollUntil(A, B, 3);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.deleteTopics(List.of(TOPIC)).all().get();
            Uuid later = create(admin);
            publish(6, 100);
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(TIMEOUT)
                    .until(
                            () -> { // poll waits
                                assertThat(consumer.poll(Duration.ofMillis(5))).isEmpty();
                                return consumer.paused().equals(Set.of(A, B));
                            });
            assertThat(consumer.poll(Duration.ofMillis(5))).isEmpty();
            consumer.close();
            consumer = new BoundedConsumer(settings(), budget(), Map.of(TOPIC, later));
        }
        offsets.clear();
        consumer.assign(List.of(A, B));
        consumer.seekToBeginning(List.of(A, B));
        pollUntil(A, B, 6);
    }

    private ConsumerRecords<byte[], byte[]> pollSome() {
        ConsumerRecords<byte[], byte[]> polled;
        do {
            polled = consumer.poll(Duration.ofMillis(5));
        } while (polled.isEmpty());
        polled.forEach(ConsumerRecord::value);
        return polled;
    }

    /* More small records than a poll hands out, a record for which no JVM has an array, and others in the same batch. */
    private void publishHuge(TopicPartition... partitions) throws Exception {
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
