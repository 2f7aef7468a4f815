package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.policy.LocalRepository;
import dev.strake.remote.fetch.policy.RepositoryUri;
import dev.strake.remote.fetch.resource.Hidden;
import dev.strake.remote.fetch.resource.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.util.FileUtils;

/**
 * Repositories by the git protocol: over http and https within the policy of {@link HttpSource}, over ssh by the
 * program in {@code GIT_SSH}, or as files. Each repository has a local copy of the commits that were requested so far.
 * A lost copy is created again:
 *
 * <pre>
 *  STATE/HASH.git   a copy without files and history
 * </pre>
 */
public final class RepositorySource implements ContentSource {

    private static final String FETCHED = "refs/strake/fetched";
    private static final int MOST_PACKS = 50;
    private static final int MOST_FILES = 100_000;
    private static final int PACK_FACTOR = 16;
    private static final int SSH_PORT = 22;

    private final HttpSource http;
    private final FetchPolicy policy;
    private final Path state;
    private final Map<String, Object> locks = new ConcurrentHashMap<>();

    public RepositorySource(HttpSource http, FetchPolicy policy, Path state) {
        this.http = http;
        this.policy = policy;
        this.state = state;
    }

    @Override
    public Fetched fetch(Question question) throws FetchException {
        RepositoryFiles git = question.request().git().orElseThrow();
        URIish uri = uri(git.repository());
        String name = Hasher.hex(uri.toString()).substring(0, 32);
        // One fetch at a time for each repository; other repositories are not blocked.
        synchronized (locks.computeIfAbsent(name, key -> new Object())) {
            try {
                Path copy = state.resolve(name + ".git");
                if (packs(copy) > MOST_PACKS) {
                    FileUtils.delete(copy.toFile(), FileUtils.RECURSIVE);
                }
                try (Repository repository = open(copy)) {
                    return read(repository, git, commit(repository, git, uri, question.headers()));
                }
            } catch (IOException e) {
                throw failure(git, e);
            } catch (IllegalThreadStateException e) { // JGit reads the exit code of the ssh program too early
                throw new FetchException(Code.UNREACHABLE, git + ": the program for ssh closed the connection");
            }
        }
    }

    /* Checks the address against the policy. Addresses of http are checked again on connect. */
    private URIish uri(String text) throws FetchException {
        URIish uri = RepositoryUri.of(text);
        switch (uri.getScheme()) {
            case "http", "https" -> policy.check(Address.of(text));
            case "ssh" -> {
                policy.check(uri.getHost(), uri.getPort() > 0 ? uri.getPort() : SSH_PORT);
                policy.resolve(uri.getHost());
            }
            case "file" -> {
                Path git = LocalRepository.of(policy.check(RepositoryUri.path(uri)));
                return uri.setPath(git.toString()); // the path that was checked, without links
            }
            default -> throw new FetchException(Code.REFUSED, "repo has to be of https, http, ssh or file");
        }
        return uri;
    }

    private static int packs(Path copy) throws IOException {
        Path packs = copy.resolve("objects").resolve("pack");
        if (!Files.isDirectory(packs)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(packs)) {
            return (int) files.filter(file -> file.toString().endsWith(".pack")).count();
        }
    }

    private static Repository open(Path copy) throws IOException {
        Repository repository =
                new FileRepositoryBuilder().setGitDir(copy.toFile()).setBare().build();
        if (!repository.getObjectDatabase().exists()) {
            repository.create(true);
        }
        StoredConfig config = repository.getConfig();
        config.setBoolean("gc", null, "autodetach", false);
        config.setInt("gc", null, "auto", 0);
        // A redirect would receive the headers, too.
        config.setString("http", null, "followRedirects", "false");
        config.save();
        return repository;
    }

