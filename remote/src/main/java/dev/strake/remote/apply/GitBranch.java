package dev.strake.remote.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.PushResult;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;

/** A branch of a remote git repository, with a bare copy on this machine. Pushes are never forced. */
final class GitBranch implements AutoCloseable {

    private static final int TIMEOUT_SECONDS = 60;

    private final Repository repository;
    private final GitRemote remote;
    private ObjectId tip;

    private GitBranch(Repository repository, GitRemote remote) {
        this.repository = repository;
        this.remote = remote;
    }

    /**
     * Opens the copy of a branch, and fetches it.
     *
     * @param state the folder of the copy, for this branch alone
     * @throws IOException if the repository cannot be reached
     */
    static GitBranch open(GitRemote remote, Path state) throws IOException {
        Files.createDirectories(state);
        Repository repository =
                new FileRepositoryBuilder().setGitDir(state.toFile()).setBare().build();
        try {
            if (!repository.getObjectDatabase().exists()) {
                repository.create(true);
                // Garbage collection in the background could outlive the command and the copy itself.
                StoredConfig config = repository.getConfig();
                config.setBoolean(
                        ConfigConstants.CONFIG_GC_SECTION, null, ConfigConstants.CONFIG_KEY_AUTODETACH, false);
                config.save();
            }
            GitBranch branch = new GitBranch(repository, remote);
            branch.fetch();
            return branch;
        } catch (IOException | RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    Repository repository() {
        return repository;
    }

    /** Returns the head of the branch; null if the branch does not exist yet. */
    ObjectId tip() {
        return tip;
    }

    /** Returns the files of the head; null if there is none. */
    RevTree tree() throws IOException {
        if (tip == null) {
            return null;
        }
        try (RevWalk walk = new RevWalk(repository)) {
            return walk.parseCommit(tip).getTree();
        }
    }

    /** Fetches the current head of the branch. */
    void fetch() throws IOException {
        try (Transport transport = transport()) {
            try (FetchConnection connection = transport.openFetch()) {
                if (connection.getRef(remote.ref()) == null) {
                    tip = null; // the branch does not exist yet
                    return;
                }
            }
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.fetch(
                    NullProgressMonitor.INSTANCE, List.of(new RefSpec("+" + remote.ref() + ":" + remote.ref())));
        } catch (NotSupportedException | TransportException e) {
            throw new IOException("the repository cannot be read: " + e.getMessage(), e);
        }
        Ref fetched = repository.exactRef(remote.ref());
        tip = fetched == null ? null : fetched.getObjectId();
    }

    private Transport transport() throws IOException {
        Transport transport = Transport.open(repository, remote.uri());
        transport.setTimeout(TIMEOUT_SECONDS);
        remote.credentials().ifPresent(transport::setCredentialsProvider);
        return transport;
    }

    /** Returns whether the push succeeded. False means that somebody else pushed first. */
    boolean push(ObjectId commit) throws IOException {
        RemoteRefUpdate update = new RemoteRefUpdate(
                repository,
                commit.name(),
                commit,
                remote.ref(),
                false,
                remote.ref(),
                tip == null ? ObjectId.zeroId() : tip);
        PushResult result;
        try (Transport transport = transport()) {
            result = transport.push(NullProgressMonitor.INSTANCE, List.of(update));
        } catch (NotSupportedException | TransportException e) {
            throw new IOException("the commit cannot be pushed: " + e.getMessage(), e);
        }
        RemoteRefUpdate answer = result.getRemoteUpdate(remote.ref());
        switch (answer.getStatus()) {
            case OK, UP_TO_DATE -> {
                tip = commit;
                return true;
            }
            case REJECTED_NONFASTFORWARD, REJECTED_REMOTE_CHANGED -> {
                return false;
            }
            default -> {
                if (answer.getMessage() != null && answer.getMessage().contains("lock")) {
                    return false; // another push holds the lock at this moment
                }
                throw new IOException("the push to %s was refused: %s%s"
                        .formatted(
                                remote,
                                answer.getStatus(),
                                answer.getMessage() == null ? "" : ", " + answer.getMessage()));
            }
        }
    }

    @Override
    public void close() {
        repository.close();
    }

    @Override
    public String toString() {
        return remote.toString();
    }
}
