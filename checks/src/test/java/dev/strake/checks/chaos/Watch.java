package dev.strake.checks.chaos;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.server.kafka.KafkaSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumers that watch a run: one counts visible outcomes, the other follows the rendered documents, stops at random
 * positions and resumes a little earlier.
 */
final class Watch implements AutoCloseable {

    private final KafkaSettings kafka;
    private final String prefix;
    private final int partitions;
    private final Random random;
    private final AtomicLong outcomes = new AtomicLong();
    private final AtomicLong stops = new AtomicLong();
    private final Set<String> waiting = new HashSet<>();
    private final Map<Integer, Instant> processedUntil = new ConcurrentHashMap<>();
    private final Map<String, Long> heads = new ConcurrentHashMap<>();
    private final Map<String, View> views = new TreeMap<>();
    private final Thread counting = new Thread(this::count, "counts-outcomes");
    private final Thread wandering = new Thread(this::wander, "stops-anywhere");
    private volatile boolean done;

    Watch(KafkaSettings kafka, String prefix, int partitions, long seed) {
        this.kafka = kafka;
        this.prefix = prefix;
        this.partitions = partitions;
        this.random = new Random(seed);
        counting.start();
        wandering.start();
    }

    /** The number of visible outcomes. */
    long outcomes() {
        return outcomes.get();
    }

    /** The number of times that the consumer of rendered documents stopped and resumed. */
    long stops() {
        return stops.get();
    }

    /** The last visible revision of a workspace; 0 before the first one. */
    long head(String workspace) {
        return heads.getOrDefault(workspace, 0L);
    }

    /** Whether changes of every partition were processed and committed after a time. */
    boolean allProcessedSince(Instant time) {
        return processedUntil.size() == partitions
                && processedUntil.values().stream().allMatch(last -> last.isAfter(time));
    }

    private KafkaConsumer<byte[], byte[]> consumer(String topic, Map<TopicPartition, Long> positions) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                kafka.cluster().with(Map.of("isolation.level", "read_committed", "reconnect.backoff.max.ms", "200")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(prefix + topic, partition));
        }
        consumer.assign(all);
        consumer.seekToBeginning(all);
        positions.forEach(consumer::seek);
        return consumer;
    }

    private void count() {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(TopicNames.OUTCOMES, Map.of())) {
            while (!done) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                    Outcome outcome = OutcomeJson.read(record.value());
                    processedUntil.put(record.partition(), outcome.time());
                    if (outcome.revision() != null && outcome.status() != OutcomeStatus.PLANNED) {
                        heads.put(outcome.workspace(), outcome.revision());
                    }
                    if (!isGivenUp(outcome)) {
                        outcomes.incrementAndGet();
                    }
                }
            }
        }
    }

    /* A record whose change was given up is answered twice. */
    private boolean isGivenUp(Outcome outcome) {
        if (outcome.status() == OutcomeStatus.PENDING) {
            waiting.add(outcome.change().input());
        }
        return outcome.status() == OutcomeStatus.REJECTED
                && waiting.remove(outcome.change().input());
    }

    private void wander() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        while (!done) {
            try (KafkaConsumer<byte[], byte[]> consumer = consumer(TopicNames.RENDERED, positions)) {
                for (int polls = 5 + random.nextInt(100); polls > 0 && !done; polls--) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                        take(record);
                        positions.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
                    }
                }
            }
            positions.replaceAll((partition, next) -> Math.max(0, next - random.nextInt(10)));
            stops.incrementAndGet();
        }
        // Reads the rest, to the end.
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(TopicNames.RENDERED, positions)) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(this::take);
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        RenderedKey key = RenderedKey.of(record.key());
        views.computeIfAbsent(key.workspace(), name -> new View()).take(key.document(), record.value());
    }

    /** Stops both, and returns the hash of the rendered documents of each workspace. */
    Map<String, String> end() {
        close();
        Map<String, String> hashes = new TreeMap<>();
        views.forEach((workspace, view) -> hashes.put(workspace, view.hash()));
        return hashes;
    }

    @Override
    public void close() {
        done = true;
        try {
            counting.join();
            wandering.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
