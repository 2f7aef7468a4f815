package dev.strake.checks.bench.stream;

import dev.strake.serdes.HeaderNames;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends records to a topology, and measures when its committed output arrives at a consumer. */
final class Load implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String bootstrapServers;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<Exception> sendError = new AtomicReference<>();
    private Future<RecordMetadata> lastSent;

    /**
     * The throughput at full load.
     *
     * @param perSecond records that arrived
     * @param cpuMicros of the topology's threads for each record sent
     */
    record Throughput(double perSecond, double cpuMicros) {}

    Load(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServers,
                "linger.ms", "0",
                "batch.size", "131072",
                "compression.type", "lz4",
                "max.request.size", Integer.toString(16 << 20));
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Sends at a fixed rate, whether or not the topology keeps up. Latencies count from the intended send time of each
     * record, so a stall affects all records of that time.
     *
     * @param warmUp records before the first one that counts
     */
    Latencies atRate(Subject subject, int rate, int warmUp, int count) throws InterruptedException {
        IntFunction<ProducerRecord<byte[], byte[]>> records = subject.records(warmUp + count);
        long[] intended = new long[warmUp + count];
        String[] ids = new String[warmUp + count];
        try (Arrivals arrivals = new Arrivals(bootstrapServers, subject.output(), subject.idHeader())) {
            long cpu = streamThreadsCpu(subject);
            long start = System.nanoTime() + 1_000_000;
            for (int i = 0; i < intended.length; i++) {
                ProducerRecord<byte[], byte[]> record = records.apply(i);
                ids[i] = id(record);
                intended[i] = start + i * 1_000_000_000L / rate;
                while (System.nanoTime() < intended[i]) {
                    LockSupport.parkNanos(intended[i] - System.nanoTime());
                }
                send(record);
            }
            await(() -> arrivals.changes() >= intended.length, "the last record of " + subject.name());
            long[] latencies = new long[count];
            for (int i = 0; i < count; i++) {
                latencies[i] = arrivals.of(ids[warmUp + i]) - intended[warmUp + i];
            }
            return new Latencies(latencies, (streamThreadsCpu(subject) - cpu) / 1e3 / intended.length);
        }
    }

    /** Sends at full speed; each record yields one record. */
    Throughput atOnce(Subject subject, int count) throws InterruptedException {
        IntFunction<ProducerRecord<byte[], byte[]>> records = subject.records(count);
        try (Arrivals arrivals = new Arrivals(bootstrapServers, subject.output(), null)) {
            long cpu = streamThreadsCpu(subject);
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                send(records.apply(i));
            }
            await(() -> arrivals.records() >= count, "all records of " + subject.name());
            double seconds = (arrivals.lastArrival() - start) / 1e9;
            return new Throughput(count / seconds, (streamThreadsCpu(subject) - cpu) / 1e3 / count);
        }
    }

    /** Sends records; returns the nanoseconds until the given number of output records has arrived. */
    long until(Subject subject, List<ProducerRecord<byte[], byte[]>> records, int count) throws InterruptedException {
        try (Arrivals arrivals = new Arrivals(bootstrapServers, subject.output(), null)) {
            long start = System.nanoTime();
            records.forEach(this::send);
            await(() -> arrivals.records() >= count, count + " records of " + subject.name());
            return arrivals.lastArrival() - start;
        }
    }

    private static String id(ProducerRecord<byte[], byte[]> record) {
        return new String(record.headers().lastHeader(HeaderNames.CE_ID).value(), StandardCharsets.UTF_8);
    }

    /* Other work in the JVM (broker, load, consumer) runs in threads with other names. */
    private static long streamThreadsCpu(Subject subject) {
        long nanos = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null
                    && thread.getThreadName().startsWith(subject.application())
                    && thread.getThreadName().contains("-StreamThread-")) {
                nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos;
    }

    /* If a record cannot be sent, its arrival times out; the first error says why. */
    void send(ProducerRecord<byte[], byte[]> record) {
        lastSent = producer.send(record, (metadata, error) -> {
            if (error != null) {
                sendError.compareAndSet(null, error);
            }
        });
    }

    void await(BooleanSupplier condition, String what) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || sendError.get() != null) {
                boolean sent = lastSent == null || lastSent.isDone();
                throw new IllegalStateException(
                        "waited too long for " + what + (sent ? "" : ", not all is sent"), sendError.get());
            }
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
