package dev.strake.remote.fetch;

import dev.strake.client.Cluster;
import dev.strake.client.PartitionReader;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.serdes.rendered.RenderedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads single records by offset. Resources refer to few documents, so their values are read again instead of kept on
 * the heap. Thread-safe.
 */
final class RecordReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Duration timeout;

    RecordReader(Cluster cluster, Duration timeout) {
        this.timeout = timeout;
        this.consumer = PartitionReader.consumer(cluster, timeout, "none");
    }

    /** Returns access to the documents with known offsets. */
    ReferencedValues.Documents at(TopicPartition partition, Map<DocumentKey, Long> offsets) {
        return key -> offsets.containsKey(key) ? Optional.of(read(partition, offsets.get(key), key)) : Optional.empty();
    }

    private synchronized RenderedRecord read(TopicPartition partition, long offset, DocumentKey key)
            throws FetchException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            consumer.assign(List.of(partition));
            consumer.seek(partition, offset);
            while (System.nanoTime() - deadline < 0) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    if (message.offset() != offset || message.value() == null) {
                        // compacted away: the consumer will soon see a newer record
                        throw new FetchException(Code.REFERENCE, key + " has just changed");
                    }
                    return RenderedRecord.read(message.key(), message.value(), message.headers());
                }
            }
        } catch (KafkaException e) {
            throw new FetchException(
                    Code.REFERENCE,
                    "%s could not be read from Kafka (%s)"
                            .formatted(key, e.getClass().getSimpleName()));
        }
        throw new FetchException(Code.REFERENCE, key + " could not be read from Kafka in time");
    }

    @Override
    public synchronized void close() {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
