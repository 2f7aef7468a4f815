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
 * The wall clock of one instance, which can be set while it runs: libfaketime, loaded before everything else, adds what
 * is in a file. The clock that only measures how long something takes goes on as it does, as it does on a machine whose
 * clock somebody sets.
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
     * @param file where the offset is kept
     */
    Clock(Path file) {
        this.file = file;
        jump(Duration.ZERO);
    }

    /** Whether clocks can be set here: the package {@code faketime} has what it takes. */
    static boolean canBeSet() {
        return LIBRARY.isPresent();
    }

    /** Sets it to the right time and this much. */
    void jump(Duration ahead) {
        try {
            Files.createDirectories(file.getParent());
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, (ahead.isNegative() ? "" : "+") + ahead.toSeconds());
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE); // read at any time, and never half
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the environment of a program has to say for it to go by this clock. */
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
