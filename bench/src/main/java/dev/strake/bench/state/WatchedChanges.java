package dev.strake.bench.state;

import dev.strake.bench.DocumentSets;
import dev.strake.bench.Figures;
import dev.strake.bench.Scratch;
import dev.strake.service.metrics.Metrics;
import dev.strake.topology.ProcessingRig;
import java.io.IOException;
import java.util.Arrays;

/**
 * What it costs that changes are measured while they are processed: two equal workspaces get the same changes by turns,
 * one of them with metrics. Only what is measured side by side can be told apart to a percent, so rounds are short, and
 * each is compared with the one beside it.
 */
final class WatchedChanges {

    private static final int DOCUMENTS = 1_000;
    private static final int WARM_UP = 5;

    private final int rounds;
    private final int changes;

    /**
     * @param changes of one round
     */
    WatchedChanges(int rounds, int changes) {
        this.rounds = rounds;
        this.changes = changes;
    }

    void measure(Figures figures) throws IOException {
        DocumentSets set = DocumentSets.ofSize(7, DOCUMENTS);
        try (Scratch left = new Scratch();
                Scratch right = new Scratch();
                Metrics metrics = new Metrics();
                ProcessingRig plain = new ProcessingRig(left.directory(), StoredWorkspace.SETTINGS, false);
                ProcessingRig measured =
                        new ProcessingRig(right.directory(), StoredWorkspace.SETTINGS, false, metrics.observer())) {
            StoredWorkspace without = new StoredWorkspace("without", set);
            StoredWorkspace with = new StoredWorkspace("with", set);
            without.load(plain);
            with.load(measured);
            double[] before = new double[rounds];
            double[] overheads = new double[rounds];
            for (int round = -WARM_UP; round < rounds; round++) {
                boolean first = round % 2 == 0; // neither of them always comes after the other
                double a = first ? round(plain, without) : round(measured, with);
                double b = first ? round(measured, with) : round(plain, without);
                if (round >= 0) {
                    before[round] = first ? a : b;
                    overheads[round] = first ? b / a : a / b;
                }
            }
            Arrays.sort(before);
            Arrays.sort(overheads);
            figures.add("one-leaf change without metrics, CPU mean, median of rounds", before[rounds / 2] / 1e3, "µs");
            figures.add("the same with metrics, median of rounds", overheads[rounds / 2], "×");
            figures.add("… lower quarter of rounds", overheads[rounds / 4], "×");
            figures.add("… upper quarter of rounds", overheads[rounds * 3 / 4], "×");
        }
    }

    private double round(ProcessingRig rig, StoredWorkspace workspace) {
        long nanos = 0;
        for (int i = 0; i < changes; i++) {
            nanos += workspace.changeLeaf(rig).cpuNanos();
        }
        return (double) nanos / changes;
    }
}
