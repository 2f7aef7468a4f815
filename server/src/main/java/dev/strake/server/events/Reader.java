package dev.strake.server.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads some partitions of both topics into one order each. For one thread. */
final class Reader {

    private final Topics topics;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<Integer, Merge> merges = new TreeMap<>();
    private final boolean withRendered;

    /**
     * Goes on where the merges are.
     *
     * @param withRendered whether they want rendered documents
     */
    Reader(Topics topics, KafkaConsumer<byte[], byte[]> consumer, Collection<Merge> which, boolean withRendered) {
        this.topics = topics;
        this.consumer = consumer;
        this.withRendered = withRendered;
        which.forEach(each -> merges.put(each.partition(), each));
        List<TopicPartition> all = new ArrayList<>();
        which.forEach(each -> {
            all.add(topics.outcomes(each.partition()));
            if (withRendered) {
                all.add(topics.rendered(each.partition()));
            }
        });
        consumer.assign(all);
        which.forEach(each -> {
            consumer.seek(topics.outcomes(each.partition()), each.outcomesRead());
            if (withRendered) {
                consumer.seek(topics.rendered(each.partition()), each.renderedRead());
            }
        });
    }

    /**
     * Events that came since, whole or in pieces of changes.
     *
     * @param longest to wait for records
     * @throws org.apache.kafka.clients.consumer.OffsetOutOfRangeException if a place is gone
     */
    List<Event> read(Duration longest) {
        merges.values().forEach(each -> {
            pause(topics.outcomes(each.partition()), !each.wantsOutcomes());
            if (withRendered) {
                pause(topics.rendered(each.partition()), !each.wantsRendered());
            }
        });
        ConsumerRecords<byte[], byte[]> messages = consumer.poll(longest);
        long now = System.currentTimeMillis();
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            Merge merge = merges.get(message.partition());
            if (topics.isOutcome(message.topic())) {
                merge.addOutcome(message, now);
            } else {
                merge.addRendered(message);
            }
        }
        List<Event> events = new ArrayList<>();
        Map<TopicPartition, Merge> stuck = new HashMap<>();
        for (Merge each : merges.values()) {
            each.readTo(
                    consumer.position(topics.outcomes(each.partition())),
                    withRendered ? consumer.position(topics.rendered(each.partition())) : each.renderedRead());
            events.addAll(each.take());
            if (each.isStuck()) {
                stuck.put(topics.rendered(each.partition()), each);
            }
        }
        if (!stuck.isEmpty()) {
            topics.ends(stuck.keySet())
                    .forEach((partition, end) -> stuck.get(partition).endsBefore(end));
        }
        return events;
    }

    private void pause(TopicPartition partition, boolean pause) {
        if (pause) {
            consumer.pause(List.of(partition));
        } else {
            consumer.resume(List.of(partition));
        }
    }
}
