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
 * The file {@code .strakeignore} in a folder that a command was given: what in the folder holds no documents. It is written as
 * a {@code .gitignore}:
 *
 * <pre>
 *  # a remark                   docs/            a folder of this name anywhere
 *  values.yaml   any of it      /charts/*.yaml   from the top, as is any pattern with a slash in it
 *  !keep.yaml    all the same   **{@literal /}test/**      any number of folders
 * </pre>
 *
 * <p>{@code *}, {@code ?} and {@code [a-z]} match within a name. The last pattern that matches decides. What is in a folder that
 * is left out cannot be brought back. Only the file at the top of the folder is read.
 */
final class IgnoreFile {

    static final String NAME = ".strakeignore";

    private static final IgnoreFile NOTHING = new IgnoreFile(List.of());
    private static final int MOST_BYTES = 1 << 20;

    /** None is one of them. */
    private static final String ANY_FOLDERS = "{**/,}";

    private final List<Rule> rules;

    private record Rule(PathMatcher pattern, boolean foldersOnly, boolean leavesOut) {}

    private IgnoreFile(List<Rule> rules) {
        this.rules = rules;
    }

    /** The rules of a folder; none if it has no such file. */
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
                    throw new FileSystemException(file.toString(), null, "'" + text + "' is no pattern");
                }
            }
        }
        return new IgnoreFile(rules);
    }

    /**
     * Whether something is left out.
     *
     * @param path from the folder, with slashes
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

    /* What Java reads in another way than git: braces, a negation, and stars in pairs. */
    private static String glob(String pattern) {
        return pattern.replaceAll("[{}]", "\\\\$0")
                .replace("[^", "[!")
                .replaceAll("(?<=^|/)\\*\\*/", ANY_FOLDERS)
                .replaceAll("(?<!/|\\{)\\*\\*|\\*\\*(?!$|/)", "*");
    }
}
