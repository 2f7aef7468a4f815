package dev.strake.serdes.text;

import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a user names. Docker and Kubernetes mount a folder where the file to mount is missing. */
public final class PlainFile {

    private PlainFile() {}

    /**
     * Returns the path.
     *
     * @throws FileSystemException if it is a folder. Java's own exception would not name it
     */
    public static Path of(Path path) throws FileSystemException {
        if (Files.isDirectory(path)) {
            throw new FileSystemException(path.toString(), null, "it has to be a file");
        }
        return path;
    }
}
