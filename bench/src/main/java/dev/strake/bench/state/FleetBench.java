package dev.strake.bench.state;

import dev.strake.bench.DocumentSets;
import dev.strake.bench.Figures;
import dev.strake.bench.Scratch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Many workspaces in use at once: whether they fit. Run with the heap they have to fit into. */
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        description = {
            "Loads many workspaces and keeps them all in use, to see what heap they take. Has 4 GB of it.",
            "A million documents take some minutes, and 10 GB of disk."
        })
public final class FleetBench implements Callable<Integer> {

    @Option(names = "--workspaces", paramLabel = "N", defaultValue = "200", description = "Default: ${DEFAULT-VALUE}")
    private int workspaces;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Documents of each. Default: ${DEFAULT-VALUE}")
    private int documents;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "bench/target/fleet.json",
            description = "Where to write the figures. Default: ${DEFAULT-VALUE}")
    private Path json;

    @Override
    public Integer call() throws Exception {
        Figures figures = new Figures(
                "bench/run fleet --workspaces %d --documents %d".formatted(workspaces, documents), System.out);
        long without = Heap.used();
        try (Scratch scratch = new Scratch();
                ProcessingRig rig = new ProcessingRig(scratch.directory(), StoredWorkspace.SETTINGS, false)) {
            List<StoredWorkspace> all = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < workspaces; i++) {
                StoredWorkspace workspace = new StoredWorkspace("fleet-" + i, DocumentSets.ofSize(i, documents));
                workspace.load(rig);
                all.add(workspace);
            }
            figures.add(
                    "loading %,d workspaces of %,d documents".formatted(workspaces, documents),
                    (System.nanoTime() - start) / 1e9,
                    "s");
            all.forEach(workspace -> workspace.changeLeaf(rig));
            double heap = Heap.used() - without;
            figures.add("heap for all of them, the cache of documents included", heap / (1 << 20), "MB");
            figures.add("heap for each document", heap / workspaces / documents, "bytes");
            all.get(0).changeLeaf(rig); // keeps them reachable until here
        }
        figures.write(json);
        return 0;
    }
}
