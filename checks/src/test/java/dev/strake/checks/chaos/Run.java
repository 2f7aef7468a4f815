package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
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
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One run: a broker and instances of Strake, each in a separate JVM, two publishers that keep changes in flight,
 * consumers that watch the results, and the checker at the end. All files are kept in {@code target/chaos/NAME-SEED}.
 */
final class Run implements AutoCloseable {

    static final int PARTITIONS = 6;

    /** The default seed, with which a run can be repeated. */
    static final long SEED = Long.getLong("strake.seed", System.nanoTime() & 0xFFFFFF);

    /** The duration of runs without a natural end. */
    static final Duration TIME = Duration.ofMinutes(Integer.getInteger("strake.minutes", 3));

    /** The number of faults in all other runs. */
    static final int TIMES = Integer.getInteger("strake.times", 3);

    static final int PER_SECOND = 200;

    private static final String PREFIX = "strake.";
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Path TARGET = Path.of("target", "chaos").toAbsolutePath();

    private final String name;
    private final Random random;
    private final Path home;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Double> takeOvers = new ArrayList<>();
    private final Instant begun = Instant.now();
    private final boolean hasTwin;
    private final String onProblem;
    private final Kafka broker;
    private Twin twin;
    private final Watch watch;
    private final Publishers publishers;
    private final Followers followers;
    private int faults;
    private int idle;

    /** A run in which problems hold back revisions or documents, depending on name and seed. */
    Run(String name) {
        this(name, (SEED + name.length()) % 2 == 0 ? "hold-revision" : "hold-document");
    }

    /**
     * Creates a run.
     *
     * @param onProblem what a problem holds back
     */
    Run(String name, String onProblem) {
        this(name, onProblem, false, Broker::new);
    }

    /**
     * A run whose result is compared with that of a {@link Twin} on the same changes. So the result must depend only on
     * the changes. No history is pruned, because a rollback to a pruned revision fails. No record is sent to a wrong
     * partition, because the order in which forwarded records arrive depends on the instances.
     */
    static Run withTwin(String name) {
        return new Run(name, SEED % 2 == 0 ? "hold-document" : "hold-revision", true, Broker::new);
    }

    /** A run with three brokers. */
    static Run withThreeBrokers(String name) {
        return new Run(name, SEED % 2 == 0 ? "hold-document" : "hold-revision", false, ThreeBrokers::new);
    }

    private Run(String name, String onProblem, boolean hasTwin, Function<Path, Kafka> kafka) {
        this.name = name;
        this.onProblem = onProblem;
        this.hasTwin = hasTwin;
        this.random = new Random(SEED);
        this.home = TARGET.resolve(name + "-" + SEED);
        System.out.println(name + " -Dstrake.seed=" + SEED + ", " + onProblem);
        delete(home);
        broker = kafka.apply(home.resolve("broker"));
        broker.start();
        new TopicSet(PREFIX).ensure(kafka().cluster(), PARTITIONS, Optional.of(broker.replicas()));
        watch = new Watch(kafka(), PREFIX, PARTITIONS, SEED);
        followers = new Followers(home.resolve("follower"), broker.bootstrapServers(), PREFIX, SEED);
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
        return KafkaSettings.of(broker.bootstrapServers());
    }

    List<Instance> instances() {
        return instances;
    }

    Instance any() {
        return instances.get(random.nextInt(instances.size()));
    }

    /** Waits until an instance has tasks, and returns it. */
    Instance oneAtWork() {
        return await("an instance with tasks")
                .atMost(PATIENCE)
                .until(() -> instances.stream().filter(each -> each.tasks() > 0).findAny(), Optional::isPresent)
                .orElseThrow();
    }

    /** Returns an instance with tasks; any instance if none has tasks, and one time in four. */
    Instance anyAtWork() {
        List<Instance> atWork =
                instances.stream().filter(each -> each.tasks() > 0).toList();
        return atWork.isEmpty() || random.nextInt(4) == 0 ? any() : atWork.get(random.nextInt(atWork.size()));
    }

    /** Creates another instance, not started yet, with another locale. */
    Instance add() {
        Instance instance = instance("instance-" + instances.size()).in(Surroundings.of(instances.size() + 1));
        instances.add(instance);
        return instance;
    }

    private Instance instance(String name) {
        Instance instance = new Instance(name, home.resolve(name), broker.bootstrapServers(), PARTITIONS)
                .set("strake.on-problem", onProblem)
                .set("strake.replication-factor", Short.toString(broker.replicas()));
        return hasTwin ? instance.set("strake.history.revisions", "0") : instance;
    }

    /** A clock for an instance. */
    Clock clock(String name) {
        return new Clock(home.resolve("clocks").resolve(name));
    }

