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
 * The texts that a command was pointed to: files, folders with all that is below them, and {@code -} for the standard
 * input.
 *
 * <p>A folder stands for its {@code *.yaml}, {@code *.yml} and {@code *.json} files in order of their names. Names that
 * begin with a dot are passed over: editors, git and mounted ConfigMaps keep their own things there. So is what the folder's
 * {@link IgnoreFile} leaves out. A link inside a folder may lead anywhere within it; one that leads out is refused, so that
 * a folder from somebody else never makes us read (and publish) files of our own.
 */
final class SourceFiles {

    /** What the standard input is called in problems. */
    static final String STDIN = "stdin";

    /** Of a pipe or a device in a folder: to open it could wait for ever, and a folder says nothing of its meaning. */
    static final String NO_FILE = "it is neither a file nor a folder";

    private final int mostBytes;
    private final Map<String, Source> sources = new LinkedHashMap<>();

    /**
     * A text.
     *
     * @param isNamed whether somebody named it, and not only a folder that it is in
     */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    record Source(byte[] text, boolean isNamed) {}

    private SourceFiles(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Reads all texts, each under the name by which a person would look for it: the path as it was given, and the way
     * from there. A path given twice is read once.
     *
     * @param mostBytes of one text that somebody will look at; of a longer one just one byte more is read
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

    /** Goes through a folder and all that is below it. */
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

        /* Every folder is entered once, by whatever way: two links that point at each other's folders would go on for ever. */
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
     * The content, up to a number of bytes.
     *
     * @throws FileSystemException if it cannot be read, as of a folder that is standard input or of a broken disk
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
