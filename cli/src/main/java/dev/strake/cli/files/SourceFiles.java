package dev.strake.cli.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The input of a command: files, folders with their subfolders, and {@code -} for the standard input.
 *
 * <p>Reads the {@code *.yaml}, {@code *.yml} and {@code *.json} files of a folder in the order of their names. Skips
 * names that begin with a dot, which editors, git and mounted ConfigMaps use, and files that the folder's
 * {@link IgnoreFile} excludes. Rejects links that lead out of the folder, so that a folder from someone else cannot
 * make a command publish files of the user.
 */
final class SourceFiles {

    /** The name of the standard input in problems. */
    static final String STDIN = "stdin";

    /** For pipes and devices in a folder: opening one could block forever, and the user did not name it. */
    static final String NO_FILE = "it is neither a file nor a folder";

    private final int mostBytes;
    private final Map<String, Source> sources = new LinkedHashMap<>();

    /**
     * A text.
     *
     * @param isNamed whether the user named the file, and not only a folder that contains it
     */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    record Source(byte[] text, boolean isNamed) {}

    private SourceFiles(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Reads all texts. Their keys are the paths that the user gave, extended by the path within a folder. A path given
     * twice is read once.
     *
     * @param mostBytes the maximum size that callers accept; of a larger text, one byte more is read
     * @throws FileSystemException if a path does not exist, cannot be read, or leads out of its folder
     */
    static Map<String, Source> read(List<String> paths, InputStream stdin, long mostBytes) throws IOException {
        SourceFiles files = new SourceFiles((int) Math.min(mostBytes + 1, Integer.MAX_VALUE - 8));
        for (String path : paths) {
            if (path.equals("-")) {
                files.add(STDIN, stdin, true);
            } else {
                files.addPath(Path.of(path));
            }
        }
        return files.sources;
    }

    private void addPath(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            int before = sources.size();
            Path root = path.toRealPath();
            new Walk(path, root, IgnoreFile.of(path)).add(path);
            if (sources.size() == before) {
                throw new FileSystemException(path.toString(), null, "it holds no *.yaml, *.yml or *.json file");
            }
        } else if (Files.exists(path)) {
            addFile(path, true);
        } else {
            throw new NoSuchFileException(path.toString());
        }
    }

    /** Traverses a folder and its subfolders. */
    private final class Walk {

        private final Path top;
        private final Path root;
        private final IgnoreFile ignored;
        private final Set<Path> entered = new HashSet<>();

        Walk(Path top, Path root, IgnoreFile ignored) {
            this.top = top;
            this.root = root;
            this.ignored = ignored;
            entered.add(root);
        }

        /* Enters each folder once: links from two folders to each other would never end. */
        void add(Path folder) throws IOException {
            List<Path> entries;
            try (Stream<Path> listed = Files.list(folder)) {
                entries = listed.sorted().toList();
            }
            for (Path entry : entries) {
                boolean isFolder = Files.isDirectory(entry);
                if (entry.getFileName().toString().startsWith(".")
                        || (!isFolder && !isDocuments(entry))
                        || ignored.leavesOut(fromTop(entry), isFolder)) {
                    continue;
                }
                Path real = entry.toRealPath();
                if (!real.startsWith(root)) {
                    throw new FileSystemException(
                            entry.toString(), null, "it is a link that leads out of the folder that was named");
                }
                if (!isFolder && !Files.isRegularFile(entry)) {
                    throw new FileSystemException(entry.toString(), null, NO_FILE);
                }
                if (!isFolder) {
                    addFile(entry, false);
                } else if (entered.add(real)) {
                    add(entry);
                }
            }
        }

        private String fromTop(Path entry) {
            return top.relativize(entry)
                    .toString()
                    .replace(entry.getFileSystem().getSeparator(), "/");
        }
    }

    private static boolean isDocuments(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
    }

    private void addFile(Path file, boolean isNamed) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            add(file.toString(), in, isNamed);
        }
    }

    /**
     * Returns the content, up to a number of bytes.
     *
     * @throws FileSystemException if it cannot be read, for example if standard input is a folder
     */
    static byte[] read(String name, InputStream in, int mostBytes) throws FileSystemException {
        try {
            return in.readNBytes(mostBytes);
        } catch (IOException e) {
            FileSystemException unreadable =
                    new FileSystemException(name, null, "reading it failed: " + e.getMessage());
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    private void add(String name, InputStream in, boolean isNamed) throws IOException {
        Source known = sources.get(name);
        if (known == null) {
            sources.put(name, new Source(read(name, in, mostBytes), isNamed));
        } else if (isNamed) {
            sources.put(name, new Source(known.text, true));
        }
    }
}
