package dev.strake.remote.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.remote.apply.TargetChange.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A folder with one file for each document. Files of others in the folder are never touched.
 *
 * <pre>
 *  DIR/example/Chart/v1/db.yaml   a document; see {@link FileForm}
 *  DIR/.strake/files              the files that belong to the applier; see {@link Manifest}
 *  DIR/.strake/lock               locked while an applier works here
 *  DIR/.strake/next               the next content of a file, until it is moved over the file
 * </pre>
 *
 * <p>A step first writes a manifest of all files that it may write, then the files, then the final manifest. After a
 * crash the next run starts with the full set. It finds each file either unchanged or listed in the manifest.
 */
public final class FolderTarget implements ApplyTarget {

    private static final String OURS = ".strake";

    private final Path folder;
    private final FileForm form;
    private final RemovalRule rule;
    private final boolean dryRun;
    private final FileChannel lock;
    private Manifest manifest;

    private FolderTarget(
            Path folder, FileForm form, RemovalRule rule, boolean dryRun, FileChannel lock, Manifest manifest) {
        this.folder = folder;
        this.form = form;
        this.rule = rule;
        this.dryRun = dryRun;
        this.lock = lock;
        this.manifest = manifest;
    }

    /**
     * Opens a folder and creates it if it does not exist.
     *
     * @param dryRun whether to report what would happen and change nothing
     * @throws FileSystemException if the folder belongs to another workspace, or another applier uses it
     */
    public static FolderTarget open(Path folder, String workspace, FileForm form, RemovalRule rule, boolean dryRun)
            throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        Path ours = root.resolve(OURS);
        refuseOther(ours);
        FileChannel lock = null;
        if (!dryRun) {
            Files.createDirectories(ours);
            lock = locked(ours.resolve("lock"));
            Files.deleteIfExists(ours.resolve("next"));
        }
        try {
            Manifest manifest = manifest(root, workspace);
            return new FolderTarget(root, form, rule, dryRun, lock, manifest);
        } catch (IOException e) {
            if (lock != null) {
                lock.close();
            }
            throw e;
        }
    }

    /* Rejects links, which could lead out of the folder, and pipes, which could block. */
    private static void refuseOther(Path ours) throws IOException {
        if (Files.exists(ours, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(ours, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(ours.toString(), null, "it has to be a folder, not a link");
        }
        for (String name : List.of("files", "lock", "next")) {
            Path file = ours.resolve(name);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(file.toString(), null, "it has to be a file, not a link");
            }
        }
    }

    private static FileChannel locked(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // another applier in this process holds the lock: same error as below
        }
        channel.close();
        throw new FileSystemException(file.toString(), null, "another applier works on this folder");
    }

    private static Manifest manifest(Path root, String workspace) throws IOException {
        Path file = root.resolve(Manifest.PATH);
        if (!Files.exists(file)) {
            return Manifest.empty(workspace);
        }
        Manifest manifest = Manifest.read(Files.readAllBytes(file), file.toString());
        if (!manifest.workspace().equals(workspace)) {
            throw new FileSystemException(
                    file.toString(), null, "the folder belongs to the workspace " + manifest.workspace());
        }
        return manifest;
    }

    @Override
    public boolean takesSecrets() {
        return form.withSecrets();
    }

    @Override
    public Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException {
        RemovalRule.Judged judged = rule.judge(update, plan(update), manifest);
        if (!judged.isHeld() && !dryRun) {
            for (Step step : steps(judged.plan())) {
                step.take();
            }
        }
        return Applied.of(update, judged, dryRun);
    }

    FilePlan plan(RenderedUpdate update) throws IOException {
        return FilePlan.of(update, form, manifest, new OnDisk());
    }

    /** Returns the single operations on the disk, in order. Stopping between any two of them does no harm. */
    List<Step> steps(FilePlan plan) {
        if (plan.changes().isEmpty() && plan.after().equals(manifest)) {
            return List.of();
        }
        List<Step> steps = new ArrayList<>();
        steps.add(() -> keep(plan.during(manifest)));
        plan.changes().forEach(change -> steps.add(() -> take(change)));
        steps.add(() -> keep(plan.after()));
        return steps;
    }

    /** One operation on the disk. */
    interface Step {

        void take() throws IOException;
    }

    private void keep(Manifest next) throws IOException {
        replace(folder.resolve(Manifest.PATH), next.write(), false, true);
        manifest = next;
    }

    private void take(TargetChange change) throws IOException {
        Path file = folder.resolve(change.path());
        if (change.kind() == Kind.REMOVE) {
            Files.deleteIfExists(file);
            removeEmptyParents(file.getParent());
        } else if (change.kind() != Kind.FOREIGN) {
            Files.createDirectories(file.getParent());
            replace(file, change.after(), change.secret(), change.kind() != Kind.CREATE);
        }
    }

    /* Replaces a file atomically: readers see the old content or the new one. */
    private void replace(Path file, byte[] content, boolean secret, boolean mayBeThere) throws IOException {
        Path next = folder.resolve(OURS).resolve("next");
        Files.deleteIfExists(next);
        boolean isPosix = next.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = secret && isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        Files.createFile(next, attributes);
        Files.write(next, content);
        if (!mayBeThere && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString(), null, "somebody else has just created it");
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void removeEmptyParents(Path from) throws IOException {
        for (Path each = from; !each.equals(folder); each = each.getParent()) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }

    /** Reads the files of the folder. */
    private final class OnDisk implements FilePlan.Present {

        @Override
        public Optional<byte[]> read(String path) throws IOException {
            Path file = folder.resolve(path);
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of(Files.readAllBytes(file))
                    : Optional.empty();
        }

        @Override
        public boolean isOther(String path) {
            Path file = folder.resolve(path);
            // A link instead of a parent folder would lead out of the target's folder.
            for (Path each = file.getParent(); !each.equals(folder); each = each.getParent()) {
                if (Files.exists(each, LinkOption.NOFOLLOW_LINKS)
                        && !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    return true;
                }
            }
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        }
    }

    @Override
    public void close() {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
