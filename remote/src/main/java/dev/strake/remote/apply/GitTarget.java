package dev.strake.remote.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.remote.apply.TargetChange.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
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
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * A folder in a branch of a git repository. Each revision that changes a file becomes one commit on top of the current
 * head of the branch. Commits of others are kept, as pushes are never forced. Secrets are never committed.
 *
 * <pre>
 *  STATE/objects, refs, ...   a bare copy of the branch; created again if it is lost
 *  STATE/strake-checkpoint    the commit after the last step, the form of its files, and the checkpoint in the topics
 * </pre>
 */
public final class GitTarget implements ApplyTarget {

    private static final int ATTEMPTS = 10;
    private static final int TIMEOUT_SECONDS = 60;

    private final Repository repository;
    private final GitRemote remote;
    private final String path;
    private final String workspace;
    private final FileForm form;
    private final RemovalRule rule;
    private final boolean dryRun;
    private final Clock clock;
    private ObjectId tip;

    private GitTarget(
            Repository repository,
            GitRemote remote,
            String path,
            String workspace,
            FileForm form,
            RemovalRule rule,
            boolean dryRun,
            Clock clock) {
        this.repository = repository;
        this.remote = remote;
        this.path = path;
        this.workspace = workspace;
        this.form = form;
        this.rule = rule;
        this.dryRun = dryRun;
        this.clock = clock;
    }

    /**
     * Opens a branch. If the branch does not exist, the first commit creates it.
     *
     * @param path the folder in the repository, with slashes; empty for the whole repository
     * @param state a local folder for the copy of the branch, used by this target only
     * @param form the form of the files; must exclude secrets
     * @throws IOException if the repository cannot be reached, or the folder in it belongs to another workspace
     */
    public static GitTarget open(
            GitRemote remote,
            String path,
            Path state,
            String workspace,
            FileForm form,
            RemovalRule rule,
            boolean dryRun,
            Clock clock)
            throws IOException {
        if (form.withSecrets()) {
            throw new IllegalArgumentException("a history would keep secrets for ever");
        }
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
            GitTarget target = new GitTarget(repository, remote, path, workspace, form, rule, dryRun, clock);
            target.fetch();
            target.manifest(target.tip);
            return target;
        } catch (IOException | RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        Path file = checkpointFile();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        byte[] kept = Files.readAllBytes(file);
        String text = new String(kept, StandardCharsets.UTF_8);
        int end = text.indexOf('\n') + 1;
        // After a commit by others, an unrecorded step, or a change of the form, the target needs the full set.
        if (end == 0 || !text.substring(0, end).equals(tipAndForm())) {
            return Optional.empty();
        }
        Checkpoint checkpoint = Checkpoint.read(new ByteArrayInputStream(kept, end, kept.length - end));
        return checkpoint.workspace().equals(workspace) ? Optional.of(checkpoint) : Optional.empty();
    }

    @Override
    public boolean takesSecrets() {
        return form.withSecrets();
    }

