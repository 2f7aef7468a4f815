package dev.strake.checks.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of one instance, which a test can set while the instance runs: libfaketime, preloaded, adds an offset
 * from a file. The monotonic clock is not affected, as on a machine whose clock an administrator sets.
 */
final class Clock {

    private static final Optional<Path> LIBRARY = List.of(
                    "/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime", "/usr/lib/faketime")
            .stream()
            .map(directory -> Path.of(directory, "libfaketimeMT.so.1"))
            .filter(Files::exists)
            .findFirst();

    private final Path file;

    /**
     * @param file the file with the offset
     */
    Clock(Path file) {
        this.file = file;
        jump(Duration.ZERO);
    }

    /** Whether clocks can be set on this machine, which requires the package {@code faketime}. */
    static boolean canBeSet() {
        return LIBRARY.isPresent();
    }

    /** Sets the clock to the right time plus an offset. */
    void jump(Duration ahead) {
        try {
            Files.createDirectories(file.getParent());
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, (ahead.isNegative() ? "" : "+") + ahead.toSeconds());
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE); // a reader never sees half of it
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The environment variables with which a program uses this clock. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", LIBRARY.orElseThrow().toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "NO_FAKE_STAT", "1");
    }
}
