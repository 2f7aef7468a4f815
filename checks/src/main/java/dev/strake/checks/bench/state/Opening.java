package dev.strake.checks.bench.state;

import dev.strake.checks.bench.DocumentSets;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Opens a workspace in a separate process, with cold code and cold caches. */
public final class Opening {

    private Opening() {}

    /** Returns two durations in nanoseconds: opening the stores, and the first change from record to outcome. */
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

    /** Opens the stores and prints both times. Arguments: directory, workspace, number of its documents. */
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
