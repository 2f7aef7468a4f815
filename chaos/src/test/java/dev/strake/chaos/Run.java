package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.service.broker.EmbeddedBroker;
import dev.strake.service.kafka.KafkaSettings;
import dev.strake.service.kafka.TopicSet;
import dev.strake.topology.RenderTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One run: a broker in this JVM, instances of Strake in their own, two publishers that keep changes in flight, consumers
 * that look on, and at the end the checker's verdict. All of it is kept in {@code target/chaos/NAME-SEED}.
 */
final class Run implements AutoCloseable {

    static final int PARTITIONS = 6;
    private static final int WORKSPACES = 12;
    private static final int DOCUMENTS = 24;
    private static final int IN_FLIGHT = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Path TARGET = Path.of("target", "chaos").toAbsolutePath();

    private final String name;
    private final long seed;
    private final Random random;
    private final Path home;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Thread> publishers = new ArrayList<>();
    private final List<Double> takeOvers = new ArrayList<>();
    private final AtomicLong attributable = new AtomicLong();
    private final Instant begun = Instant.now();
    private final int port;
    private EmbeddedBroker broker;
    private Watch watch;
    private volatile boolean done;
    private volatile Throwable publisherFailure;
    private int faults;

    Run(String name, long seed) {
        this.name = name;
        this.seed = seed;
        this.random = new Random(seed);
        this.home = TARGET.resolve(name + "-" + seed);
        System.out.println(name + " -Dstrake.seed=" + seed);
        delete(home);
        startBroker(0);
        port = broker.port();
        new TopicSet("strake.").ensure(kafka(), PARTITIONS, Optional.of((short) 1));
        watch = new Watch(broker.bootstrapServers(), PARTITIONS, seed);
    }

    Random random() {
        return random;
    }

    KafkaSettings kafka() {
        return KafkaSettings.of("127.0.0.1:" + broker.port());
    }

    List<Instance> instances() {
        return instances;
    }

    Instance any() {
        return instances.get(random.nextInt(instances.size()));
    }

    /** A further instance, not started yet. */
    Instance add() {
        Instance instance = new Instance(
                "instance-" + instances.size(),
                home.resolve("instance-" + instances.size()),
                broker.bootstrapServers(),
                PARTITIONS);
        instances.add(instance);
        return instance;
    }

    /** Starts this many instances, and the publishers, and returns when changes are being answered. */
    Run begin(int count, int changesPerSecond) {
        for (int i = 0; i < count; i++) {
            add();
        }
        instances.forEach(Instance::start);
        instances.forEach(Instance::awaitReady);
        publish(changesPerSecond);
        return this;
    }

