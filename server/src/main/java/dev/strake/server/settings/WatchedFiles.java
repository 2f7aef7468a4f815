package dev.strake.server.settings;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.tls.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that belong together, reloaded when their content changes. Compares content instead of modification times:
 * orchestrators swap links, and copies keep times.
 */
public final class WatchedFiles<T> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final String setting;
    private final List<Path> files;
    private final FileParser<T> reader;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Map<Path, byte[]> inForce;
    private volatile T current;
    private volatile String failure = "";

    public interface FileParser<T> {
        T read(Map<Path, byte[]> contents) throws UnusableFileException;
    }

    /**
     * Reads the files and starts to watch them.
     *
     * @param setting that names the first file, for messages
     * @throws MisconfiguredException if the files cannot be used
     */
    public WatchedFiles(Setting<?> setting, List<Path> files, FileParser<T> reader) {
        this.setting = setting.name();
        this.files = List.copyOf(files);
        this.reader = reader;
        try {
            inForce = contents();
            current = reader.read(inForce);
        } catch (UnusableFileException e) {
            throw new MisconfiguredException(sentence(e), e);
        }
        Thread thread = new Thread(this::watch, "watched-files");
        thread.setDaemon(true);
        thread.start();
    }

    /** The value of the last usable version of the files. */
    public T current() {
        return current;
    }

    /** Whether an older version is in use because the current files cannot be used. */
    public boolean isFailed() {
        return !failure.isEmpty();
    }

    private void watch() {
        try {
            while (!closed.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /* Logs a failure once, but keeps trying: one of two files may have been replaced before the other. */
    private void look() {
        String now = "";
        try {
            Map<Path, byte[]> contents = contents();
            if (!isInForce(contents)) {
                current = reader.read(contents);
                inForce = contents;
                LOG.info("{}: the files changed and were read again: {}", setting, files);
            }
        } catch (UnusableFileException e) {
            now = sentence(e);
        } catch (RuntimeException e) {
            now = setting + ": the new files cannot be used, " + e.getClass().getName() + ".";
        }
        if (!now.isEmpty() && !now.equals(failure)) {
            LOG.warn("{} What was read before stays in force.", now);
        }
        failure = now;
    }

    private boolean isInForce(Map<Path, byte[]> contents) {
        return files.stream().allMatch(file -> Arrays.equals(contents.get(file), inForce.get(file)));
    }

    private Map<Path, byte[]> contents() throws UnusableFileException {
        Map<Path, byte[]> contents = new HashMap<>();
        for (Path file : files) {
            try {
                contents.put(file, Files.readAllBytes(file));
            } catch (IOException e) {
                String reason = Files.isDirectory(file)
                        ? "it is a folder"
                        : e.getClass().getSimpleName();
                throw new UnusableFileException(file + " cannot be read (" + reason + ").", e);
            }
        }
        return contents;
    }

    private String sentence(UnusableFileException e) {
        return setting + ", file " + files.get(0) + ": " + e.getMessage();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
