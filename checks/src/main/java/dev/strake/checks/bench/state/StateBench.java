package dev.strake.checks.bench.state;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.Figures;
import dev.strake.checks.bench.state.ProcessingRig.Processed;
import dev.strake.cli.local.TemporaryDirectory;
import dev.strake.topology.query.RenderedWhole;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures one-leaf changes from record to outcome, with RocksDB and without a broker: CPU time, heap and opening, for
 * workspaces of growing size and with a growing history.
 */
@Command(
        name = "state",
        mixinStandardHelpOptions = true,
        description = {
            "Measures one-leaf changes from record to outcome on real stores, without a broker: CPU time of the thread, "
                    + "heap, and opening a workspace.",
            "The first size is the one that the others are compared with."
        })
public final class StateBench implements Callable<Integer> {

    @Option(
            names = "--documents",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000,10000,100000",
            description = "Sizes of workspaces. Default: ${DEFAULT-VALUE}")
    private List<Integer> sizes;

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Changes that are measured each time. Default: ${DEFAULT-VALUE}")
    private int changes;

    @Option(
            names = "--revisions",
            paramLabel = "N",
            defaultValue = "10000",
            description = "The length of the history with which changes are measured again. Default: ${DEFAULT-VALUE}")
    private int revisions;

    @Option(
            names = "--children",
            paramLabel = "N",
            split = ",",
            defaultValue = "10000,50000",
            description =
                    "Children of a parent that changes, all in one revision; 0 leaves it out. Default: ${DEFAULT-VALUE}")
    private List<Integer> children;

