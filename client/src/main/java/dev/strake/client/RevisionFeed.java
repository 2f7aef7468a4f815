package dev.strake.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions of both topics, and returns the records of each partition in order. Not thread-safe. */
public final class RevisionFeed {

    private final RevisionTopics topics;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<Integer, RevisionMerger> revisions = new TreeMap<>();

    /** Starts at the positions of {@code which}. The caller owns the consumer and may reuse it later. */
    public RevisionFeed(
            RevisionTopics topics, KafkaConsumer<byte[], byte[]> consumer, Collection<RevisionMerger> which) {
        this.topics = topics;
        this.consumer = consumer;
        Map<TopicPartition, Long> from = new HashMap<>();
        for (RevisionMerger each : which) {
            revisions.put(each.partition(), each);
            from.put(topics.outcomes(each.partition()), each.outcomesRead());
            if (each.withDocuments()) {
                from.put(topics.rendered(each.partition()), each.renderedRead());
            }
        }
        consumer.assign(from.keySet());
        from.forEach(consumer::seek);
    }

    /**
     * Returns the parts of revisions that have become available, possibly without the rest of their revision.
     *
     * @param longest how long to wait for records
     * @throws org.apache.kafka.clients.consumer.OffsetOutOfRangeException if the records at a position are gone
     */
    public List<RevisionPart> read(Duration longest) {
        for (RevisionMerger each : revisions.values()) {
            pause(topics.outcomes(each.partition()), !each.wantsOutcomes());
            if (each.withDocuments()) {
                pause(topics.rendered(each.partition()), !each.wantsRendered());
            }
        }
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(longest)) {
            RevisionMerger each = revisions.get(message.partition());
            if (message.topic().equals(topics.outcomes(message.partition()).topic())) {
                each.addOutcome(message);
            } else {
                each.addRendered(message);
            }
        }
        List<RevisionPart> parts = new ArrayList<>();
        Map<TopicPartition, RevisionMerger> stuck = new HashMap<>();
        for (RevisionMerger each : revisions.values()) {
            each.readTo(
                    consumer.position(topics.outcomes(each.partition())),
                    each.withDocuments() ? consumer.position(topics.rendered(each.partition())) : each.renderedRead());
            parts.addAll(each.take());
            if (each.isStuck()) {
                stuck.put(topics.rendered(each.partition()), each);
            }
        }
        if (!stuck.isEmpty()) {
            topics.ends(stuck.keySet())
                    .forEach((partition, end) -> stuck.get(partition).endsBefore(end));
        }
        return parts;
    }

    private void pause(TopicPartition partition, boolean pause) {
        if (pause) {
            consumer.pause(List.of(partition));
        } else {
            consumer.resume(List.of(partition));
        }
    }
}
