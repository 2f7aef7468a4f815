package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Long test: faults in the state folders of instances. */
@Tag("long")
class StateFaultsIT {

    private static final Duration FULL = Duration.ofSeconds(30);

    @Test
    void shouldRecoverWhenTheStateFolderIsWiped() {
        try (Run run = new Run("wiped")) {
            run.begin(3, Run.PER_SECOND);
            for (int time = 0; time < Run.TIMES; time++) {
                run.letWork(3_000);
                Instance victim = run.anyAtWork();
                run.inject(victim, () -> {
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
    void shouldStopWithAMessageOnADamagedStoreAndStartWithoutIt() {
        try (Run run = new Run("damaged")) {
            run.begin(1, Run.PER_SECOND);
            Instance instance = run.instances().get(0);
            run.letWork(Run.TIME.toMillis() / 3);
            run.inject(instance, () -> {
                instance.stop(); // gracefully, so that the next start trusts the files
                damage(instance.state());
                instance.start();
                assertThat(instance.awaitExit()).isNotZero();
                assertThat(instance.says())
                        .contains("The pipeline stopped", "delete the directory " + instance.state());
                Run.delete(instance.state());
                instance.start();
            });
            run.finish();
        }
    }

    /* The disk is a file system in memory, so small that a few seconds of work beside a large file fill it. */
    @Test
    void shouldContinueAfterAFullDisk() throws IOException {
        try (Run run = new Run("disk-full")) {
            // Small buffers make stores write continuously; a full disk only affects writers.
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
                run.begin(0, Run.PER_SECOND);
                run.letWork(Run.TIME.toMillis() / 6);
                Path filler = instance.state().resolve("filler");
                run.inject(instance, () -> {
                    fill(filler);
                    // The change that hits the error ends the process, or RocksDB waits for space.
                    LockSupport.parkNanos(FULL.toNanos());
                    Run.delete(filler);
                    if (instance.says().contains("is full")) {
                        assertThat(instance.awaitExit()).isEqualTo(2);
                        instance.start();
                    }
                });
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

    private static void damage(Path directory) {
        int damaged = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".sst")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                Arrays.fill(bytes, 0, Math.min(bytes.length, 2_000), (byte) 0x55);
                Files.write(file, bytes);
                damaged++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(damaged).isPositive();
    }
}
