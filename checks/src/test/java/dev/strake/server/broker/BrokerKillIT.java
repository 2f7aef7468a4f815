package dev.strake.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a broker between the decision to commit a transaction and the markers that complete it. A coordinator that
 * loses the markers leaves a transaction open for ever: all later records stay invisible.
 */
@Order(1) // slow
class BrokerKillIT {

    private static final String TOPIC = "letters";
    private static final int PARTITIONS = 12;
    private static final int PRODUCERS = 4;
    private static final int WARM_UP = 20;
    private static final int KILLS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private final Random random = new Random(20261121);

    @Test
    void shouldCompleteEveryTransactionThatWasDecidedBeforeAKill() throws Exception {
        int port;
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0);
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            port = broker.port();
        }
        for (int kill = 0; kill < KILLS; kill++) {
            killWhileCommitting(port);
            try (EmbeddedBroker broker = EmbeddedBroker.start(directory, port);
                    Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
                for (int i = 0; i < PRODUCERS; i++) {
                    try (KafkaProducer<byte[], byte[]> successor = producer(broker.bootstrapServers(), i)) {
                        successor.initTransactions(); // aborts the transaction of its predecessor
                    }
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(ends(admin, IsolationLevel.READ_COMMITTED))
                                .as("what readers of committed records see")
                                .isEqualTo(ends(admin, IsolationLevel.READ_UNCOMMITTED)));
            }
        }
    }

    private void killWhileCommitting(int port) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Committing.class.getName(),
                        directory.toString(),
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(child.inputReader().readLine()).isEqualTo("committing");
            // Any time will do: with so many producers, some transaction is always between decision and markers.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200 + random.nextInt(300)));
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private static Map<TopicPartition, Long> ends(Admin admin, IsolationLevel level)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            latest.put(new TopicPartition(TOPIC, partition), OffsetSpec.latest());
        }
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin.listOffsets(latest, new ListOffsetsOptions(level))
                .all()
                .get()
                .forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrapServers, int number) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "writer-" + number, "linger.ms", "0"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** A broker, and producers that commit as fast as possible until they are all killed. */
    static final class Committing {

        private Committing() {}

        public static void main(String[] args) throws InterruptedException {
            EmbeddedBroker broker = EmbeddedBroker.start(Path.of(args[0]), Integer.parseInt(args[1]));
            List<Thread> threads = new ArrayList<>();
            CountDownLatch warm = new CountDownLatch(PRODUCERS);
            for (int i = 0; i < PRODUCERS; i++) {
                int number = i;
                threads.add(new Thread(() -> commitForEver(broker.bootstrapServers(), number, warm)));
            }
            threads.forEach(Thread::start);
            warm.await();
            System.out.println("committing");
            for (Thread thread : threads) {
                thread.join();
            }
        }

        /* Kafka rarely rejects a producer after a kill (InvalidTxnStateException); as in Streams, it starts again. */
        private static void commitForEver(String bootstrapServers, int number, CountDownLatch warm) {
            int commits = 0;
            while (true) {
                try (KafkaProducer<byte[], byte[]> producer = producer(bootstrapServers, number)) {
                    producer.initTransactions();
                    while (true) {
                        commit(producer);
                        if (++commits == WARM_UP) {
                            warm.countDown();
                        }
                    }
                } catch (KafkaException e) {
                    System.err.println("writer-" + number + " begins anew: " + e);
                }
            }
        }

        private static void commit(KafkaProducer<byte[], byte[]> producer) {
            producer.beginTransaction();
            for (int i = 0; i < 6; i++) {
                int partition = ThreadLocalRandom.current().nextInt(PARTITIONS);
                // A failed send makes the commit fail.
                var unused = producer.send(new ProducerRecord<>(TOPIC, partition, null, new byte[10]));
            }
            producer.commitTransaction();
        }
    }
}
