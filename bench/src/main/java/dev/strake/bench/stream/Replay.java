package dev.strake.bench.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What Strake published from a point on: the identity topology is given the very same to forward. */
final class Replay {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String bootstrapServers;
    private final Map<TopicPartition, Long> from;

    /** Remembers where the topic ends now. */
    Replay(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        try (KafkaConsumer<byte[], byte[]> consumer = Arrivals.consumer(bootstrapServers)) {
            from = consumer.endOffsets(Arrivals.partitions(consumer, Workspaces.RENDERED));
        }
    }

    /** The records that came since, so many of them. */
    List<ConsumerRecord<byte[], byte[]>> records(int count) {
        List<ConsumerRecord<byte[], byte[]>> result = new ArrayList<>(count);
        try (KafkaConsumer<byte[], byte[]> consumer = Arrivals.consumer(bootstrapServers)) {
            consumer.assign(from.keySet());
            from.forEach(consumer::seek);
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (result.size() < count) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("of %d records only %d came".formatted(count, result.size()));
                }
                // Nothing may come from a poll that went over what was compacted, or over the ends of transactions.
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (result.size() < count && record.value() != null) {
                        result.add(record);
                    }
                }
            }
        }
        return result;
    }
}
