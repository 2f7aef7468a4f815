package dev.strake.remote.fetch.policy;

import dev.strake.remote.fetch.policy.FetchException.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.RepositoryCache;
import org.eclipse.jgit.util.FS;

/**
 * A repository in the file system. JGit follows links, alternates, {@code commondir} and includes to any place. A
 * repository that contains one of them is refused, so that all reads stay below the allowed folder.
 */
public final class LocalRepository {

    private static final List<String> POINTERS =
            List.of("commondir", "objects/info/alternates", "objects/info/http-alternates");
    private static final List<String> CONFIGS = List.of("config", "config.worktree");
    private static final long MOST_CONFIG = 1 << 20;

    private LocalRepository() {}

    /**
     * Returns the path for JGit to open: the folder with the objects, or a bundle file.
     *
     * @param real a path below an allowed folder, without links
     * @throws FetchException if there is no repository, or if it leads out of its folder
     */
    public static Path of(Path real) throws FetchException {
        if (Files.isRegularFile(real)) {
            return real;
        }
        Path inner = real.resolve(".git");
        Path git = Files.exists(inner, LinkOption.NOFOLLOW_LINKS) ? inner : real;
        if (!Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(real, git, "leads elsewhere");
        }
        for (String pointer : POINTERS) {
            if (Files.exists(git.resolve(pointer), LinkOption.NOFOLLOW_LINKS)) {
                throw refused(real, git.resolve(pointer), "names another repository");
            }
        }
        try {
            Optional<Path> link = link(git);
            if (link.isPresent()) {
                throw refused(real, link.get(), "is neither a file nor a folder");
            }
            for (String config : CONFIGS) {
                if (hasInclude(git.resolve(config))) {
                    throw refused(real, git.resolve(config), "includes another file");
                }
            }
        } catch (FetchException e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            throw new FetchException(Code.UNREACHABLE, "the repository " + real + " cannot be read");
        }
        if (!RepositoryCache.FileKey.isGitRepository(git.toFile(), FS.DETECTED)) {
            throw new FetchException(Code.ANSWER, "there is no repository in " + real);
        }
        return git;
    }

    /* Ignores links to hooks, which are common: JGit runs no hooks when it reads. */
    private static Optional<Path> link(Path git) throws IOException {
        Path hooks = git.resolve("hooks");
        try (Stream<Path> found = Files.find(
                git,
                Integer.MAX_VALUE,
                (path, attributes) ->
                        !attributes.isDirectory() && !attributes.isRegularFile() && !path.startsWith(hooks))) {
            return found.findFirst();
        }
    }

    private static boolean hasInclude(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        if (Files.size(file) > MOST_CONFIG) {
            throw new FetchException(Code.TOO_LARGE, file + " has more than " + MOST_CONFIG + " bytes");
        }
        Config config = new Config(); // this class reads no other file
        try {
            config.fromText(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (ConfigInvalidException e) {
            throw new FetchException(Code.ANSWER, file + " cannot be read");
        }
        return config.getSections().stream()
                .anyMatch(section -> section.toLowerCase(Locale.ROOT).startsWith("include"));
    }

    private static FetchException refused(Path repository, Path found, String what) {
        return new FetchException(
                Code.REFUSED,
                "the repository %s is refused: %s %s, and what is read has to be below the folders of --allow-files"
                        .formatted(repository, repository.relativize(found), what));
    }
}