    @Override
    public Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException, OutOfStepException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Manifest manifest = manifest(tip);
            FilePlan wanted;
            try (ObjectReader reader = repository.newObjectReader()) {
                wanted = FilePlan.of(update, form, manifest, new InTree(reader, tree(tip)));
            }
            RemovalRule.Judged judged = rule.judge(update, wanted, manifest);
            Applied applied = Applied.of(update, judged, dryRun);
            if (applied.status() != Applied.Status.APPLIED) {
                return applied;
            }
            FilePlan plan = judged.plan();
            boolean isNews = plan.changes().stream().anyMatch(change -> change.kind() != Kind.FOREIGN)
                    || !plan.after().equals(manifest);
            if (!isNews || push(commit(plan, update))) {
                keep(behind);
                return applied;
            }
            ObjectId before = subtree(tip);
            fetch();
            if (update.kind() == RenderedUpdate.Kind.REVISION && !Objects.equals(before, subtree(tip))) {
                throw new OutOfStepException("somebody else committed to the folder");
            }
        }
        throw new IOException("others pushed to %s %d times in the meantime".formatted(remote, ATTEMPTS));
    }

    private void fetch() throws IOException {
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
    private boolean push(ObjectId commit) throws IOException {
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

    private ObjectId commit(FilePlan plan, RenderedUpdate update) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter();
                ObjectReader reader = repository.newObjectReader()) {
            DirCache files = DirCache.newInCore();
            if (tip != null) {
                DirCacheBuilder builder = files.builder();
                builder.addTree(null, 0, reader, tree(tip));
                builder.finish();
            }
            DirCacheEditor editor = files.editor();
            for (TargetChange change : plan.changes()) {
                if (change.kind() == Kind.REMOVE) {
                    editor.add(new DirCacheEditor.DeletePath(below(change.path())));
                } else if (change.kind() != Kind.FOREIGN) {
                    put(editor, inserter, below(change.path()), change.after());
                }
            }
            put(editor, inserter, below(Manifest.PATH), plan.after().write());
            editor.finish();
            PersonIdent committer = GitCommit.committer(clock.instant());
            CommitBuilder commit = new CommitBuilder();
            commit.setTreeId(files.writeTree(inserter));
            if (tip != null) {
                commit.setParentId(tip);
            }
            commit.setAuthor(GitCommit.author(update, committer));
            commit.setCommitter(committer);
            commit.setEncoding(StandardCharsets.UTF_8);
            commit.setMessage(GitCommit.message(update, workspace));
            ObjectId made = inserter.insert(commit);
            inserter.flush();
            return made;
        }
    }

    private static void put(DirCacheEditor editor, ObjectInserter inserter, String file, byte[] content)
            throws IOException {
        ObjectId blob = inserter.insert(Constants.OBJ_BLOB, content);
        editor.add(new DirCacheEditor.PathEdit(file) {
            @Override
            public void apply(DirCacheEntry entry) {
                entry.setFileMode(FileMode.REGULAR_FILE);
                entry.setObjectId(blob);
            }
        });
    }

    private Manifest manifest(ObjectId commit) throws IOException {
        Optional<byte[]> content;
        try (ObjectReader reader = repository.newObjectReader()) {
            content = new InTree(reader, tree(commit)).read(Manifest.PATH);
        }
        if (content.isEmpty()) {
            return Manifest.empty(workspace);
        }
        Manifest manifest = Manifest.read(content.get(), below(Manifest.PATH) + " in " + remote);
        if (!manifest.workspace().equals(workspace)) {
            throw new IOException("%s in %s belongs to the workspace %s"
                    .formatted(path.isEmpty() ? "all" : path, remote, manifest.workspace()));
        }
        return manifest;
    }

    private RevTree tree(ObjectId commit) throws IOException {
        if (commit == null) {
            return null;
        }
        try (RevWalk walk = new RevWalk(repository)) {
            return walk.parseCommit(commit).getTree();
        }
    }

    /* Returns the tree id of the target's folder. Equal ids mean equal content. */
    private ObjectId subtree(ObjectId commit) throws IOException {
        RevTree tree = tree(commit);
        if (tree == null || path.isEmpty()) {
            return tree;
        }
        try (TreeWalk walk = TreeWalk.forPath(repository, path, tree)) {
            return walk == null ? null : walk.getObjectId(0);
        }
    }

    private String below(String file) {
        return path.isEmpty() ? file : path + "/" + file;
    }

    /** Reads the files of a commit. */
    private final class InTree implements FilePlan.Present {

        private final ObjectReader reader;
        private final RevTree tree;

        InTree(ObjectReader reader, RevTree tree) {
            this.reader = reader;
            this.tree = tree;
        }

        @Override
        public Optional<byte[]> read(String file) throws IOException {
            try (TreeWalk walk = tree == null ? null : TreeWalk.forPath(reader, below(file), tree)) {
                return walk == null
                        ? Optional.empty()
                        : Optional.of(reader.open(walk.getObjectId(0), Constants.OBJ_BLOB)
                                .getBytes());
            }
        }

        @Override
        public boolean isOther(String file) throws IOException {
            String whole = below(file);
            for (int slash = whole.indexOf('/'); slash > 0; slash = whole.indexOf('/', slash + 1)) {
                int folder = type(whole.substring(0, slash));
                if (folder != FileMode.TYPE_TREE) {
                    return folder != FileMode.TYPE_MISSING;
                }
            }
            int type = type(whole);
            return type != FileMode.TYPE_FILE && type != FileMode.TYPE_MISSING;
        }

        private int type(String whole) throws IOException {
            try (TreeWalk walk = tree == null ? null : TreeWalk.forPath(reader, whole, tree)) {
                return walk == null ? FileMode.TYPE_MISSING : walk.getRawMode(0) & FileMode.TYPE_MASK;
            }
        }
    }

    private void keep(Checkpoint checkpoint) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(tipAndForm().getBytes(StandardCharsets.UTF_8));
        checkpoint.write(text);
        Path file = checkpointFile();
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.write(next, text.toByteArray());
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /* Returns the first line of a valid checkpoint. A checkpoint of another commit or form is not used. */
    private String tipAndForm() {
        return "%s %s %s\n".formatted(ObjectId.toString(tip), form.contents(), form.extension());
    }

    private Path checkpointFile() {
        return repository.getDirectory().toPath().resolve("strake-checkpoint");
    }

    @Override
    public void close() {
        repository.close();
    }
}
