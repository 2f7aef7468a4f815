package dev.strake.checks.chaos;

import dev.strake.serdes.secret.Ciphertext;
import dev.strake.topology.layout.DocumentsLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;

/** Finds the keys with which stored documents are encrypted, by reading the changelog. */
final class StoredKeys implements AutoCloseable {

    private static final String CHANGELOG = "strake-" + DocumentsLayout.STORE + "-changelog";

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<Bytes, Integer> keys = new HashMap<>();

    StoredKeys(String bootstrapServers, int partitions) {
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        this.partitions = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(CHANGELOG, partition))
                .toList();
        consumer.assign(this.partitions);
        consumer.seekToBeginning(this.partitions);
    }

    /** The number of documents encrypted with a key. */
    long with(int key) {
        readOn();
        return keys.values().stream().filter(each -> each == key).count();
    }

    /** The number of documents encrypted with other keys. */
    long without(int key) {
        readOn();
        return keys.values().stream().filter(each -> each != key).count();
    }

    private void readOn() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                byte[] sealed = record.value() == null ? null : DocumentsLayout.sealed(record.key(), record.value());
                if (sealed == null) {
                    keys.remove(Bytes.wrap(record.key()));
                } else {
                    keys.put(Bytes.wrap(record.key()), Ciphertext.keyOf(sealed));
                }
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