    @Option(
            names = "--secrets",
            paramLabel = "N",
            defaultValue = "20",
            description = "Rounds of the comparison of clear documents with encrypted ones; 0 leaves it out. Default: "
                    + "${DEFAULT-VALUE}")
    private int secrets;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "checks/target/state.json",
            description = "Where to write the figures. Default: ${DEFAULT-VALUE}")
    private Path json;

    private static final int MOST_ROUNDS = 20;
    private static final int FAN_OUTS = 15;
    private static final int READINGS = 5;
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private Figures figures;
    private double firstCpu;

    @Override
    public Integer call() throws Exception {
        figures = new Figures(
                "checks/bench state --documents %s --changes %d --revisions %d --children %s --secrets %d"
                        .formatted(Figures.list(sizes), changes, revisions, Figures.list(children), secrets),
                System.out);
        warmUp();
        for (int size : sizes) {
            try (TemporaryDirectory scratch = TemporaryDirectory.create("strake-bench")) {
                measure(DocumentSets.ofSize(7, size), scratch.path());
            }
        }
        for (int family : children.stream().filter(size -> size > 0).toList()) {
            fanOut(family);
        }
        if (secrets > 0) {
            new SecretChanges(secrets).measure(figures);
        }
        figures.write(json);
        return 0;
    }

    /* Otherwise the first size would include compilation, and look slower than later ones. */
    private void warmUp() throws IOException {
        try (TemporaryDirectory scratch = TemporaryDirectory.create("strake-bench");
                ProcessingRig rig = new ProcessingRig(scratch.path(), StoredWorkspace.SETTINGS)) {
            StoredWorkspace workspace = new StoredWorkspace("warm-up", DocumentSets.ofSize(3, sizes.get(0)));
            workspace.load(rig);
            double best = Double.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS; round++) {
                double median = percentile(measured(rig, workspace), 50);
                if (median > best * 0.98) {
                    return;
                }
                best = median;
            }
        }
    }

    private void measure(DocumentSets set, Path directory) throws IOException, InterruptedException {
        String of = " among %,d".formatted(set.size());
        StoredWorkspace workspace = new StoredWorkspace("bench", set);
        try (ProcessingRig rig = new ProcessingRig(directory, StoredWorkspace.SETTINGS)) {
            figures.add("first load of %,d documents, CPU".formatted(set.size()), workspace.load(rig) / 1e9, "s");
            while (workspace.revision() < 10) {
                workspace.changeLeaf(rig);
            }
            double young = cpu(rig, workspace, "one-leaf change" + of);
            firstCpu = firstCpu == 0 ? young : firstCpu;
            figures.addRatio("… compared with the first size", young, firstCpu);
            while (workspace.revision() < revisions) {
                workspace.changeLeaf(rig);
            }
            long punctuationsBefore = rig.punctuationsCpu();
            double old = cpu(rig, workspace, "one-leaf change%s at revision %,d".formatted(of, workspace.revision()));
            figures.addRatio("… compared with revision 10", old, young);
            double pruning = (rig.punctuationsCpu() - punctuationsBefore) / 1e3 / changes;
            figures.add("pruning and tidying for each of these, CPU mean", pruning, "µs");
            reading(rig, workspace);
        }
        opening(workspace, directory);
    }

    private void reading(ProcessingRig rig, StoredWorkspace workspace) {
        long past = workspace.revision() - 5;
        long[] nanos = new long[READINGS];
        for (int round = 0; round < READINGS; round++) {
            long start = System.nanoTime();
            WorkspaceQueries queries = rig.queries();
            DerivedRevision derived = queries.at(workspace.name(), past).derived();
            long rendered;
            try (Stream<RenderedWhole.Item> all =
                    queries.whole(workspace.name(), past, derived).documents(id -> true)) {
                rendered = all.filter(item -> item.content().get() != null).count();
            }
            nanos[round] = System.nanoTime() - start;
            if (rendered == 0) {
                throw new IllegalStateException("the past revision renders to nothing");
            }
        }
        Arrays.sort(nanos);
        figures.add(
                "reading what a past revision of %,d documents rendered to, median"
                        .formatted(workspace.set().size()),
                percentile(nanos, 50) / 1e6,
                "s");
    }

    private void fanOut(int family) throws IOException {
        try (TemporaryDirectory scratch = TemporaryDirectory.create("strake-bench");
                ProcessingRig rig = new ProcessingRig(scratch.path(), StoredWorkspace.SETTINGS)) {
            StoredWorkspace workspace = new StoredWorkspace("fan-out", DocumentSets.family(11, family));
            workspace.load(rig);
            long[] nanos = new long[FAN_OUTS];
            long[] cpu = new long[FAN_OUTS];
            for (int round = 0; round < FAN_OUTS; round++) {
                Processed processed = workspace.changeParent(rig);
                nanos[round] = processed.nanos();
                cpu[round] = processed.cpuNanos();
            }
            Arrays.sort(nanos);
            Arrays.sort(cpu);
            String what = "each of %,d children in one revision".formatted(family);
            figures.add(what + ", median", percentile(nanos, 50) / family, "µs");
            figures.add(what + ", CPU of the thread that has the change", percentile(cpu, 50) / family, "µs");
        }
    }

    private double cpu(ProcessingRig rig, StoredWorkspace workspace, String what) {
        long[] nanos = measured(rig, workspace);
        double median = percentile(nanos, 50);
        figures.add(what + ", CPU median", median, "µs");
        figures.add(what + ", CPU p99", percentile(nanos, 99), "µs");
        figures.add(what + ", CPU mean", Arrays.stream(nanos).average().orElseThrow() / 1e3, "µs");
        return median;
    }

    private long[] measured(ProcessingRig rig, StoredWorkspace workspace) {
        long[] nanos = new long[changes];
        for (int i = 0; i < changes; i++) {
            nanos[i] = workspace.changeLeaf(rig).cpuNanos();
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static double percentile(long[] sorted, int percent) {
        return sorted[sorted.length * percent / 100] / 1e3;
    }

    /* Once in a fresh process, as after a restart; and once here to measure the heap. */
    private void opening(StoredWorkspace workspace, Path directory) throws IOException, InterruptedException {
        String what =
                "opening a workspace of %,d documents".formatted(workspace.set().size());
        long[] fresh = Opening.inFreshJvm(directory, workspace);
        figures.add(what + ", in a fresh JVM", fresh[1] / 1e9, "s");
        figures.add("… its stores before that", fresh[0] / 1e9, "s");
        try (ProcessingRig rig = new ProcessingRig(directory, StoredWorkspace.WITHOUT_CACHE)) {
            // Measured after the stores were opened: their own memory and metrics do not depend on their content.
            long without = usedHeap();
            long start = System.nanoTime();
            workspace.changeLeaf(rig);
            figures.add(what, (System.nanoTime() - start) / 1e9, "s");
            double heap = usedHeap() - without;
            figures.add("heap for a document of it", heap / workspace.set().size(), "bytes");
            workspace.changeLeaf(rig); // keeps it reachable until here
        }
    }

    /* Measures after several full collections, because some objects need two to be freed. */
    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            MEMORY.gc();
        }
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
