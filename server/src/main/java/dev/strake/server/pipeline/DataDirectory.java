package dev.strake.server.pipeline;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.Catalogue;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Checks the directory of the stores at the start. Kafka Streams would detect a problem only later, and report it like
 * any other failure.
 */
final class DataDirectory {

    private static final String REMEDY = "Give another one with --data (strake.data), or fix this one.";

    private final Path data;
    private final Path streams;

    private DataDirectory(Path data, Path streams) {
        this.data = data;
        this.streams = streams;
    }

    static DataDirectory of(PipelineSettings settings) {
        return new DataDirectory(
                settings.settings().get(Catalogue.DATA).toAbsolutePath().normalize(), settings.stateDirectory());
    }

    /**
     * Creates the directory if it is missing, and tests that it can be written.
     *
     * @throws MisconfiguredException if that fails
     */
    void refuseUnusable() {
        try {
            Files.createDirectories(streams);
            Files.delete(Files.createTempFile(streams, "writable", null));
        } catch (IOException e) {
            throw unusable(reason(e), e);
        }
    }

    /** Explains why Kafka Streams cannot use the directory. */
    MisconfiguredException unusable(StreamsException failure) {
        return failure instanceof ProcessorStateException
                ? unusable(failure.getMessage(), failure)
                : new MisconfiguredException(
                        "The data directory "
                                + data
                                + " is in use by another instance. Stop that one, or give another directory with --data (strake.data).",
                        failure);
    }

    private MisconfiguredException unusable(String reason, Exception cause) {
        return new MisconfiguredException(
                "The data directory %s cannot be used: %s. %s".formatted(data, reason, REMEDY), cause);
    }

    private static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException denied) {
            return "the user of this process may not write to " + denied.getFile();
        }
        if (failure instanceof FileAlreadyExistsException file) {
            return file.getFile() + " is not a directory";
        }
        if (failure instanceof FileSystemException file) {
            return file.getFile() + " cannot be written"
                    + (file.getReason() == null ? "" : " (" + file.getReason() + ")");
        }
        return String.valueOf(failure.getMessage());
    }
}