    private RevCommit commit(Repository repository, RepositoryFiles git, URIish uri, Map<String, Hidden> headers)
            throws IOException {
        ObjectId wanted = null;
        String spec = null;
        String ref = git.ref().orElse(Constants.HEAD);
        try (Transport transport = transport(repository, uri, headers)) {
            if (ObjectId.isId(ref)) {
                if (transport instanceof TransportHttp) { // checks access: another resource may have fetched the commit
                    transport.openFetch().close();
                }
                wanted = ObjectId.fromString(ref);
                spec = ref;
            } else {
                try (FetchConnection connection = transport.openFetch()) {
                    for (String candidate : List.of(Constants.R_HEADS + ref, Constants.R_TAGS + ref, ref)) {
                        Ref found = connection.getRef(candidate);
                        if (found != null && found.getObjectId() != null) {
                            wanted = found.getObjectId();
                            spec = candidate;
                            break;
                        }
                    }
                }
            }
            if (wanted == null) {
                throw new FetchException(
                        Code.ANSWER, git + ": there is no such branch or tag; a commit needs all of its 40 digits");
            }
            if (!repository.getObjectDatabase().has(wanted)) {
                try (Transport fetching = transport(repository, uri, headers)) {
                    fetching.setTagOpt(TagOpt.NO_TAGS);
                    fetching.setDepth(1);
                    fetching.fetch(NullProgressMonitor.INSTANCE, List.of(new RefSpec("+" + spec + ":" + FETCHED)));
                }
            }
        }
        try (RevWalk walk = new RevWalk(repository)) {
            return walk.parseCommit(wanted);
        }
    }

    private Transport transport(Repository repository, URIish uri, Map<String, Hidden> headers) throws IOException {
        Transport transport = Transport.open(repository, uri);
        transport.setTimeout((int) Math.max(1, policy.timeout().toSeconds()));
        if (transport instanceof TransportHttp overHttp) {
            overHttp.setHttpConnectionFactory(GitConnection.factory(http, policy.maxBytes() * PACK_FACTOR));
            Map<String, String> additional = new HashMap<>();
            headers.forEach((name, value) -> additional.put(name, value.text()));
            overHttp.setAdditionalHeaders(additional);
        }
        return transport;
    }

    private Fetched read(Repository repository, RepositoryFiles git, RevCommit commit) throws IOException {
        List<Fetched.File> files = new ArrayList<>();
        long left = policy.maxBytes();
        try (TreeWalk walk = new TreeWalk(repository)) {
            walk.addTree(commit.getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                FileMode mode = walk.getFileMode(0);
                boolean isFile = mode == FileMode.REGULAR_FILE || mode == FileMode.EXECUTABLE_FILE;
                if (!isFile || !git.pattern().matches(walk.getPathString())) {
                    continue;
                }
                ObjectLoader blob = walk.getObjectReader().open(walk.getObjectId(0));
                left -= blob.getSize();
                if (left < 0 || files.size() == MOST_FILES) {
                    throw new FetchException(
                            Code.TOO_LARGE,
                            "%s: has more than %,d bytes or %,d files".formatted(git, policy.maxBytes(), MOST_FILES));
                }
                files.add(new Fetched.File(walk.getPathString(), blob.getBytes()));
            }
        }
        if (files.isEmpty()) {
            throw new FetchException(Code.ANSWER, git + ": there is no such file");
        }
        return new Fetched(git.toString(), commit.name(), commit.getCommitTime() * 1000L, files);
    }

    /* Messages of JGit name the address but no header. Messages of a server are arbitrary, so they are dropped. */
    private static FetchException failure(RepositoryFiles git, IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof FetchException told) {
                return told;
            }
        }
        String message = e.getMessage() == null ? "" : e.getMessage();
        if (e instanceof NotSupportedException) {
            return new FetchException(
                    Code.UNREACHABLE,
                    git + ": cannot be reached; there is no repository, or no program for ssh, which GIT_SSH names");
        }
        if (message.contains("not authorized") || message.contains("not permitted") || message.contains("Auth")) {
            return new FetchException(Code.ANSWER, git + ": the repository rejects these credentials");
        }
        if (message.contains("not found")) {
            return new FetchException(Code.ANSWER, git + ": there is no such repository");
        }
        String how = e instanceof TransportException ? "the repository cannot be read" : "the copy cannot be used";
        return new FetchException(
                Code.UNREACHABLE, "%s: %s (%s)".formatted(git, how, e.getClass().getSimpleName()));
    }
}
