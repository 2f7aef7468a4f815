package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Two publishers that send changes continuously, with a limit on unanswered changes. */
final class Publishers {

    static final int WORKSPACES = 12;
    private static final int CHILDREN = 24;

    /** The number of unanswered changes at which publishers wait. */
    private static final int IN_FLIGHT = 400;

    private final String bootstrapServers;
    private final Watch watch;
    private final int partitions;
    private final Predicate<ProducerRecord<byte[], byte[]>> wanted;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong attributable = new AtomicLong();
    private volatile boolean done;
    private volatile Throwable failure;

    /**
     * @param watch counts the outcomes
     * @param wanted selects the records to send
     */
    Publishers(String bootstrapServers, Watch watch, int partitions, Predicate<ProducerRecord<byte[], byte[]>> wanted) {
        this.bootstrapServers = bootstrapServers;
        this.watch = watch;
        this.partitions = partitions;
        this.wanted = wanted;
    }

    /** Whether a record is sent to another partition than that of its workspace. */
    static boolean isMisplaced(ProducerRecord<byte[], byte[]> record, int partitions) {
        String workspace = workspace(record);
        return workspace != null
                && record.partition() != null
                && record.partition() != WorkspaceKey.partition(workspace, partitions);
    }

    /* Null if the record belongs to no workspace. */
    private static String workspace(ProducerRecord<byte[], byte[]> record) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.ISO_8859_1);
        return WorkspaceKey.isName(key) ? key : null;
    }

    void start(long seed, int changesPerSecond) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            load(seed, 0).beginning().forEach(record -> send(producer, record));
        }
        for (int publisher = 0; publisher < 2; publisher++) {
            Load load = load(seed, publisher);
            Thread thread = new Thread(() -> publish(load, changesPerSecond / 2), "publisher-" + publisher);
            thread.start();
            threads.add(thread);
        }
    }

    private Load load(long seed, int publisher) {
        return new Load(
                2 * seed + publisher, "p" + publisher, "strake.", WORKSPACES, CHILDREN, partitions, watch::head);
    }

    private void publish(Load load, int perSecond) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            long next = System.nanoTime();
            while (!done) {
                next = Math.max(next + 1_000_000_000L / perSecond, System.nanoTime() - 100_000_000L);
                LockSupport.parkNanos(next - System.nanoTime());
                if (inFlight() < IN_FLIGHT) {
                    ProducerRecord<byte[], byte[]> record = load.next();
                    if (wanted.test(record)) {
                        send(producer, record);
                    }
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        if (workspace(record) != null) {
            attributable.incrementAndGet();
        }
        Future<RecordMetadata> unused = producer.send(record, (metadata, reason) -> {
            if (reason != null) {
                failure = reason;
            }
        });
    }

    /** Sends one additional change of a bucket. */
    void send(String workspace, byte[] value) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(
                    producer,
                    new ProducerRecord<>(
                            "strake." + TopicNames.CHANGES,
                            WorkspaceKey.partition(workspace, partitions),
                            workspace.getBytes(StandardCharsets.UTF_8),
                            value));
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrapServers);
        config.put("enable.idempotence", true);
        config.put("linger.ms", 2);
        config.put("max.request.size", 16 << 20);
        config.put("delivery.timeout.ms", 300_000);
        config.put("max.block.ms", 300_000);
        config.put("reconnect.backoff.max.ms", 200);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The number of sent changes whose outcome is not visible yet. */
    long inFlight() {
        return attributable.get() - watch.outcomes();
    }

    /** Stops sending changes. */
    void stop() {
        done = true;
    }

    /** Waits until all records are sent; fails if one of them could not be sent. */
    void awaitEnd() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        assertThat(failure).isNull();
    }
}
