package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which files of a repository are meant.
 *
 * <pre>
 *  sites/a/db.yaml    one file            sites/a/*.yaml   those of the folder with this extension
 *  sites/a            all of the folder   sites/a/*        the same
 *                                         sites/a/**       those of the folders below, too: .yaml, .yml and .json
 * </pre>
 *
 * @param folder empty for the top
 * @param name of the files, with {@code *} for any text; {@code **} for all below
 */
public record FilePattern(String folder, String name) {

    private static final Set<String> READABLE = Set.of("yaml", "yml", "json");

    /**
     * Reads a path as Razee does: one without an extension is a folder.
     *
     * @throws FetchException if it leaves the repository
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

    /** Whether a file is meant, by its path in the repository. */
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

    /** Whether a file of the folder, or an asset of a release, is meant by its name. */
    public boolean matchesName(String file) {
        if (name.equals("*") || isRecursive()) {
            return isReadable(file);
        }
        String[] pieces = name.split("\\*", -1);
        String regex = String.join(".*", Stream.of(pieces).map(Pattern::quote).toList());
        return Pattern.matches(regex, file);
    }

    /** Whether a file can hold documents. A folder often has a README beside them. */
    static boolean isReadable(String file) {
        return READABLE.contains(file.substring(file.lastIndexOf('.') + 1));
    }

    @Override
    public String toString() {
        return folder.isEmpty() ? name : folder + "/" + name;
    }
}
