package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The long form: every fault we know how to make, each in a run of its own, judged by all promises.
 *
 * <pre>mvn -Pchaos verify -pl chaos -am -Dstrake.seed=… -Dstrake.minutes=…</pre>
 */
@Tag("long")
class FaultsIT {

    private static final long SEED = Long.getLong("strake.seed", System.nanoTime() & 0xFFFFFF);
    private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("strake.minutes", 3));
    private static final int TIMES = Integer.getInteger("strake.times", 3);
    private static final int PER_SECOND = 200;

    @Test
    void shouldKeepEveryPromiseWhenInstancesAreKilledAtRandom() {
        try (Run run = new Run("random-kills", SEED)) {
            run.begin(3, PER_SECOND);
            Instant end = Instant.now().plus(TIME);
            while (Instant.now().isBefore(end)) {
                run.letWork(1_000 + run.random().nextInt(4_000));
                Instance victim = run.any();
                run.inject(victim::kill);
                victim.start();
            }
            run.finish();
        }
    }

    @ParameterizedTest
    @EnumSource(Failpoint.class)
    void shouldKeepEveryPromiseWhenAnInstanceIsKilledAt(Failpoint failpoint) {
        try (Run run = new Run("kills-" + failpoint, SEED)) {
            run.begin(2, PER_SECOND);
            Instance victim = run.add();
            for (int time = 0; time < TIMES; time++) {
                victim.haltingAt(failpoint, 1 + run.random().nextInt(100)).start();
                victim.awaitSays(Failpoint.HALTED + failpoint, Duration.ofMinutes(2));
                run.inject(victim::kill);
            }
            run.finish();
        }
    }

    /* Longer than a session lasts, and longer than a transaction: others have taken over when it wakes up. */
    @Test
    void shouldKeepEveryPromiseWhenInstancesSleep() {
        try (Run run = new Run("pauses", SEED)) {
            run.begin(3, PER_SECOND);
            for (int time = 0; time < TIMES; time++) {
                Instance sleeper = run.any();
                run.inject(() -> {
                    Instant since = Instant.now();
                    sleeper.pause();
                    run.awaitTakenOver(since);
                    run.letWork(3_000 + run.random().nextInt(9_000));
                    sleeper.resume();
                });
                run.letWork(2_000);
                assertThat(sleeper.isRunning()).as("came back: " + sleeper).isTrue();
            }
            run.finish();
        }
    }

    @Test
    void shouldKeepEveryPromiseWhenInstancesJoinEverySecond() {
        try (Run run = new Run("joins", SEED)) {
            run.begin(2, PER_SECOND);
            for (int time = 0; time < 2 * TIMES; time++) {
                Instance oldest = run.instances().stream()
                        .filter(Instance::isRunning)
                        .findFirst()
                        .orElseThrow();
                run.inject(() -> {
                    run.add().start();
                    run.letWork(1_000);
                    run.add().start();
                });
                if (run.random().nextBoolean()) {
                    oldest.kill();
                } else {
                    oldest.stop();
                }
                run.instances().stream()
                        .filter(Instance::isRunning)
                        .findFirst()
                        .orElseThrow()
                        .stop();
            }
            run.finish();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTakeOverWithinSeconds(int standbys) {
        try (Run run = new Run("take-over-standbys-" + standbys, SEED)) {
            for (int i = 0; i < 3; i++) {
                run.add().with("num.standby.replicas", Integer.toString(standbys));
            }
            run.begin(0, PER_SECOND);
            run.letWork(TIME.toMillis() / 3);
            killByTurns(run, Return.NEVER);
            run.finish();
        }
    }

    /* With the time limits that are shipped: what users wait for, which the short ones of the other runs do not tell. */
    @ParameterizedTest
    @EnumSource(Return.class)
    void shouldGoOnWithinTheLimitsThatAreShipped(Return how) {
        try (Run run = new Run("as-shipped-" + how, SEED)) {
            for (int i = 0; i < 3; i++) {
                Instance instance = run.add().asShipped();
                if (how == Return.AT_ONCE_UNDER_ITS_NAME) {
                    instance.set("strake.instance-id", instance.toString());
                }
            }
            run.begin(0, PER_SECOND);
            killByTurns(run, how);
            run.finish();
        }
    }

    /** Whether an instance that was killed is started again, on its state folder, before others have taken over. */
    private enum Return {
        NEVER,
        AT_ONCE,
        AT_ONCE_UNDER_ITS_NAME
    }

    private static void killByTurns(Run run, Return how) {
        for (int time = 0; time < TIMES; time++) {
            run.letWork(8_000);
            Instance victim = run.any();
            run.inject(() -> {
                Instant since = Instant.now();
                victim.kill();
                if (how != Return.NEVER) {
                    victim.start();
                }
                run.awaitTakenOver(since);
            });
            if (how == Return.NEVER) {
                victim.start();
            }
            victim.awaitReady();
        }
    }

    @Test
    void shouldKeepEveryPromiseWhenTheBrokerGoesAndComesBack() {
        try (Run run = new Run("broker", SEED)) {
            run.begin(3, PER_SECOND);
            for (int time = 0; time < TIMES; time++) {
                run.letWork(2_000);
                Instant since = Instant.now();
                int away = time == 0 ? 60 : 1 + run.random().nextInt(15);
                run.inject(() -> {
                    run.stopBroker();
                    pause(Duration.ofSeconds(away));
                    run.startBroker();
                });
                run.awaitTakenOver(since);
                assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            }
            run.finish();
        }
    }

    @Test
    void shouldRecoverWhenTheStateFolderIsWiped() {
        try (Run run = new Run("wiped", SEED)) {
            run.begin(3, PER_SECOND);
            for (int time = 0; time < TIMES; time++) {
                run.letWork(3_000);
                Instance victim = run.any();
                run.inject(() -> {
                    if (run.random().nextBoolean()) {
                        victim.kill();
                    } else {
                        victim.stop();
                    }
                    Run.delete(victim.state());
                    victim.start();
                });
                victim.awaitReady();
            }
            run.finish();
        }
    }

    @Test
    void shouldStopWithWordsWhenFilesOfAStoreAreDamagedAndGoOnWithoutThem() throws IOException {
        try (Run run = new Run("damaged", SEED)) {
            run.begin(1, PER_SECOND);
            Instance instance = run.instances().get(0);
            run.letWork(TIME.toMillis() / 3);
            instance.stop(); // in order, so that the next start trusts the files
            damage(instance.state());
            instance.start();
            assertThat(instance.awaitExit()).isNotZero();
            assertThat(instance.says()).contains("The pipeline stopped", "delete the directory " + instance.state());
            Run.delete(instance.state());
            run.inject(instance::start);
            run.finish();
        }
    }

    /* The disk is one in memory, so small that a few seconds of work beside a large file fill it. */
    @Test
    void shouldStopWithWordsWhenTheDiskIsFullAndGoOnWhenThereIsRoomAgain() throws IOException {
        try (Run run = new Run("disk-full", SEED)) {
            // So little that stores have to be written out all the time: a full disk hurts nobody who need not write.
            Instance instance = run.add().set("strake.store-memory-bytes", Integer.toString(12 << 20));
            Files.createDirectories(instance.state());
            assumeTrue(
                    succeeds(
                            "mount",
                            "-t",
                            "tmpfs",
                            "-o",
                            "size=96m",
                            "tmpfs",
                            instance.state().toString()),
                    "a disk of a given size can be mounted by root only");
            try {
                run.begin(0, PER_SECOND);
                run.letWork(TIME.toMillis() / 6);
                Path filler = instance.state().resolve("filler");
                fill(filler);
                assertThat(instance.awaitExit()).isNotZero();
                // By the change that ran into it, or by the look at what RocksDB does in the background.
                assertThat(instance.says())
                        .contains("if the disk is full, free some of it")
                        .containsPattern(
                                "The pipeline stopped: .*(No space left|cannot be written, and \\d+ MiB are free)");
                Files.delete(filler);
                run.inject(instance::start);
                run.finish();
            } finally {
                run.instances().forEach(Instance::kill);
                assertThat(succeeds("umount", "-l", instance.state().toString()))
                        .isTrue();
            }
        }
    }

    private static void fill(Path file) {
        byte[] block = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void damage(Path directory) throws IOException {
        int damaged = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".sst")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                Arrays.fill(bytes, 0, Math.min(bytes.length, 2_000), (byte) 0x55);
                Files.write(file, bytes);
                damaged++;
            }
        }
        assertThat(damaged).isPositive();
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
