package dev.strake.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory that is gone when the measurement is over. */
public record Scratch(Path directory) implements AutoCloseable {

    public Scratch() throws IOException {
        this(Files.createTempDirectory("strake-bench"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
