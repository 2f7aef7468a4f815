package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Selects files of a repository.
 *
 * <pre>
 *  sites/a/db.yaml    one file            sites/a/*.yaml   files of the folder with this extension
 *  sites/a            the whole folder    sites/a/*        the same
 *                                         sites/a/**       also all subfolders: .yaml, .yml and .json
 * </pre>
 *
 * @param folder the folder; empty for the root
 * @param name the name of the files, with {@code *} for any text; {@code **} for all files below
 */
public record FilePattern(String folder, String name) {

    private static final Set<String> READABLE = Set.of("yaml", "yml", "json");

    /**
     * Parses a path as Razee does: a path without an extension is a folder.
     *
     * @throws FetchException if the path leaves the repository
     */
    static FilePattern of(String path) throws FetchException {
        String plain = path.replaceAll("/+", "/").replaceAll("^(\\./)+|^/|/$", "");
        if (Stream.of(plain.split("/")).anyMatch(".."::equals)) {
            throw new FetchException(Code.INVALID_RESOURCE, "filePath must not have ..");
        }
        int slash = plain.lastIndexOf('/');
        String last = plain.substring(slash + 1);
        String folder = slash < 0 ? "" : plain.substring(0, slash);
        if (last.contains("*") || (last.contains(".") && !last.equals("."))) {
            return new FilePattern(folder, last);
        }
        return new FilePattern(last.equals(".") ? folder : plain, "*");
    }

    public boolean isRecursive() {
        return name.equals("**");
    }

    /** Whether a path in the repository matches. */
    public boolean matches(String path) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        if (!path.startsWith(prefix)) {
            return false;
        }
        String rest = path.substring(prefix.length());
        if (isRecursive()) {
            return Stream.of(rest.split("/")).noneMatch(part -> part.startsWith(".")) && isReadable(rest);
        }
        return !rest.contains("/") && matchesName(rest);
    }

    /** Whether the name of a file in the folder, or of an asset of a release, matches. */
    public boolean matchesName(String file) {
        if (name.equals("*") || isRecursive()) {
            return isReadable(file);
        }
        String[] pieces = name.split("\\*", -1);
        String regex = String.join(".*", Stream.of(pieces).map(Pattern::quote).toList());
        return Pattern.matches(regex, file);
    }

    /** Whether a file can contain documents. Many folders contain a README, too. */
    static boolean isReadable(String file) {
        return READABLE.contains(file.substring(file.lastIndexOf('.') + 1));
    }

    @Override
    public String toString() {
        return folder.isEmpty() ? name : folder + "/" + name;
    }
}