    void publish(int changesPerSecond) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            load(0).beginning().forEach(record -> send(producer, record));
        }
        for (int publisher = 0; publisher < 2; publisher++) {
            Load load = load(publisher);
            Thread thread = new Thread(() -> publish(load, changesPerSecond / 2), "publisher-" + publisher);
            thread.start();
            publishers.add(thread);
        }
        awaitProgress();
    }

    private Load load(int publisher) {
        return new Load(2 * seed + publisher, "p" + publisher, "strake.", WORKSPACES, DOCUMENTS, PARTITIONS);
    }

    private void publish(Load load, int perSecond) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            long next = System.nanoTime();
            while (!done) {
                next = Math.max(next + 1_000_000_000L / perSecond, System.nanoTime() - 100_000_000L);
                LockSupport.parkNanos(next - System.nanoTime());
                if (inFlight() < IN_FLIGHT) {
                    send(producer, load.next());
                }
            }
        } catch (RuntimeException e) {
            publisherFailure = e;
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        if (key != null && WorkspaceKey.isName(new String(key, StandardCharsets.ISO_8859_1))) {
            attributable.incrementAndGet();
        }
        Future<RecordMetadata> unused = producer.send(record, (metadata, failure) -> {
            if (failure != null) {
                publisherFailure = failure;
            }
        });
    }

    private KafkaProducer<byte[], byte[]> producer() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", "127.0.0.1:" + port);
        config.put("enable.idempotence", true);
        config.put("linger.ms", 2);
        config.put("delivery.timeout.ms", 300_000);
        config.put("max.block.ms", 300_000);
        config.put("reconnect.backoff.max.ms", 200);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Changes that were sent and whose outcome is not visible yet. */
    long inFlight() {
        return attributable.get() - watch.outcomes();
    }

    /** Waits until outcomes become visible again, more than were already. */
    void awaitProgress() {
        long before = watch.outcomes();
        await("outcomes after " + before).atMost(PATIENCE).until(() -> watch.outcomes() > before + 20);
    }

    /** Waits until every partition is being worked on again; returns after how many seconds it was. */
    double awaitTakenOver(Instant since) {
        await("every partition goes on")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> watch.allProcessedSince(since));
        double seconds = Duration.between(since, Instant.now()).toMillis() / 1000.0;
        takeOvers.add(seconds);
        return seconds;
    }

    /**
     * Does something terrible while changes are in flight, and waits until they are answered again: only then has the
     * fault hit anything, and only then does it count.
     */
    void inject(Runnable fault) {
        await("changes in flight").atMost(PATIENCE).until(() -> inFlight() > 0);
        fault.run();
        awaitProgress();
        faults++;
    }

    /** Lets work go on for a while. */
    void letWork(long millis) {
        long enough = watch.outcomes() + 5;
        Instant end = Instant.now().plusMillis(millis);
        await("work").atMost(PATIENCE).until(() -> Instant.now().isAfter(end) && watch.outcomes() > enough);
    }

    void stopBroker() {
        broker.close();
    }

    void startBroker() {
        startBroker(port);
    }

    private void startBroker(int atPort) {
        broker = EmbeddedBroker.start(home.resolve("kafka"), atPort);
    }

    /** No more changes; waits until all are answered. */
    void drain() {
        done = true;
        publishers.forEach(thread -> {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(publisherFailure).isNull();
        await("all changes answered").atMost(PATIENCE).until(() -> inFlight() <= 0);
    }

    /** Waits for all answers, reads the topics and has them judged; fails unless every promise was kept. */
    Verdict finish() {
        drain();
        Map<String, String> held = watch.end();
        History history = History.read(kafka(), "strake.");
        try {
            history.save(home.resolve("history.gz"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Verdict verdict = Checker.check(history, Integer.getInteger("strake.every", 1), Instance.KEPT);
        lastHashes(history).forEach((workspace, hash) -> {
            if (!hash.equals(held.get(workspace))) {
                verdict.broke(
                        Promise.RESUMABLE,
                        workspace + ": the consumer that stopped anywhere holds something else than was published");
            }
        });
        report(verdict, history);
        assertThat(verdict.isFine()).as(verdict.toString()).isTrue();
        return verdict;
    }

    private static Map<String, String> lastHashes(History history) {
        Map<String, String> hashes = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(RenderTopology.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (outcome.rendered() > 0) {
                hashes.put(outcome.workspace(), outcome.contentHash());
            } else {
                hashes.remove(outcome.workspace());
            }
        }
        return hashes;
    }

    private void report(Verdict verdict, History history) {
        long seconds = Duration.between(begun, Instant.now()).toSeconds();
        String line = String.format(
                Locale.ROOT,
                "| %s | %d | %d | %,d | %,d | %,d | %d | %s | %d |%n",
                name,
                seed,
                faults,
                history.topic(RenderTopology.CHANGES).size(),
                verdict.looked(Promise.ORDERED),
                history.topic(RenderTopology.RENDERED).size(),
                watch.stops(),
                takeOvers.isEmpty() ? "" : takeOvers(),
                seconds);
        System.out.print(line);
        verdict.lines().forEach(System.out::println);
        try {
            Files.writeString(TARGET.resolve("report.md"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Files.write(home.resolve("verdict.txt"), verdict.lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String takeOvers() {
        List<Double> sorted = takeOvers.stream().sorted().toList();
        return String.format(
                Locale.ROOT, "%.1f (at most %.1f)", sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1));
    }

    @Override
    public void close() {
        done = true;
        instances.stream().filter(Instance::isRunning).forEach(Instance::kill);
        watch.close();
        broker.close();
    }

    static void delete(Path directory) {
        if (Files.exists(directory)) {
            try (var paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