    /** Starts instances and publishers, and returns when changes are being answered. */
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
        publishers.start(SEED, changesPerSecond);
        awaitProgress();
    }

    /** Sends one additional change of a bucket. */
    void send(String workspace, byte[] value) {
        publishers.send(workspace, value);
    }

    /** The number of sent changes whose outcome is not visible yet. */
    long inFlight() {
        return publishers.inFlight();
    }

    /** The number of visible outcomes. */
    long outcomes() {
        return watch.outcomes();
    }

    /** Waits until further outcomes become visible. */
    void awaitProgress() {
        long before = watch.outcomes();
        await("outcomes after " + before).atMost(PATIENCE).until(() -> watch.outcomes() > before + 20);
    }

    /** Waits until fewer changes than the given number are in flight. */
    void awaitCaughtUp(int most) {
        await("no more than " + most + " changes in flight").atMost(PATIENCE).until(() -> inFlight() <= most);
    }

    /** Waits until every partition is processed again; returns the seconds that it took. */
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
     * Injects a fault into an instance while changes are in flight, and waits until changes are answered again. The
     * fault counts only if the instance had tasks.
     */
    void inject(Instance victim, Runnable fault) {
        inject(List.of(victim), fault);
    }

    /** Injects a fault that affects all instances. */
    void injectAll(Runnable fault) {
        inject(instances, fault);
    }

    private void inject(List<Instance> victims, Runnable fault) {
        await("changes in flight").atMost(PATIENCE).until(() -> inFlight() > 0);
        int tasks = victims.stream().mapToInt(Instance::tasks).sum();
        fault.run();
        awaitProgress();
        if (tasks > 0) {
            faults++;
        } else {
            idle++;
        }
    }

    /** Continues without faults for a while. */
    void letWork(long millis) {
        long enough = watch.outcomes() + 5;
        Instant end = Instant.now().plusMillis(millis);
        await("work")
                .atMost(PATIENCE.plusMillis(millis))
                .until(() -> Instant.now().isAfter(end) && watch.outcomes() > enough);
    }

    Followers followers() {
        return followers;
    }

    Broker broker() {
        return (Broker) broker;
    }

    ThreeBrokers brokers() {
        return (ThreeBrokers) broker;
    }

    /** Stops publishing, waits until all changes are answered, and reads all records. */
    History historyAtRest() {
        assertThat(drain()).as("all changes answered in time").isTrue();
        return History.read(kafka(), PREFIX);
    }

    /* Stops publishing; whether all changes were answered in time. If not, the checker reports which were not. */
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

    /** Waits for all answers, reads the topics and checks them; fails unless every promise was kept. */
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
        followers.judge(history, each -> true, verdict);
        if (hasTwin && allAnswered) {
            compare(verdict, history);
        }
        Coverage coverage = Coverage.of(history);
        report(verdict, history, coverage);
        assertThat(verdict.isFine()).as(verdict.toString()).isTrue();
        assertThat(allAnswered).as("all changes answered in time").isTrue();
        assertThat(faults).as("faults that hit something").isGreaterThanOrEqualTo(idle > 0 ? 1 : 0);
        coverage.requireAll(verdict.looked(Promise.ORDERED));
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
                    other.topic(TopicNames.RENDERED).size(),
                    other.topic(TopicNames.PROBLEMS).size(),
                    other.topic(TopicNames.OUTCOMES).size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> lastHashes(History history) {
        Map<String, String> hashes = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : history.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(record.value());
            if (outcome.status() == OutcomeStatus.PLANNED) {
                continue; // of something never published
            }
            if (outcome.published().records() > 0) {
                hashes.put(outcome.workspace(), outcome.published().contentHash());
            } else {
                hashes.remove(outcome.workspace());
            }
        }
        return hashes;
    }

    private void report(Verdict verdict, History history, Coverage coverage) {
        long seconds = Duration.between(begun, Instant.now()).toSeconds();
        String line = String.format(
                Locale.ROOT,
                "| %s | %d | %s | %d | %d | %,d | %,d | %,d | %d | %s | %d |%n",
                name,
                SEED,
                onProblem,
                faults,
                idle,
                history.topic(TopicNames.CHANGES).size(),
                verdict.looked(Promise.ORDERED),
                history.topic(TopicNames.RENDERED).size(),
                watch.stops(),
                takeOvers.isEmpty() ? "" : takeOvers(),
                seconds);
        System.out.print(line);
        System.out.printf("%s: a follower that was killed %d times%n", name, followers.kills());
        System.out.println(name + ": " + coverage);
        verdict.lines().forEach(System.out::println);
        try {
            Files.writeString(TARGET.resolve("report.md"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Files.write(home.resolve("verdict.txt"), verdict.lines());
            Files.writeString(home.resolve("coverage.txt"), coverage + "\n");
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
        followers.close();
        watch.close();
        if (broker.isRunning()) {
            broker.stop();
        }
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
