package dev.strake.remote.apply;

import dev.strake.engine.tree.Hasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Lists the files that belong to an applier, with hashes of what it wrote. All other files belong to others.
 *
 * <pre>
 *  strake-files 1
 *  WORKSPACE
 *  SHA256 - PATH              for each file, in the order of their paths
 *  SHA256 secret PATH         if the file contains a secret document
 * </pre>
 *
 * <p>During a step, the hash of each file that changes is all zeros: the file has its old or its new content.
 *
 * @param files the entries by path
 */
public record Manifest(String workspace, SortedMap<String, Entry> files) {

    /** The path of the manifest, relative to the folder that it describes. No document has this path. */
    public static final String PATH = ".strake/files";

    private static final String VERSION = "strake-files 1";
    private static final int HASH_DIGITS = 64;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{" + HASH_DIGITS + "}");
    private static final String UNDER_WAY = "0".repeat(HASH_DIGITS);

    /**
     * The entry of a file.
     *
     * @param hash the SHA-256 of the content, in hexadecimal digits
     * @param secret whether the file contains a secret document
     */
    public record Entry(String hash, boolean secret) {

        static Entry of(byte[] content, boolean secret) {
            return new Entry(Hasher.hex(content), secret);
        }

        /** Returns the entry of the file while it is being written. */
        Entry underWay() {
            return new Entry(UNDER_WAY, secret);
        }

        /** Whether somebody else changed or removed the file. Always false while the file is being written. */
        boolean isChanged(byte[] content) {
            return !hash.equals(UNDER_WAY)
                    && (content == null || !of(content, secret).hash.equals(hash));
        }
    }

    public Manifest {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    static Manifest empty(String workspace) {
        return new Manifest(workspace, new TreeMap<>());
    }

    byte[] write() {
        StringBuilder text = new StringBuilder(VERSION + "\n" + workspace + "\n");
        files.forEach((path, entry) -> text.append(entry.hash())
                .append(entry.secret() ? " secret " : " - ")
                .append(path)
                .append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Parses a manifest.
     *
     * @param where the location of the manifest, for messages
     * @throws IOException if the content is no manifest, or a damaged one
     */
    static Manifest read(byte[] content, String where) throws IOException {
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
        if (lines.length < 3 || !lines[0].equals(VERSION) || !lines[lines.length - 1].isEmpty()) {
            throw damaged(where);
        }
        SortedMap<String, Entry> files = new TreeMap<>();
        for (int i = 2; i < lines.length - 1; i++) {
            String[] parts = lines[i].split(" ", 3);
            if (parts.length < 3
                    || !HASH.matcher(parts[0]).matches()
                    || !(parts[1].equals("-") || parts[1].equals("secret"))
                    || !isBelow(parts[2])) {
                throw damaged(where);
            }
            files.put(parts[2], new Entry(parts[0], parts[1].equals("secret")));
        }
        return new Manifest(lines[1], files);
    }

    /* Rejects paths outside the folder: a file that a manifest names may be deleted, whoever wrote the manifest. */
    private static boolean isBelow(String path) {
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.startsWith(".") || part.indexOf('\\') >= 0 || part.indexOf('\0') >= 0) {
                return false;
            }
        }
        return true;
    }

    private static FileSystemException damaged(String where) {
        return new FileSystemException(
                where,
                null,
                "it is damaged, so the owners of the files are unknown; restore it, or remove it together with its "
                        + "files");
    }

    Optional<Entry> of(String path) {
        return Optional.ofNullable(files.get(path));
    }
}
