package dev.strake.cli.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * The file {@code .strakeignore} at the top of a folder: patterns for files that contain no documents. The syntax is
 * that of a {@code .gitignore}:
 *
 * <pre>
 *  # a remark                   docs/            a folder of this name anywhere
 *  values.yaml   anywhere       /charts/*.yaml   from the top, as is any pattern with a slash in it
 *  !keep.yaml    not ignored    **{@literal /}test/**      any number of folders
 * </pre>
 *
 * <p>{@code *}, {@code ?} and {@code [a-z]} match within a name. The last pattern that matches wins. A pattern cannot
 * include files of an ignored folder again. Files of this name in subfolders are not read.
 */
final class IgnoreFile {

    static final String NAME = ".strakeignore";

    private static final IgnoreFile NOTHING = new IgnoreFile(List.of());
    private static final int MOST_BYTES = 1 << 20;

    /** Any number of folders, including none. */
    private static final String ANY_FOLDERS = "{**/,}";

    private final List<Rule> rules;

    private record Rule(PathMatcher pattern, boolean foldersOnly, boolean leavesOut) {}

    private IgnoreFile(List<Rule> rules) {
        this.rules = rules;
    }

    /** Reads the rules of a folder; no rules if the folder has no such file. */
    static IgnoreFile of(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file) || Files.isDirectory(file)) {
            return NOTHING;
        }
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(file.toString(), null, SourceFiles.NO_FILE);
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new FileSystemException(file.toString(), null, "it is larger than " + MOST_BYTES + " bytes");
        }
        List<Rule> rules = new ArrayList<>();
        for (String line : Files.readString(file).lines().toList()) {
            String text = line.stripTrailing();
            if (!text.isEmpty() && !text.startsWith("#")) {
                try {
                    rules.add(rule(text));
                } catch (PatternSyntaxException e) {
                    throw new FileSystemException(file.toString(), null, "'" + text + "' is not a pattern");
                }
            }
        }
        return new IgnoreFile(rules);
    }

    /**
     * Whether to ignore a file or folder.
     *
     * @param path from the top, with slashes
     */
    boolean leavesOut(String path, boolean isFolder) {
        boolean result = false;
        for (Rule rule : rules) {
            if ((isFolder || !rule.foldersOnly) && rule.pattern.matches(Path.of(path))) {
                result = rule.leavesOut;
            }
        }
        return result;
    }

    private static Rule rule(String line) {
        boolean leavesOut = !line.startsWith("!");
        String text = leavesOut ? line : line.substring(1);
        boolean foldersOnly = text.endsWith("/");
        text = foldersOnly ? text.substring(0, text.length() - 1) : text;
        boolean fromTop = text.contains("/");
        text = text.startsWith("/") ? text.substring(1) : text;
        String glob = (fromTop ? "" : ANY_FOLDERS) + glob(text);
        return new Rule(FileSystems.getDefault().getPathMatcher("glob:" + glob), foldersOnly, leavesOut);
    }

    /* Translates syntax that git and Java read differently: braces, negation, and double stars. */
    private static String glob(String pattern) {
        return pattern.replaceAll("[{}]", "\\\\$0")
                .replace("[^", "[!")
                .replaceAll("(?<=^|/)\\*\\*/", ANY_FOLDERS)
                .replaceAll("(?<!/|\\{)\\*\\*|\\*\\*(?!$|/)", "*");
    }
}
