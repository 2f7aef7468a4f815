package dev.strake.cli.files;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

    private final List<Rule> rules;

    private record Rule(Pattern pattern, boolean foldersOnly, boolean leavesOut) {}

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
            if ((isFolder || !rule.foldersOnly) && rule.pattern.matcher(path).matches()) {
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
        return new Rule(Pattern.compile((fromTop ? "" : "(?:.*/)?") + expression(text)), foldersOnly, leavesOut);
    }

    private static String expression(String glob) {
        StringBuilder expression = new StringBuilder();
        int i = 0;
        while (i < glob.length()) {
            char c = glob.charAt(i);
            int close = c == '[' ? glob.indexOf(']', i + 2) : -1;
            if (glob.startsWith("**/", i) && (i == 0 || glob.charAt(i - 1) == '/')) {
                expression.append("(?:.*/)?");
                i += 3;
            } else if (glob.startsWith("/**", i) && i + 3 == glob.length()) {
                expression.append("/.*");
                i += 3;
            } else if (c == '\\' && i + 1 < glob.length()) {
                expression.append(Pattern.quote(glob.substring(i + 1, i + 2)));
                i += 2;
            } else if (close > 0) {
                expression.append(characters(glob.substring(i + 1, close)));
                i = close + 1;
            } else {
                expression.append(c == '*' ? "[^/]*" : c == '?' ? "[^/]" : Pattern.quote(String.valueOf(c)));
                i++;
            }
        }
        return expression.toString();
    }

    /* Of all that may stand between brackets, only ranges and a negation. */
    private static String characters(String within) {
        boolean isNegated = within.startsWith("!") || within.startsWith("^");
        String some = (isNegated ? within.substring(1) : within).replaceAll("[\\[\\]\\\\&^]", "\\\\$0");
        return some.isEmpty() ? Pattern.quote("[" + within + "]") : (isNegated ? "[^/" : "[") + some + "]";
    }
}
