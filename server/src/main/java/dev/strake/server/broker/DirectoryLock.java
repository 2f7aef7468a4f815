package dev.strake.server.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The right to be the only user of a data directory, held by an advisory lock on a file in it. The lock belongs to the
 * process: after a crash or a {@code kill -9} the operating system gives it back, so nothing is ever left to clean up.
 */
record DirectoryLock(FileChannel channel) implements AutoCloseable {

    private static final String FILE = ".strake.lock";

    /**
     * Takes the lock, or says why it cannot be had.
     *
     * @throws BrokerStartException if the directory cannot be written, or if somebody else holds it
     */
    static DirectoryLock acquire(Path directory) {
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isHeldByUs(channel)) {
                return new DirectoryLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new BrokerStartException(
                    "The data directory %s cannot be used: %s. Check its permissions or choose another one."
                            .formatted(directory, e),
                    e);
        }
        throw new BrokerStartException(
                "The data directory %s is in use by another Strake. Stop that one or choose another directory."
                        .formatted(directory));
    }

    private static boolean isHeldByUs(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            // Held within this very JVM: the same answer as from another process.
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The lock of the data directory could not be released", e);
        }
    }
}
