package dev.strake.cli.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Files of git work trees: their paths from the top of the tree, and the commit that contains them unmodified. Modified
 * and untracked files have no commit.
 *
 * <p>Runs the program {@code git}. If git is missing or fails, files have paths but no commits.
 */
final class CommittedFiles {

    private static final Set<String> WHERE_ELSE = Set.of("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE");

    private final Map<String, Known> known = new HashMap<>();

    /**
     * A file in a work tree.
     *
     * @param path from the top of the tree, with slashes
     * @param commit null if no commit contains the file unmodified
     */
    record Known(String path, String commit) {}

    /**
     * Looks files up.
     *
     * @param files paths as the user gave them
     */
    CommittedFiles(Collection<String> files) throws IOException {
        Map<Path, Map<String, Path>> trees = new TreeMap<>();
        for (String file : files) {
            Path real = Path.of(file).toRealPath();
            Path top = top(real);
            if (top != null) {
                trees.computeIfAbsent(top, each -> new HashMap<>()).put(file, top.relativize(real));
            }
        }
        for (Map.Entry<Path, Map<String, Path>> tree : trees.entrySet()) {
            lookUp(tree.getKey(), tree.getValue());
        }
    }

    /** Returns the path and commit of a file; null if it is in no work tree. */
    Known of(String file) {
        return known.get(file);
    }

    /* In linked work trees and in submodules, .git is a file. */
    private static Path top(Path file) {
        Path folder = file.getParent();
        while (folder != null && !Files.exists(folder.resolve(".git"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private void lookUp(Path top, Map<String, Path> files) {
        Set<String> committed = new HashSet<>();
        String commit = null;
        try {
            commit = git(top, "rev-parse", "--short=12", "HEAD").strip();
            committed.addAll(names(git(top, "ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")));
            names(git(top, "diff", "--name-only", "-z", "--no-ext-diff", "HEAD"))
                    .forEach(committed::remove);
        } catch (IOException e) {
            committed.clear(); // git is missing, or there is no commit yet
        }
        for (Map.Entry<String, Path> file : files.entrySet()) {
            String path = slashes(file.getValue());
            known.put(file.getKey(), new Known(path, committed.contains(path) ? commit : null));
        }
    }

    private static String slashes(Path path) {
        return path.toString().replace(path.getFileSystem().getSeparator(), "/");
    }

    private static List<String> names(String listed) {
        return listed.isEmpty() ? List.of() : List.of(listed.split("\0"));
    }

    private static String git(Path top, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "git",
                "--no-optional-locks",
                "--literal-pathspecs",
                "-c",
                "core.fsmonitor=false",
                "-C",
                top.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeAll(WHERE_ELSE); // a hook of another tree may have set them
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.onExit().join().exitValue();
        if (code != 0) {
            throw new IOException("git %s ended with exit code %d".formatted(arguments[0], code));
        }
        return output;
    }
}
