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
 * Exclusive use of a data directory, by an advisory lock on a file in it. The operating system releases the lock when
 * the process ends, even after a crash or {@code kill -9}, so a lock is never left behind.
 */
record DirectoryLock(FileChannel channel) implements AutoCloseable {

    private static final String FILE = ".strake.lock";

    /**
     * Acquires the lock.
     *
     * @throws BrokerStartException if the directory cannot be written or is already locked
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
            // Already locked by this JVM.
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
