package dev.strake.remote.fetch.policy;

import dev.strake.remote.fetch.policy.FetchException.Code;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.transport.URIish;

/**
 * Parses the address of a git repository: {@code https://host/path}, {@code ssh://user@host/path}, {@code
 * user@host:path}, {@code file:///path} or a path. Errors are reported without any part of the address.
 */
public final class RepositoryUri {

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,255}|\\[?[0-9A-Fa-f:.]+\\]?");
    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*(?=://)");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final int MOST_PORT = 65_535;

    private RepositoryUri() {}

    /**
     * Parses an address.
     *
     * @return the address with its scheme in lower case; other schemes are returned, too
     * @throws FetchException if it is invalid
     */
    public static URIish of(String text) throws FetchException {
        // JGit only knows schemes in lower case, and reads others as hosts of ssh.
        String stripped = SCHEME.matcher(text.strip())
                .replaceFirst(scheme -> Matcher.quoteReplacement(scheme.group().toLowerCase(Locale.ROOT)));
        URIish uri;
        try {
            uri = new URIish(stripped);
        } catch (URISyntaxException | IllegalArgumentException e) { // IllegalArgumentException if the port is no int
            throw invalid("the address of the repository cannot be read");
        }
        if (CONTROL.matcher(stripped).find()
                || uri.getPath() == null
                || uri.getPath().isEmpty()) {
            throw invalid("the address of the repository cannot be read");
        }
        if (uri.getPass() != null) {
            throw invalid("repo holds credentials: put them into a header, from a secret");
        }
        URIish result = uri.getScheme() == null ? uri.setScheme(uri.getHost() == null ? "file" : "ssh") : uri;
        switch (result.getScheme()) {
            case "http", "https" -> Address.of(stripped);
            case "ssh" -> checkSsh(result);
            case "file" -> path(result);
            default -> {} // the policy refuses the scheme
        }
        return result;
    }

    /* Rejects parts that a program would read as options, since they become its arguments. */
    private static void checkSsh(URIish uri) throws FetchException {
        String user = uri.getUser() == null ? "" : uri.getUser();
        String host = uri.getHost() == null ? "" : uri.getHost();
        if (user.startsWith("-") || host.startsWith("-") || uri.getPath().startsWith("-")) {
            throw invalid("repo has a part that would be taken for an option");
        }
        if (!HOST.matcher(host).matches() || user.contains(" ")) {
            throw invalid("repo has no host that can be read");
        }
        if (uri.getPort() == 0 || uri.getPort() > MOST_PORT) {
            throw invalid("repo has an invalid port");
        }
    }

    /** Returns the path of a repository in the file system. */
    public static Path path(URIish uri) throws FetchException {
        if (uri.getHost() != null) {
            throw invalid("a repository in the file system has no host: write file:///path");
        }
        try {
            return Path.of(uri.getPath());
        } catch (InvalidPathException e) {
            throw invalid("repo is not a path of this file system");
        }
    }

    private static FetchException invalid(String message) {
        return new FetchException(Code.INVALID_RESOURCE, message);
    }
}
