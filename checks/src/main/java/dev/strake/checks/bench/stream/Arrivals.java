package dev.strake.checks.bench.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Counts committed records of a topic on arrival, and keeps the arrival times by the change id in a header. */
final class Arrivals implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private final String header;
    private final Map<String, Long> firstArrival = new ConcurrentHashMap<>();
    private final AtomicLong records = new AtomicLong();
    private volatile long lastArrival;

    /**
     * Starts to read at the end of the topic.
     *
     * @param header the header with the id of the change; null to only count records
     */
    Arrivals(String bootstrapServers, String topic, String header) {
        this.header = header;
        consumer = consumer(bootstrapServers);
        List<TopicPartition> partitions = partitions(consumer, topic);
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = new Thread(this::read, "arrivals-" + topic);
        thread.start();
    }

    static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrapServers);
        config.put("isolation.level", "read_committed");
        config.put("fetch.max.wait.ms", "5");
        config.put("max.partition.fetch.bytes", Integer.toString(32 << 20));
        config.put("max.poll.records", "5000");
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    private void read() {
        try {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    long now = System.nanoTime();
                    Header found = header == null ? null : record.headers().lastHeader(header);
                    if (found != null) {
                        firstArrival.putIfAbsent(new String(found.value(), StandardCharsets.UTF_8), now);
                    }
                    lastArrival = now;
                    records.incrementAndGet();
                }
            }
        } catch (WakeupException e) {
            consumer.close();
        }
    }

    /** When the first record of a change arrived, in nanoseconds. */
    long of(String change) {
        return firstArrival.get(change);
    }

    /** The number of changes with an arrived record. */
    int changes() {
        return firstArrival.size();
    }

    long records() {
        return records.get();
    }

    long lastArrival() {
        return lastArrival;
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
