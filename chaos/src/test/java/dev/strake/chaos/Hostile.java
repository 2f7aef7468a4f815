package dev.strake.chaos;

import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A publisher and clients who mean ill, in a JVM of their own: what they take shall not be in the latencies that the run
 * measures. To make a gigabyte of blanks takes seconds of a processor, which elsewhere would be another machine's. So the
 * publisher comes after everybody else here. It says how far that put it behind.
 */
final class Hostile implements AutoCloseable {

    private static final String SENT = "sent ";
    private static final int MEGABYTES = 4_096;
    private static final int NICENESS = 10;
    private static final int PER_SECOND = Integer.getInteger("strake.hostile", 20);
    private static final boolean CLIENTS = Boolean.parseBoolean(System.getProperty("strake.hostile-clients", "true"));

    private final Jvm jvm;

    /**
     * Starts them; they end by themselves.
     *
     * @param seed part of the ids of what they send, too
     */
    Hostile(Path home, String bootstrapServers, int partitions, List<Instance> instances, long seed, Duration time) {
        jvm = new Jvm("hostile", home, MEGABYTES);
        jvm.start(
                Program.class,
                List.of(
                        "-Dstrake.hostile=" + PER_SECOND,
                        "-Dstrake.hostile-clients=" + CLIENTS,
                        "-XX:NewSize=2g", // copying megabytes from one generation to the other takes seconds as well
                        "-XX:-PrintWarnings",
                        "-XX:ThreadPriorityPolicy=1",
                        "-XX:JavaPriority1_To_OSPriority=" + NICENESS,
                        "-XX:JavaPriority9_To_OSPriority=0"), // or root's collector would come before everybody
                List.of(
                        bootstrapServers,
                        Integer.toString(partitions),
                        Long.toString(seed),
                        Long.toString(time.toSeconds()),
                        String.join(",", instances.stream().map(Instance::url).toList())),
                Map.of());
    }

    /** Waits until they are done; returns how many of their records are of a workspace. */
    long awaitEnd(Duration patience) {
        jvm.awaitSays(SENT, patience);
        return Long.parseLong(line().replaceAll(".* of a workspace ([0-9]+),.*", "$1"));
    }

    /** What they sent, and how they were answered. */
    String line() {
        return jvm.says()
                .lines()
                .filter(line -> line.startsWith(SENT))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        if (jvm.isRunning()) {
            jvm.kill();
        }
    }

    /** Sends for some time, and says what it sent. */
    static final class Program {

        private static final int BUFFER = 256 << 20;

        private final Map<String, KafkaProducer<byte[], byte[]>> producers = new HashMap<>();
        private final AtomicLong records = new AtomicLong();
        private final AtomicLong attributable = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private final AtomicLong unpacked = new AtomicLong();
        private long behindNanos;
        private final String bootstrapServers;

        private Program(String bootstrapServers) {
            this.bootstrapServers = bootstrapServers;
        }

        @SuppressWarnings("ThreadPriorityCheck") // nothing but speed depends on it
        public static void main(String[] args) {
            Duration time = Duration.ofSeconds(Long.parseLong(args[3]));
            long seed = Long.parseLong(args[2]);
            Program publisher = new Program(args[0]);
            HostileClients clients = new HostileClients(List.of(args[4].split(",")), seed);
            if (CLIENTS) {
                clients.start();
            }
            Thread.currentThread().setPriority(Thread.MIN_PRIORITY); // and that of producers, which are made later
            publisher.publish(new HostileRecords(seed, Integer.parseInt(args[1])), time);
            clients.close();
            // As one text: whoever reads along must not see the half of it.
            System.out.println(
                    "%s%d records: of a workspace %d, refused by the broker %d, %d MB unpacked, at most %d ms late; %s"
                            .formatted(
                                    SENT,
                                    publisher.records.get(),
                                    publisher.attributable.get(),
                                    publisher.refused.get(),
                                    publisher.unpacked.get() / HostileValues.MB,
                                    publisher.behindNanos / 1_000_000,
                                    clients.answers()));
            System.exit(0);
        }

        /* So many small salvos a second; for each forty of them a large value, and more rarely what is worse. */
        private void publish(HostileRecords hostile, Duration time) {
            long begin = System.nanoTime();
            long turns = time.toSeconds() * PER_SECOND;
            for (long turn = 0; turn < turns; turn++) {
                long early = begin + turn * 1_000_000_000L / PER_SECOND - System.nanoTime();
                behindNanos = Math.max(behindNanos, -early);
                LockSupport.parkNanos(early);
                send(hostile.next());
                if (turn % 5 == 0) {
                    send(hostile.newWorkspace());
                }
                if (turn % 40 == 0) {
                    send(hostile.large());
                }
                if (turn % 400 == 200) {
                    send(hostile.dense());
                }
                if (turn % 1_200 == 600) {
                    send(hostile.burst());
                }
            }
            LockSupport.parkNanos(begin + time.toNanos() - System.nanoTime());
            producers.values().forEach(KafkaProducer::close); // waits for what is under way
        }

        private void send(HostileRecords.Salvo salvo) {
            KafkaProducer<byte[], byte[]> producer = producers.computeIfAbsent(salvo.codec(), this::producer);
            for (ProducerRecord<byte[], byte[]> record : salvo.records()) {
                unpacked.addAndGet(record.value() == null ? 0 : record.value().length);
                Future<RecordMetadata> unused = producer.send(record, (place, reason) -> {
                    if (reason != null) {
                        refused.incrementAndGet();
                        System.out.println("refused: " + reason);
                    } else {
                        records.incrementAndGet();
                        attributable.addAndGet(isOfWorkspace(record) ? 1 : 0);
                    }
                });
            }
        }

        private static boolean isOfWorkspace(ProducerRecord<byte[], byte[]> record) {
            return record.key() != null && WorkspaceKey.isName(new String(record.key(), StandardCharsets.ISO_8859_1));
        }

        private KafkaProducer<byte[], byte[]> producer(String codec) {
            return new KafkaProducer<>(
                    Map.of(
                            "bootstrap.servers",
                            bootstrapServers,
                            "compression.type",
                            codec,
                            "linger.ms",
                            5,
                            "max.request.size",
                            BUFFER,
                            "buffer.memory",
                            BUFFER),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
        }
    }
}
