package dev.strake.remote.apply;

import java.net.URISyntaxException;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

/**
 * A branch of a remote repository, with credentials. The credentials are passed to git only. They are removed from the
 * address, so that no message can show them.
 */
public final class GitRemote {

    private final URIish uri;
    private final String branch;
    private final Optional<CredentialsProvider> credentials;

    private GitRemote(URIish uri, String branch, Optional<CredentialsProvider> credentials) {
        this.uri = uri;
        this.branch = branch;
        this.credentials = credentials;
    }

    /**
     * Creates a remote from an address and a branch.
     *
     * @param address the URL or path; a user and password in it are used as credentials
     * @param user the user; null for the user in the address
     * @param password the password or token; null for the password in the address
     * @throws IllegalArgumentException if the address or branch is invalid; the message does not repeat the address
     */
    public static GitRemote of(String address, String branch, String user, String password) {
        if (!isBranch(branch)) {
            throw new IllegalArgumentException("git allows no branch of the name '" + branch + "'");
        }
        URIish given;
        try {
            given = new URIish(address);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the address of the repository cannot be read"); // the message of e may contain a password
        }
        if (isMisread(given, address)) {
            throw new IllegalArgumentException("the address of the repository cannot be read");
        }
        String name = user == null ? given.getUser() : user;
        String secret = password == null ? given.getPass() : password;
        boolean isHttp = given.getScheme() != null && given.getScheme().startsWith("http");
        Optional<CredentialsProvider> credentials = secret == null
                ? Optional.empty()
                : Optional.of(new UsernamePasswordCredentialsProvider(name == null ? "git" : name, secret));
        URIish plain = given.setPass(null);
        return new GitRemote(isHttp ? plain.setUser(null) : plain, branch, credentials);
    }

    /** Whether git accepts the name of a branch or tag. Rejects a leading dash, which programs read as an option. */
    public static boolean isBranch(String name) {
        return !name.startsWith("-") && !name.equals("@") && Repository.isValidRefName(Constants.R_HEADS + name);
    }

    /* Git parses nearly any text as an address. If it finds no host, the supposed path may contain a password. */
    private static boolean isMisread(URIish given, String address) {
        boolean hasHost = given.getHost() != null && !given.getHost().isEmpty();
        if (given.getScheme() == null) {
            return address.contains("://") || (hasHost && given.getPath().contains("@"));
        }
        return !hasHost && !given.getScheme().equals("file");
    }

    /** Returns the address of the repository, without credentials. */
    public String address() {
        return uri.toString();
    }

    URIish uri() {
        return uri;
    }

    String ref() {
        return "refs/heads/" + branch;
    }

    Optional<CredentialsProvider> credentials() {
        return credentials;
    }

    /** Never shows credentials. */
    @Override
    public String toString() {
        return uri + " " + branch;
    }
}
