package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.service.broker.EmbeddedBroker;
import dev.strake.service.kafka.KafkaSettings;
import dev.strake.service.kafka.TopicSet;
import dev.strake.topology.RenderTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One run: a broker in this JVM, instances of Strake in their own, two publishers that keep changes in flight, consumers
 * that look on, and at the end the checker's verdict. All of it is kept in {@code target/chaos/NAME-SEED}.
 */
final class Run implements AutoCloseable {

    static final int PARTITIONS = 6;
    private static final String PREFIX = "strake.";
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Path TARGET = Path.of("target", "chaos").toAbsolutePath();

    private final String name;
    private final long seed;
    private final Random random;
    private final Path home;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Double> takeOvers = new ArrayList<>();
    private final Instant begun = Instant.now();
    private final boolean hasTwin;
    private final int port;
    private EmbeddedBroker broker;
    private Twin twin;
    private final Watch watch;
    private final Publishers publishers;
    private int faults;

    Run(String name, long seed) {
        this(name, seed, false);
    }

    /**
     * A run whose end is compared with what a {@link Twin} makes of the same changes. So nothing may decide but the
     * changes: no history is pruned, as a rollback cannot go to what is, and no record comes to a wrong partition, as it
     * is up to the instances behind which others it comes home.
     */
    static Run withTwin(String name, long seed) {
        return new Run(name, seed, true);
    }

    private Run(String name, long seed, boolean hasTwin) {
        this.name = name;
        this.hasTwin = hasTwin;
        this.seed = seed;
        this.random = new Random(seed);
        this.home = TARGET.resolve(name + "-" + seed);
        System.out.println(name + " -Dstrake.seed=" + seed);
        delete(home);
        startBroker(0);
        port = broker.port();
        new TopicSet(PREFIX).ensure(kafka(), PARTITIONS, Optional.of((short) 1));
        watch = new Watch(kafka(), PREFIX, PARTITIONS, seed);
        publishers = new Publishers(
                broker.bootstrapServers(),
                watch,
                PARTITIONS,
                record -> !hasTwin || !Publishers.isMisplaced(record, PARTITIONS));
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
        Instance instance = instance("instance-" + instances.size());
        instances.add(instance);
        return instance;
    }

    private Instance instance(String name) {
        Instance instance = new Instance(name, home.resolve(name), broker.bootstrapServers(), PARTITIONS);
        return hasTwin ? instance.set("strake.history.revisions", "0") : instance;
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
        publishers.start(seed, changesPerSecond);
        awaitProgress();
    }

    /** Changes that were sent and whose outcome is not visible yet. */
    long inFlight() {
        return publishers.inFlight();
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

    /* No more changes; tells whether all were answered in time. If not, the checker is the one to say which. */
    private boolean drain() {
        publishers.stop();
        publishers.awaitEnd();
        try {
            await("all changes answered").atMost(PATIENCE).until(() -> inFlight() <= 0);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Waits for all answers, reads the topics and has them judged; fails unless every promise was kept. */
    Verdict finish() {
        if (hasTwin) {
            twin = new Twin(kafka(), instance("twin"), PARTITIONS);
        }
        boolean allAnswered = drain();
        Map<String, String> held = watch.end();
        History history = History.read(kafka(), PREFIX);
        try {
            history.save(home.resolve("history.gz"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Verdict verdict = check(history);
        lastHashes(history).forEach((workspace, hash) -> {
            if (!hash.equals(held.get(workspace))) {
                verdict.broke(
                        Promise.RESUMABLE,
                        workspace + ": the consumer that stopped anywhere holds something else than was published");
            }
        });
        if (hasTwin && allAnswered) {
            compare(verdict, history);
        }
        report(verdict, history);
        assertThat(verdict.isFine()).as(verdict.toString()).isTrue();
        assertThat(allAnswered).as("all changes answered in time").isTrue();
        return verdict;
    }

    private Verdict check(History history) {
        return Checker.check(
                history, Integer.getInteger("strake.every", 1), hasTwin ? Integer.MAX_VALUE : Instance.KEPT);
    }

    private void compare(Verdict verdict, History history) {
        instances.stream().filter(Instance::isRunning).forEach(Instance::kill);
        try {
            History other = twin.historyOver(history);
            other.save(home.resolve("twin.gz"));
            Verdict ofTwin = check(other);
            assertThat(ofTwin.isFine()).as("the twin: " + ofTwin).isTrue();
            verdict.compare(history, other, ofTwin);
            System.out.printf(
                    "%s: compared with %,d rendered records, %,d problems, %,d outcomes of a twin%n",
                    name,
                    other.topic(RenderTopology.RENDERED).size(),
                    other.topic(RenderTopology.PROBLEMS).size(),
                    other.topic(RenderTopology.OUTCOMES).size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> lastHashes(History history) {
        Map<String, String> hashes = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(RenderTopology.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (outcome.published().records() > 0) {
                hashes.put(outcome.workspace(), outcome.published().contentHash());
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
        publishers.stop();
        instances.stream().filter(Instance::isRunning).forEach(Instance::kill);
        if (twin != null) {
            twin.close();
        }
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
