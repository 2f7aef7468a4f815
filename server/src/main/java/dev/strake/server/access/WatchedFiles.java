package dev.strake.server.access;

import dev.strake.client.MisconfiguredException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are used together, read again when their content changes. Content and not its time is compared: an
 * orchestrator swaps links, and copies keep times.
 */
public final class WatchedFiles<T> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final String setting;
    private final List<Path> files;
    private final int mostBytes;
    private final Reader<T> reader;
    private final Consumer<T> onChange;
    private final CountDownLatch closed = new CountDownLatch(1);
    private List<byte[]> inForce;
    private volatile T current;
    private volatile String failure = "";

    /** Makes something of the contents of the files, in their order. */
    public interface Reader<T> {
        T read(List<byte[]> contents) throws UnusableFileException;
    }

    /**
     * Reads them, and begins to watch.
     *
     * @param setting that names the first file, for messages
     * @param mostBytes of each file
     * @param onChange called with what the changed files are, on the thread that watches
     * @throws MisconfiguredException if they cannot be used
     */
    public WatchedFiles(String setting, List<Path> files, int mostBytes, Reader<T> reader, Consumer<T> onChange) {
        this.setting = setting;
        this.files = List.copyOf(files);
        this.mostBytes = mostBytes;
        this.reader = reader;
        this.onChange = onChange;
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

    /** What the files were when they could last be used. */
    public T current() {
        return current;
    }

    /** Whether the files, as they are now, cannot be used, so that something older is in force. */
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

    /* A failure is said once, and tried again all the time: of two files one may have come before the other. */
    private void look() {
        String now = "";
        try {
            List<byte[]> contents = contents();
            if (!isInForce(contents)) {
                T changed = reader.read(contents);
                onChange.accept(changed);
                current = changed;
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

    private boolean isInForce(List<byte[]> contents) {
        return Arrays.deepEquals(contents.toArray(), inForce.toArray());
    }

    private List<byte[]> contents() throws UnusableFileException {
        List<byte[]> contents = new ArrayList<>();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] content = in.readNBytes(mostBytes + 1);
                if (content.length > mostBytes) {
                    throw new UnusableFileException(file + " has more than " + mostBytes + " bytes.");
                }
                contents.add(content);
            } catch (IOException e) {
                throw new UnusableFileException(
                        file + " cannot be read (" + e.getClass().getSimpleName() + ").", e);
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
