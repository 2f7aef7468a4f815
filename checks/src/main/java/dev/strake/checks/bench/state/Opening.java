package dev.strake.checks.bench.state;

import dev.strake.checks.bench.DocumentSets;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Opens a workspace in a process of its own, where nothing is compiled and nothing in a cache of ours. */
public final class Opening {

    private Opening() {}

    /** How long it takes to open the stores, and then from the first change's record to its outcome, in nanoseconds. */
    static long[] inFreshJvm(Path directory, StoredWorkspace workspace) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opening.class.getName(),
                        directory.toString(),
                        workspace.name(),
                        Integer.toString(workspace.set().size())))
                .redirectError(Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the workspace could not be opened, see above");
        }
        String last = printed.strip().lines().reduce("", (before, line) -> line);
        return Stream.of(last.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Opens the stores of a directory and prints both times: directory, workspace, number of its documents. */
    public static void main(String[] args) {
        DocumentSets set = DocumentSets.ofSize(7, Integer.parseInt(args[2]));
        StoredWorkspace workspace = new StoredWorkspace(args[1], set);
        long start = System.nanoTime();
        try (ProcessingRig rig = new ProcessingRig(Path.of(args[0]), StoredWorkspace.SETTINGS)) {
            long open = System.nanoTime();
            workspace.changeFirstLeaf(rig);
            System.out.println((open - start) + " " + (System.nanoTime() - open));
        }
    }
}
