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
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.revwalk.RevTree;
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

    private final GitBranch branch;
    private final String path;
    private final String workspace;
    private final FileForm form;
    private final RemovalRule rule;
    private final boolean dryRun;
    private final Clock clock;

    private GitTarget(
            GitBranch branch,
            String path,
            String workspace,
            FileForm form,
            RemovalRule rule,
            boolean dryRun,
            Clock clock) {
        this.branch = branch;
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
        GitBranch branch = GitBranch.open(remote, state);
        try {
            GitTarget target = new GitTarget(branch, path, workspace, form, rule, dryRun, clock);
            target.manifest();
            return target;
        } catch (IOException | RuntimeException e) {
            branch.close();
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
            Manifest manifest = manifest();
            FilePlan wanted;
            try (ObjectReader reader = branch.repository().newObjectReader()) {
                wanted = FilePlan.of(update, form, manifest, new InTree(reader, branch.tree()));
            }
            RemovalRule.Judged judged = rule.judge(update, wanted, manifest);
            Applied applied = Applied.of(update, judged, dryRun);
            if (applied.status() != Applied.Status.APPLIED) {
                return applied;
            }
            FilePlan plan = judged.plan();
            boolean isNews = plan.changes().stream().anyMatch(change -> change.kind() != Kind.FOREIGN)
                    || !plan.after().equals(manifest);
            if (!isNews || branch.push(commit(plan, update))) {
                keep(behind);
                return applied;
            }
            ObjectId before = subtree();
            branch.fetch();
            if (update.kind() == RenderedUpdate.Kind.REVISION && !Objects.equals(before, subtree())) {
                throw new OutOfStepException("somebody else committed to the folder");
            }
        }
        throw new IOException("others pushed to %s %d times in the meantime".formatted(branch, ATTEMPTS));
    }

    private ObjectId commit(FilePlan plan, RenderedUpdate update) throws IOException {
        try (ObjectInserter inserter = branch.repository().newObjectInserter();
                ObjectReader reader = branch.repository().newObjectReader()) {
            DirCache files = DirCache.newInCore();
            if (branch.tip() != null) {
                DirCacheBuilder builder = files.builder();
                builder.addTree(null, 0, reader, branch.tree());
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
            if (branch.tip() != null) {
                commit.setParentId(branch.tip());
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

    private Manifest manifest() throws IOException {
        Optional<byte[]> content;
        try (ObjectReader reader = branch.repository().newObjectReader()) {
            content = new InTree(reader, branch.tree()).read(Manifest.PATH);
        }
        if (content.isEmpty()) {
            return Manifest.empty(workspace);
        }
        Manifest manifest = Manifest.read(content.get(), below(Manifest.PATH) + " in " + branch);
        if (!manifest.workspace().equals(workspace)) {
            throw new IOException("%s in %s belongs to the workspace %s"
                    .formatted(path.isEmpty() ? "all" : path, branch, manifest.workspace()));
        }
        return manifest;
    }

    /* Returns the tree id of the target's folder. Equal ids mean equal content. */
    private ObjectId subtree() throws IOException {
        RevTree tree = branch.tree();
        if (tree == null || path.isEmpty()) {
            return tree;
        }
        try (TreeWalk walk = TreeWalk.forPath(branch.repository(), path, tree)) {
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
        return "%s %s %s\n".formatted(ObjectId.toString(branch.tip()), form.contents(), form.extension());
    }

    private Path checkpointFile() {
        return branch.repository().getDirectory().toPath().resolve("strake-checkpoint");
    }

    @Override
    public void close() {
        branch.close();
    }
}
