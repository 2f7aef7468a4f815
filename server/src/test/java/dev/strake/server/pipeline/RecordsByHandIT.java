package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.strake.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Records that unpack to more than any heap, beside small ones. */
class RecordsByHandIT extends TwoPartitions {

    /** Records beside those, fewer than a poll hands out. */
    private static final int FEW = 3;

    private static final ConsumerRebalanceListener NO_LISTENER = new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
    };

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

    /* One partition is being read by then, the other one is not. */
    @Test
    void shouldReadNothingByHandOfALaterTopicOfTheSameName() throws Exception {
        publishHuge(A, B);
        consumer.assign(List.of(A, B));
        TopicPartition begun = only(pollSome());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.deleteTopics(List.of(TOPIC)).all().get();
            create(admin);
        }
        publishHuge(A, B);
        publish(3, 100);
        Set<TopicPartition> read = new HashSet<>();
        await().pollInterval(Duration.ofMillis(1))
                .atMost(TIMEOUT)
                .until(
                        () -> { // poll waits
                            read.addAll(consumer.poll(Duration.ofMillis(5)).partitions());
                            return consumer.paused().equals(Set.of(A, B));
                        });
        assertThat(read).containsOnly(begun);
        assertThat(consumer.position(begun)).isEqualTo(HUGE_RECORDS);
    }

    /* What was fetched already is read to its end, and then the consumer waits. */
    @Test
    void shouldWaitForABrokerThatIsAway() throws Exception {
        publishHuge(A, B);
        consumer.assign(List.of(A, B));
        TopicPartition begun = only(pollSome());
        int port = broker.port();
        broker.close();
        while (consumer.position(begun) < HUGE_RECORDS) {
            consumer.poll(Duration.ofMillis(5));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(consumer.poll(Duration.ofMillis(5))).isEmpty();
        }
        broker = EmbeddedBroker.start(directory.resolve("broker"), port);
        consumer.seek(begun, 0);
        pollUntil(A, B, HUGE_RECORDS);
    }

    @Test
    void shouldTellOfWhatOnlyKafkasConsumerCouldRead() throws Exception {
        publishHuge(A);
        RawFetch ofAnotherTopic = new RawFetch(settings(), Map.of(TOPIC, Uuid.randomUuid()));
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        ThresholdFilter warnings = new ThresholdFilter(); // others may listen for more
        warnings.setLevel("WARN");
        warnings.start();
        lines.addFilter(warnings);
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger(BoundedConsumer.class);
        log.addAppender(lines);
        try (BoundedConsumer other = new BoundedConsumer(settings(), budget(), Map.of(), ofAnotherTopic)) {
            other.assign(List.of(A));
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(TIMEOUT)
                    .until(
                            () -> { // poll waits
                                other.poll(Duration.ofMillis(5));
                                return !lines.list.isEmpty();
                            });
            assertThat(other.position(A)).isZero();
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list.get(0).getFormattedMessage())
                .isEqualTo("What lies in " + A + " unpacks to too much for Kafka's consumer, and could not be read in"
                        + " another way 100 times in a row. Strake goes on trying");
        assertThat(lines.list.get(0).getThrowableProxy().getClassName()).endsWith("UnknownTopicIdException");
    }

    private static TopicPartition only(ConsumerRecords<byte[], byte[]> polled) {
        return polled.partitions().iterator().next();
    }
}
