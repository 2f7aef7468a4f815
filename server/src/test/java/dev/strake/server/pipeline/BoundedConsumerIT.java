package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.CompressionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitions of one thread, each with more than a poll hands out. */
class BoundedConsumerIT extends TwoPartitions {

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

    /* A rest would also keep the consumer from asking for more of the one that has some. */
    @Test
    void shouldNotRestWhereOthersHaveNothing() throws Exception {
        publish(1_000, 300);
        consumer.assign(List.of(A, B));
        consumer.seek(A, 0);
        consumer.seek(B, 1_000);
        int polls = 0;
        while (consumer.position(A) < 1_000) {
            consumer.poll(Duration.ofSeconds(5)).forEach(ConsumerRecord::value);
            polls++;
        }
        assertThat(polls).isLessThan(15); // ten with a hundred records each
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
}
