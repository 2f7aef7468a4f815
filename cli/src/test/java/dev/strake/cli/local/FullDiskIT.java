package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code strake up} on a full disk: one in memory, which only root can mount. */
class FullDiskIT {

    @TempDir
    Path directory;

    private Path disk;
    private Path log;
    private Process up;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectories(directory.resolve("disk"));
        log = directory.resolve("log");
        assumeTrue(
                succeeds("mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", disk.toString()),
                "a disk of a given size can be mounted by root only");
    }

    @AfterEach
    void unmount() throws Exception {
        if (up != null) {
            up.destroyForcibly().waitFor();
        }
        succeeds("umount", "-l", disk.toString());
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private void start() throws IOException {
        up = new ProcessBuilder(Packaged.line(
                        List.of("-Xmx512m"),
                        List.of("up", "--data", disk.resolve("data").toString(), "--kafka-port=0", "--http-port=0")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private void fill() throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private void assertEndedInWords() throws Exception {
        assertThat(up.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(up.exitValue()).as(Files.readString(log)).isEqualTo(2);
        assertThat(Files.readString(log)).doesNotContain("\tat ", "Exception");
        assertThat(Files.readAllLines(log))
                .filteredOn(line -> line.startsWith("strake: "))
                .singleElement()
                .asString()
                .contains("is full", disk.toString());
    }

    @Test
    void shouldReportAFullDiskAtTheStart() throws Exception {
        fill();
        start();
        assertEndedInWords();
    }

    @Test
    void shouldReportAFullDiskAndContinueWhenThereIsSpace() throws Exception {
        start();
        awaitReady();
        fill();
        assertEndedInWords();
        Files.delete(disk.resolve("filler"));
        start();
        awaitReady();
    }

    private void awaitReady() {
        await().atMost(Duration.ofMinutes(10)).until(() -> Files.readString(log).contains("Ready after"));
    }
}
